package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// matchTally counts matches as a whole, without a division of players.
type matchTally struct {
	count, withWarmBody int
	seats               int // of all matches, taken or not
	returned, repeated  int // matched players who returned; those among them who met a partner again
}

// matched counts a match with a number of seats, also in the minute in which it was made.
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

// matches returns the statistics of the matches, which have a number of players.
func (t *matchTally) matches(players outcome.Count) outcome.Matches {
	return outcome.Matches{
		Count:        outcome.Count(t.count),
		Players:      players,
		Fill:         outcome.ShareOf(players, outcome.Count(t.seats)),
		WithWarmBody: outcome.Count(t.withWarmBody),
		RepeatShare:  outcome.ShareOf(t.repeated, t.returned),
	}
}
