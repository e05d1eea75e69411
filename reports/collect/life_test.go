package collect

import (
	"testing"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// twinLife counts the missing players of all matches, one statistic after another.
func (f facts) twinLife() *outcome.Life {
	if !f.Setup.Missing {
		return nil
	}
	players := func(is func(m *sim.Match, s sim.Seat) bool) (n outcome.Count) {
		for i := range f.Matches {
			for k := range f.Matches[i].Players {
				if is(&f.Matches[i], f.Matches[i].SeatOf(k)) {
					n++
				}
			}
		}
		return n
	}
	begun, complete, cut, played, present, full := 0, 0, 0, 0.0, 0.0, 0.0
	for _, m := range f.Matches {
		for i := range m.Players {
			present += m.LeftAt(i).Sub(m.At).Seconds()
			full += m.Drawn.Sub(m.At).Seconds()
		}
		if m.Incomplete {
			complete--
		}
		if !m.Backfill {
			begun++
			complete++
			played += m.Ends.Sub(m.At).Seconds()
			if m.Cut {
				cut++
			}
		}
	}
	return &outcome.Life{
		NoShows:       players(func(m *sim.Match, s sim.Seat) bool { return s.Leaves && s.Left == m.At }),
		Leavers:       players(func(m *sim.Match, s sim.Seat) bool { return s.Leaves && s.Left != m.At }),
		Interrupted:   players(func(m *sim.Match, s sim.Seat) bool { return m.Cut && !s.Leaves }),
		Dead:          players(func(_ *sim.Match, s sim.Seat) bool { return s.Dead }),
		MissingShare:  outcome.RoundShare(outcome.Ratio(full-present, full)),
		CompleteShare: twinShare(complete, begun), CutShare: twinShare(cut, begun),
		PlayedMean: outcome.RoundSeconds(outcome.Ratio(played, float64(begun))),
	}
}

// A match of 100 s that two of its four players miss in part, and that is cut short after 60 s.
func TestLifeOfAMatch(t *testing.T) {
	tally := lifeTally{}
	tally.matched(&sim.Match{
		At: 10_000, Ends: 70_000, Drawn: 110_000, Cut: true, Incomplete: true, Players: make([]sim.Matched, 4),
		Seats: []sim.Seat{{Left: 10_000, Leaves: true}, {Left: 30_000, Leaves: true}, {Left: 70_000}, {Left: 70_000}},
	}, false, 0)
	want := outcome.Life{
		NoShows: 1, Leavers: 1, Interrupted: 2,
		MissingShare: 0.65, // 100, 80, 40 and 40 of 4 × 100 s
		CutShare:     1, PlayedMean: 60,
	}
	if got := tally.result(false); *got != want {
		t.Errorf("got %+v, want %+v", *got, want)
	}
}

// A match of 100 s from 10 s, of which the run covers 80 s. Two seats are empty from 20 s and from 60 s. The
// first is taken at 25 s, left again at 85 s, and taken at 88 s. The second is taken by nobody. A player who
// joins a free seat that nobody had, at 30 s, leaves after the run. Matches from the warm-up do not count.
func TestLifeOfRefilledSeats(t *testing.T) {
	tally := lifeTally{}
	record := func(at sim.Instant, early bool, seats ...sim.Seat) {
		tally.matched(&sim.Match{
			At: at, Ends: 110_000, Drawn: 110_000, Backfill: at > 10_000, Early: early, Incomplete: at == 10_000,
			Players: make([]sim.Matched, len(seats)), Seats: seats,
		}, true, 90_000)
	}
	record(10_000, false, sim.Seat{Left: 20_000, Leaves: true}, sim.Seat{Left: 60_000, Leaves: true}, sim.Seat{Left: 110_000})
	record(25_000, false, sim.Seat{Left: 85_000, Leaves: true, Refill: true})
	record(30_000, false, sim.Seat{Left: 95_000, Leaves: true})
	record(40_000, true, sim.Seat{Left: 50_000, Leaves: true})
	record(88_000, false, sim.Seat{Left: 110_000, Refill: true})
	got := tally.result(true)
	if want := outcome.Count(3); *got.Emptied != want {
		t.Errorf("got %v empty seats, want %v", *got.Emptied, want)
	}
	if want := outcome.RoundSeconds((5 + 30 + 3) / 3.); *got.SeatEmptyMean != want {
		t.Errorf("got seats that are empty for %v s, want %v", *got.SeatEmptyMean, want)
	}
	if want := outcome.RoundShare((5 + 30 + 3) / (3*80 + 60.)); got.MissingShare != want {
		t.Errorf("got %v of the time missing, want %v", got.MissingShare, want)
	}
}
