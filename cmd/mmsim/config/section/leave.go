package section

import (
	"time"

	"mmsim/cmd/mmsim/value"
	"mmsim/sim"
)

// Leave configures which tickets do not appear in their match or leave it, and what happens to it.
type Leave sim.Leave

// NoLeave returns the settings of matches that nobody leaves. longest is the longest possible time.
func NoLeave(longest time.Duration) Leave {
	return Leave{EndWithin: sim.Duration(longest.Milliseconds())}
}

// Happens reports whether anybody can be missing from a match because of these settings.
func (l *Leave) Happens() bool { return l.NoShow > 0 || l.PerMinute > 0 }

// Ends reports whether a match ends when one of its seats is empty.
func (l *Leave) Ends() bool { return l.Happens() && l.Then == sim.MatchEnds }

// Refills reports whether other players take the seats of those who left.
func (l *Leave) Refills() bool { return l.Happens() && l.Then == sim.MatchRefills }

// Sim converts the settings to the simulator's type. The result is nil if nobody can be missing.
func (l *Leave) Sim() *sim.Leave {
	if !l.Happens() {
		return nil
	}
	return new(sim.Leave(*l))
}

// Keys returns the keys about players who are missing from a queue's matches. longest is the longest
// time that they take.
func (l *Leave) Keys(longest time.Duration) []value.Key {
	usual := NoLeave(longest)
	return []value.Key{
		value.Named("match.leave.no_show", "chance that a ticket (a player or a party) never appears in its match", value.ByDefault(&l.NoShow, usual.NoShow, value.Share(&l.NoShow, value.Limits{High: 1}))),
		value.Named("match.leave.per_minute", "chance per minute of play that a ticket leaves its match early", value.ByDefault(&l.PerMinute, usual.PerMinute, value.Share(&l.PerMinute, value.Limits{High: 1, HighOpen: true}))),
		value.Named("match.leave.notice", "time until the game sees that a seat is empty", value.ByDefault(&l.Notice, usual.Notice, value.Millis(&l.Notice, 0, longest))),
		value.Named("match.leave.then", "what happens when the game sees that a seat is empty: the match goes on without taking more players (short), the seat is free for other players, in queues that backfill (backfill), or the match ends for everybody (end)", value.ByDefault(&l.Then, usual.Then, value.Enum(&l.Then, []string{"short", "backfill", "end"}, sim.MatchGoesOn, sim.MatchRefills, sim.MatchEnds))),
		value.Named("match.leave.end_within", "with match.leave.then: end, a match ends only if the seat is seen empty up to this time of play; later, it goes on", value.ByDefault(&l.EndWithin, usual.EndWithin, value.Millis(&l.EndWithin, 0, longest))),
	}
}

// Missing configures the players who are missing from their matches, in all queues.
type Missing struct {
	Penalty time.Duration // pause of those who are missing because of Leave
	Dead    float64       // chance that the client of a search is gone

	// Tickets whose match was cut short by others search again with the chance Again, after the
	// pause After.
	Again float64
	After time.Duration
}

// NoneMissing has the values of settings that are not set.
var NoneMissing = Missing{Again: 1, After: 10 * time.Second}

// Keys returns the keys. longest is the longest pause.
func (m *Missing) Keys(longest time.Duration) []value.Key {
	return []value.Key{
		value.Named("players.penalty", "pause, after players.between_matches, before a ticket that does not appear in its match or leaves it may search again", value.ByDefault(&m.Penalty, 0, value.Span(&m.Penalty, 0, longest))),
		value.Named("players.dead_tickets", "chance that the client of a search is gone from the beginning, so that its ticket waits like any other but nobody appears in the match", value.ByDefault(&m.Dead, 0, value.Share(&m.Dead, value.Limits{High: 1}))),
		value.Named("players.interrupted.again", "chance that a ticket whose match was cut short by others searches again", value.ByDefault(&m.Again, NoneMissing.Again, value.Share(&m.Again, value.Limits{High: 1}))),
		value.Named("players.interrupted.after", "pause before such a ticket searches again", value.ByDefault(&m.After, NoneMissing.After, value.Span(&m.After, 0, longest))),
	}
}
