package collect

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Searches wait 10 s before an event and 40 s during it. After it, the searches of each minute wait 60,
// 50, 40, 30, and then 12 s, which is 1.1 times as long as before plus 1 s. So five such minutes begin
// four minutes after the end, or 3.5 minutes after an end in the middle of a minute.
func TestEventsTally(t *testing.T) {
	const minute = sim.Instant(sim.Minute)
	for _, late := range []sim.Instant{0, minute / 2} {
		tally := newEventsTally(&setup.Run{
			Duration: 4 * sim.Hour, Datacenters: []setup.Datacenter{{Name: "a"}, {Name: "b"}},
			Events: []setup.Event{{From: 120 * minute, Until: 150*minute + late, Action: "x", Outage: 0b10}},
		})
		search := func(began sim.Instant, wait sim.Duration, players int) {
			m := sim.Match{At: began.Add(wait), Players: make([]sim.Matched, players)}
			for i := range m.Players {
				m.Players[i] = sim.Matched{Began: began, RTT: 20 * sim.RTTUnit}
			}
			tally.matched(&m)
		}
		search(60*minute-1, 999*sim.Second, 4) // more than an hour before
		search(60*minute, 10*sim.Second, 50)
		search(120*minute-1, 10*sim.Second, 50)
		search(120*minute, 40*sim.Second, 30)
		tally.ended(&sim.Ended{Search: sim.Search{Began: 130 * minute, Players: make([]sim.Player, 10)}})
		for i, wait := range []sim.Duration{60, 50, 40, 30, 12, 12, 12, 12, 12} {
			search((150+sim.Instant(i))*minute+minute/2, wait*sim.Second, 1)
		}
		got := tally.result(&sim.Totals{Reached: 240 * minute, Events: []sim.EventTotals{{Interrupted: 7, SearchingPeak: 8}}})
		want := outcome.Object[outcome.Event]{{
			Name: "1", At: 7200, For: outcome.Seconds(1800 + late.Seconds()), Action: "x", Down: []string{"b"},
			MatchedBefore: 100, MatchedDuring: 30, MatchedAfter: 9, EndedBefore: 100, EndedDuring: 40,
			WaitBefore: 10, WaitDuring: 40, WaitAfter: 26.667, RTTBefore: 20, RTTDuring: 20, UnmatchedDuring: 0.25,
			Interrupted: 7, SearchingPeak: 8, Recovery: 240,
		}}
		if late > 0 {
			want[0].Recovery = 210
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("end %d ms after a whole minute (-want +got):\n%s", late, diff)
		}
	}
}

// With fewer than 100 players in the hour before, or if waits stay long, the recovery is not measured.
func TestNoRecovery(t *testing.T) {
	for players, waits := range map[int]sim.Duration{99: 10, 100: 13} {
		tally := newEventsTally(&setup.Run{Duration: 4 * sim.Hour, Events: []setup.Event{{From: sim.Instant(sim.Hour), Until: sim.Instant(sim.Hour) + 1}}})
		for _, m := range []sim.Match{
			{At: 10_000, Players: make([]sim.Matched, players)},
			{At: sim.Instant(2 * sim.Hour).Add(waits * sim.Second), Players: []sim.Matched{{Began: sim.Instant(2 * sim.Hour)}}},
		} {
			tally.matched(&m)
		}
		got := tally.result(&sim.Totals{Reached: sim.Instant(4 * sim.Hour), Events: make([]sim.EventTotals, 1)})
		if !math.IsNaN(float64(got[0].Recovery)) {
			t.Errorf("%d players before, waits of %d s after: recovery %v, want none", players, waits, got[0].Recovery)
		}
	}
}

// The rows of minutes around an event have the 95th percentile of the waits, nearest rank, of the players
// matched in the minute. All other rows have none, and runs without events do not have the column.
func TestMinutesAroundEvents(t *testing.T) {
	const minute = sim.Instant(sim.Minute)
	event := setup.Event{From: 120*minute + 1, Until: 150 * minute}
	for _, list := range [][]setup.Event{{event}, nil} {
		s := newSeries(6*sim.Hour, (&setup.Run{Events: list}).EventSpans())
		for at := minute; at < 350*minute; at += minute {
			for wait := range sim.Instant(20) { // 1 to 20 s
				s.matched(&sim.Match{At: at + 20, Players: []sim.Matched{{Began: max(0, at+20-1000*(wait+1))}}})
			}
		}
		rows, _ := s.finish(6 * sim.Instant(sim.Hour))
		for i, row := range rows {
			want := outcome.Seconds(0)
			switch around := i >= 60 && i < 270; {
			case list != nil && around:
				want = 19
			case list != nil:
				want = outcome.Seconds(math.NaN())
			}
			if got := row.WaitP95; got != want && !(math.IsNaN(float64(got)) && math.IsNaN(float64(want))) {
				t.Errorf("%d events, minute %d: got p95 %v, want %v", len(list), i, got, want)
			}
		}
	}
}
