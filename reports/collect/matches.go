package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// matchTally counts the matches of the run, not divided into groups.
type matchTally struct {
	count, withWarmBody int
	seats               int // all seats of the matches, taken or not
	returned, repeated  int // returned: players who searched again after a match; repeated: those who then met a player of that match again
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
