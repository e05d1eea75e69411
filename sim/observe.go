package sim

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// An Observer receives every fact of the measured window [0, duration), in the order in which the
// facts happen. A search that began in the warm-up period has a negative Began. Records are reused
// after the call, so an observer must copy the data that it keeps. Observers never change the run.
type Observer interface {
	// Entered reports that a ticket began to search, after a join or a return.
	Entered(s *Search)
	// Matched reports a match that starts now.
	Matched(m *Match)
	// Ended reports that a search ended without a match.
	Ended(e *Ended)
	// Sampled reports the number of players in each state. It is called once per sampling interval,
	// after all other events of that instant.
	Sampled(c *Census)
}

// An UnfinishedObserver is an Observer that also receives the searches that are unfinished when the
// run reaches its end or is interrupted.
type UnfinishedObserver interface {
	Observer
	// Unfinished reports an unfinished search and the instant at which the run ended. Engine.Finish
	// calls it for one queue after another, oldest search first.
	Unfinished(s *Search, at Instant)
}

// A ResultObserver is an Observer that also receives the results of matches. Only a season has them.
type ResultObserver interface {
	Observer
	// Finished reports a match that ends, unless it is cut short. The match may have started in the
	// warm-up period.
	Finished(m *Finished)
}

// A WarmUpObserver is an Observer that also receives the facts of the warm-up period, which are at
// instants before 0. There is no census in it.
type WarmUpObserver interface {
	Observer
	// ObservesWarmUp marks the type. It does nothing.
	ObservesWarmUp()
}

// Player is one human in an outcome record.
type Player struct {
	ID uint64 // sequence number of the player's join in this run, warm-up included
	Person
}

// Search is one search of one ticket for a match.
type Search struct {
	Queue     int // index into Config.Queues
	Began     Instant
	State     State    // current state, or the last one before the search ended; StateNew if it has not begun to wait
	Return    bool     // false for the first search of a ticket
	Party     uint64   // as in Matched
	PartySize uint8    // as in Matched
	Players   []Player // the whole party; on servers, the end of a search has only one player, because each player's search ends separately
}

// Match is a match that starts, or the players who join a running match.
type Match struct {
	ID         uint64 // sequence number of the match, from 0, warm-up included
	Queue      int    // index into Config.Queues
	At         Instant
	Ends       Instant // when the match ends, which may lie beyond the window; see LeftAt for when players stop playing
	Datacenter int
	Region     int       // index into Rules.Regions, or NoRegion if the rules chose none
	Backfill   bool      // whether Players join match ID while it is already running
	Relaxed    []Relaxed // how far each rule in Queue.InForce().RuleNames was relaxed; nil without rules
	Players    []Matched

	// The following fields are set only if players can be missing from matches, see Config.Missing.
	Seats []Seat  // by player; nil if all of Players stay until Ends, and the match is not cut short; see SeatOf
	Drawn Instant // when the match would end if all its players stayed
	Cut   bool    // whether the players who are in the match at Ends are interrupted
	Early bool    // whether the match began before the measured window
	// Incomplete is set if one of Players does not appear or leaves, if no earlier record of the match
	// said so, and if the match started inside the measured window.
	Incomplete bool
}

// Relaxed is how far a rule had been relaxed by waiting time.
type Relaxed = matcher.Relaxed

// Apart counts the tickets that a ticket could not play with when its search ended, by reason.
type Apart = engine.Apart

// NoRegion is the region of a match if the rules chose none.
const NoRegion = -1

// NoTeam is the team of players in a match without teams.
const NoTeam int16 = -1

// Matched describes one player of a match, and the search that ended with this match.
type Matched struct {
	Player
	Began     Instant
	Party     uint64 // ID of the ticket's first player, the same for all players of the ticket
	PartySize uint8
	Team      int16 // team in the match, from 0, or NoTeam
	State     State // state in which the search ended
	Return    bool  // set unless this is the player's first search
	Repeat    bool  // set if a player of the previous match, outside the player's own party, is in this match too
	RTT       RTT   // to the datacenter of the match, jitter included
	Estimate  RTT   // RTT without jitter, as thresholds and rules saw it
	Best      RTT   // lowest estimate to a datacenter that may be used
	BestOfAll RTT   // lowest estimate to any datacenter
}

// Wait returns how long player i searched before the match started.
func (m *Match) Wait(i int) Duration { return m.At.Sub(m.Players[i].Began) }

// Ended is a search that ended without a match.
type Ended struct {
	Search
	At   Instant
	Into State // StateFailed, StateExpired, StateBots, StateRejected, StateDeclined, StateCancelled or StateClosed

	// Apart counts, by reason, the waiting tickets that a ticket under rules could not play with
	// when its time was over. It is nil if the ticket was not examined: if the time of many tickets
	// is over within a minute, only the first are examined.
	Apart *Apart
}

// Census counts the players in each state at one instant.
type Census struct {
	At       Instant
	Playing  int
	Between  int
	Ideal    int
	Expand   int
	WarmBody int
	Waiting  int // in a pool, or for a server to start
	Bots     int
	Servers  ServerCount
}

// Searching returns the number of players who wait for a match.
func (c *Census) Searching() int { return c.Ideal + c.Expand + c.WarmBody + c.Waiting }

// CCU returns the number of concurrent users: players who search, play, or pause between matches.
// It does not include players in bot matches.
func (c *Census) CCU() int { return c.Searching() + c.Playing + c.Between }
