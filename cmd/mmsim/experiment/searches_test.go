package experiment

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// searchLog writes a row for each search of a run, as a matchmaking service would log it.
type searchLog struct {
	day  *Replication
	file bytes.Buffer
	rows int
}

func (l *searchLog) Entered(s *sim.Search) {
	for i := range s.Players {
		p, ms := &s.Players[i], int64(s.Began)
		place := &l.day.Day.Places[p.Place]
		fmt.Fprintf(&l.file, "%02d:%02d:%02d.%03d,%.2f,%.2f,%d\n", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000, place.Lat(), place.Lon(), p.ID)
		l.rows++
	}
}

func (*searchLog) Matched(*sim.Match)  {}
func (*searchLog) Ended(*sim.Ended)    {}
func (*searchLog) Sampled(*sim.Census) {}

// A day whose players search several times is logged, a row for each search. Taken as searches, the
// log gives as many searches as it has rows, and their waits, RTTs and failures are those of the day.
// Taken as sessions, it gives almost four times as many searches, which are matched faster.
func TestLogOfSearchesRepeatsItsDay(t *testing.T) {
	t.Chdir(t.TempDir())
	settings := []string{"dataset.builtin.preset=eu", "dataset.builtin.joins=4000"}
	r, err := inputsOf(t, settings...).Replication(0)
	if err != nil {
		t.Fatal(err)
	}
	log := &searchLog{day: r}
	log.file.WriteString("time,latitude,longitude,player_id\n")
	found, err := r.Measure(context.Background(), nil, log)
	if err != nil {
		t.Fatal(err)
	}
	truth := &found.Summary
	if err := os.WriteFile("log.csv", log.file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	of := func(settings ...string) *outcome.Summary {
		return summaryOf(t, inputsOf(t, append([]string{"dataset.file=log.csv"}, settings...)...), 0)
	}
	chosen, searches, sessions := of(), of("dataset.rows=searches"), of("dataset.rows=sessions")
	if searches.Players.Entries != chosen.Players.Entries || searches.Wait != chosen.Wait || searches.RTT != chosen.RTT {
		t.Errorf("got %+v without the key, and %+v with searches: want the same", chosen.Wait, searches.Wait)
	}
	if note := strings.Join(chosen.Warnings, "\n"); !strings.Contains(note, "log.csv: rows are taken as searches, because there are ") || strings.Contains(note, "searches (") {
		t.Errorf("got warnings %q, want a note about searches and nothing about overlaps", note)
	}
	if len(searches.Warnings) > 0 || len(sessions.Warnings) > 0 {
		t.Errorf("got warnings %q and %q with the key, want none", searches.Warnings, sessions.Warnings)
	}
	if p := &searches.Players; p.Entries != outcome.Count(log.rows) || p.Returns != 0 || p.Entries != truth.Players.Entries {
		t.Errorf("got %+v, want %d searches and no returns", p, log.rows)
	}
	again := 0.75 * (1 - float64(sessions.Players.UnmatchedShare)) // a search without a match has no next one
	if each := float64(sessions.Players.Entries) / float64(log.rows); math.Abs(each*(1-again)-1) > 0.03 {
		t.Errorf("got %.2f searches for each row as a session, want %.2f", each, 1/(1-again))
	}
	for _, number := range []struct {
		name              string
		truth, got, wrong float64
	}{
		{"mean wait", float64(truth.Wait.Mean), float64(searches.Wait.Mean), float64(sessions.Wait.Mean)},
		{"mean RTT", float64(truth.RTT.Mean), float64(searches.RTT.Mean), float64(sessions.RTT.Mean)},
		{"share without a match", float64(truth.Players.UnmatchedShare), float64(searches.Players.UnmatchedShare), float64(sessions.Players.UnmatchedShare)},
	} {
		if off, wrong := math.Abs(number.got/number.truth-1), math.Abs(number.wrong/number.truth-1); off > 0.05 || wrong < 2*off {
			t.Errorf("%s: got %.4f of the log as searches and %.4f as sessions, want %.4f", number.name, number.got, number.wrong, number.truth)
		} else {
			t.Logf("%s: %.4f in the day, %.4f of its log as searches, %.4f as sessions", number.name, number.truth, number.got, number.wrong)
		}
	}
}
