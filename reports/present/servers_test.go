package present

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/figure"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
)

// The page says how good the model of RTTs is if a result uses it.
func TestModelErrorIsShown(t *testing.T) {
	for share, want := range map[outcome.Share]bool{0: false, 0.5: true, 1: true} {
		note := latencyTable(&outcome.Summary{Latency: outcome.Latency{ShareModel: share, ShareMap: 1 - share}}).Note
		for _, part := range []string{"4.3 ms in the median", "14.1 ms", "--set latency.last_mile.median=10ms", "--set latency.fallback=line"} {
			if strings.Contains(note, part) != want {
				t.Errorf("share %v: got the note %q, want it with %q: %v", share, note, part, want)
			}
		}
	}
}

func TestServersText(t *testing.T) {
	golden(t, "text-servers.golden", Text(&resulttest.Servers().Summary, false))
	empty := outcome.Summary{Complete: true, Run: outcome.Run{Duration: 60, Reached: 60}, ByHour: make([]outcome.Group, 24), Servers: &outcome.Servers{}}
	golden(t, "text-servers-empty.golden", Text(&empty, false))
}

// A comparison of runs on servers shows each metric once, and none of matches.
func TestCompareServers(t *testing.T) {
	side := func(change func(run int, s *outcome.Summary)) *judge.Sample {
		return resulttest.Sample("a", 1, 2, func(run int, s *outcome.Summary) { s.Servers = resulttest.Servers().Summary.Servers; change(run, s) })
	}
	c := judge.Compare(side(func(int, *outcome.Summary) {}), side(func(run int, s *outcome.Summary) {
		s.Servers.PreferredMatch += 0.1 + outcome.Share(run)/1000
		s.Matches.Fill -= 0.1 + outcome.Share(run)/1000
	}), nil)
	var names []string
	for _, d := range judge.Headlines(c) {
		names = append(names, d.Name)
	}
	if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) || slices.Contains(names, "matches.fill") {
		t.Errorf("got headline %q, want distinct metrics without matches.fill", names)
	}
	if got, want := phrase.Comparison(c), "B is better: share of players placed with a friend or their household 22 % instead of 12 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// LeaveOut removes the cells of a column, and its number from the lists of columns.
func TestLeaveOut(t *testing.T) {
	table := Table{Head: []string{"a", "b", "c", "d"}, Left: []int{0, 3}, Bars: []int{1, 2, 3}, Verdicts: []int{2}, Rows: [][]string{{"1", "2", "3", "4"}}}
	table.LeaveOut([]string{"c", "x", "a"})
	if want := (Table{Head: []string{"b", "d"}, Left: []int{1}, Bars: []int{0, 1}, Rows: [][]string{{"2", "4"}}}); !reflect.DeepEqual(table, want) {
		t.Errorf("got %v, want %v", table, want)
	}
}

// The files of a run on servers can be read back. None of its pictures is about states or the waits
// of searches.
func TestServersFiles(t *testing.T) {
	r := resulttest.Servers()
	loaded, err := result.Load(resulttest.Written(t, r).FS())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Servers, loaded.Servers) + cmp.Diff(r.Summary.Servers, loaded.Summary.Servers, resulttest.Unmeasured); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	for _, p := range figure.Plots(r, resulttest.Square) {
		if p.Name == "states" || p.Name == "wait-time" {
			t.Errorf("got picture %s, want none of searching players, because players on servers do not wait", p.Name)
		}
	}
	mean := resulttest.Aggregate(r, r).Servers
	if mean.OccupancyMean != r.Summary.Servers.OccupancyMean || len(mean.Signals) != 3 || mean.Signals[1].Decided != 0.66 || !math.IsNaN(float64(mean.Metrics[4].Avg)) {
		t.Errorf("mean of two equal runs: got %+v, want the values of the run", mean)
	}
}
