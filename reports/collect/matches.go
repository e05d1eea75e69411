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
	refills             int // players who took seats that others had left
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
		for i := range m.Seats {
			if m.Seats[i].Refill {
				t.refills++
			}
		}
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
	t.refills += other.refills
	t.returned += other.returned
	t.repeated += other.repeated
}

// ofQueue returns the statistics of the matches of one of several queues. players is the number of
// their players.
func (t *matchTally) ofQueue(players outcome.Count) outcome.QueueMatches {
	return outcome.QueueMatches{Count: outcome.Count(t.count), Players: players, Fill: outcome.ShareOf(players-outcome.Count(t.refills), outcome.Count(t.seats))}
}

// matches returns the statistics of the matches. players is the number of their players.
func (t *matchTally) matches(players outcome.Count) outcome.Matches {
	return outcome.Matches{
		Count:        outcome.Count(t.count),
		Players:      players,
		Fill:         outcome.ShareOf(players-outcome.Count(t.refills), outcome.Count(t.seats)),
		WithWarmBody: outcome.Count(t.withWarmBody),
		RepeatShare:  outcome.ShareOf(t.repeated, t.returned),
	}
}

// lifeTally counts the players who are missing from matches.
type lifeTally struct {
	noShows, leavers, interrupted, dead int
	matches, incomplete, cut            int
	played                              uint64 // ms from start to end, over matches
	planned, missing                    int    // player-ms
	emptied                             int    // seats that became empty in queues that refill them
	empty                               int    // ms for which they were empty, up to the end of their match
}

// matched counts a match, or players who join a running match. If other players take the seats of those
// who left, missing time is counted up to the end of the run, because later players are not known, and not in
// matches from the warm-up period, of which earlier players are not known.
func (t *lifeTally) matched(m *sim.Match, refills bool, end sim.Instant) {
	if m.Seats == nil && !refills { // all stay
		time := m.Ends.Sub(m.At)
		t.planned += int(time) * len(m.Players)
		if !m.Backfill {
			t.matches++
			t.played += uint64(time)
		}
		return
	}
	drawn, ends, known := m.Drawn, m.Ends, true
	if refills {
		drawn, ends, known = min(drawn, end), min(ends, end), !m.Early
	}
	for i := range m.Players {
		seat := m.SeatOf(i)
		switch {
		case !known:
		case seat.Refill: // the seat has counted as missing since another player left it
			t.missing -= int(drawn.Sub(m.At))
			t.empty -= int(ends.Sub(m.At))
		default:
			t.planned += int(drawn.Sub(m.At))
		}
		if known && seat.Left < drawn {
			t.missing += int(drawn.Sub(seat.Left))
		}
		if known && refills && seat.Leaves && seat.Left < ends {
			t.emptied++
			t.empty += int(ends.Sub(seat.Left))
		}
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
func (t *lifeTally) result(refills bool) *outcome.Life {
	l := &outcome.Life{
		NoShows: outcome.Count(t.noShows), Leavers: outcome.Count(t.leavers), Interrupted: outcome.Count(t.interrupted), Dead: outcome.Count(t.dead),
		MissingShare:  outcome.ShareOf(t.missing, t.planned),
		CompleteShare: outcome.ShareOf(t.matches-t.incomplete, t.matches),
		CutShare:      outcome.ShareOf(t.cut, t.matches),
		PlayedMean:    waitSeconds(outcome.Ratio(float64(t.played), float64(t.matches))),
	}
	if refills {
		l.Emptied, l.SeatEmptyMean = new(outcome.Count(t.emptied)), new(waitSeconds(outcome.Ratio(float64(t.empty), float64(t.emptied))))
	}
	return l
}
