package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// matchTally counts the matches of a queue.
type matchTally struct {
	count, withWarmBody int
	seats               int // all seats of the matches, taken or not
	returned, repeated  int // returned: matched players who had searched again after a match; repeated: those of them who met a player of that match again
}

// matched counts a match that has this number of seats, and adds it to the minute in which it
// starts.
func (t *matchTally) matched(m *sim.Match, seats int, minute *result.Minute) {
	warm := false
	for i := range m.Players {
		p := &m.Players[i]
		warm = warm || p.State == sim.StateWarmBody
		if p.Return {
			t.returned++
			if p.Repeat {
				t.repeated++
			}
		}
	}
	if m.Backfill {
		return
	}
	t.count++
	minute.Matches++
	t.seats += seats
	if warm {
		t.withWarmBody++
	}
}

func (t *matchTally) merge(other *matchTally) {
	t.count += other.count
	t.withWarmBody += other.withWarmBody
	t.seats += other.seats
	t.returned += other.returned
	t.repeated += other.repeated
}

// ofQueue returns the statistics of the matches of one of several queues. players is the number of
// their players.
func (t *matchTally) ofQueue(players outcome.Count) outcome.QueueMatches {
	return outcome.QueueMatches{Count: outcome.Count(t.count), Players: players, Fill: outcome.ShareOf(players, outcome.Count(t.seats))}
}

// matches returns the statistics of the matches. players is the number of their players.
func (t *matchTally) matches(players outcome.Count) outcome.Matches {
	return outcome.Matches{
		Count:        outcome.Count(t.count),
		Players:      players,
		Fill:         outcome.ShareOf(players, outcome.Count(t.seats)),
		WithWarmBody: outcome.Count(t.withWarmBody),
		RepeatShare:  outcome.ShareOf(t.repeated, t.returned),
	}
}

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
