package collect

import (
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// lifeTally counts the players who are missing from matches.
type lifeTally struct {
	noShows, leavers, interrupted, dead int
	matches, incomplete, cut            int
	played                              uint64 // ms from start to end, over matches
	planned, missing                    uint64 // player-ms
}

// matched counts a match, or players who join a running match.
func (t *lifeTally) matched(m *sim.Match) {
	for i := range m.Players {
		seat := &m.Seats[i]
		t.planned += uint64(m.Drawn.Sub(m.At))
		t.missing += uint64(m.Drawn.Sub(seat.Left))
		switch {
		case !seat.Leaves && m.Cut:
			t.interrupted++
		case seat.Leaves && seat.Left == m.At:
			t.noShows++
		case seat.Leaves:
			t.leavers++
		}
		if seat.Dead {
			t.dead++
		}
	}
	if m.Incomplete {
		t.incomplete++
	}
	if m.Backfill {
		return
	}
	t.matches++
	t.played += uint64(m.Ends.Sub(m.At))
	if m.Cut {
		t.cut++
	}
}

// result returns the statistics.
func (t *lifeTally) result() *outcome.Life {
	return &outcome.Life{
		NoShows: outcome.Count(t.noShows), Leavers: outcome.Count(t.leavers), Interrupted: outcome.Count(t.interrupted), Dead: outcome.Count(t.dead),
		MissingShare:  outcome.ShareOf(t.missing, t.planned),
		CompleteShare: outcome.ShareOf(t.matches-t.incomplete, t.matches),
		CutShare:      outcome.ShareOf(t.cut, t.matches),
		PlayedMean:    waitSeconds(outcome.Ratio(float64(t.played), float64(t.matches))),
	}
}
