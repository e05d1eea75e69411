package sim

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// An Observer receives every fact of a run, in the order in which they happen. Only facts of the
// measured window [0, duration) are reported; a search that began in the warm-up period has a
// negative Began. The records are reused: an observer must copy the data that it keeps. Observers
// never change the run.
type Observer interface {
	// Entered reports that a ticket began to search: a join or a return.
	Entered(s *Search)
	// Matched reports that a match was made; it starts at once.
	Matched(m *Match)
	// Ended reports that a search ended without a match.
	Ended(e *Ended)
	// Sampled reports the number of players in each state, once in every sampling interval, after
	// everything else that happens at that instant.
	Sampled(c *Census)
}

// An UnfinishedObserver is an Observer that also receives the searches that are still going on
// when the run ends, at the end of the window or when it is interrupted.
type UnfinishedObserver interface {
	Observer
	// Unfinished reports such a search and the instant at which the run ends. It is called by
	// Finish of the engine, for one queue after another, oldest search first.
	Unfinished(s *Search, at Instant)
}

// Player is one human in an outcome record.
type Player struct {
	ID uint64 // the n-th player to join in this run, warm-up included
	Person
}

// Search is one search of one ticket for a match.
type Search struct {
	Queue     int // index into Config.Queues
	Began     Instant
	State     State    // state of the search now, or at its end; StateNew: it has not begun to wait
	Return    bool     // false: the ticket's first search
	Party     uint64   // as in Matched
	PartySize uint8    // as in Matched
	Players   []Player // the party; on servers one member, because each search ends separately
}

// Match is a match as it starts, or the players who join a running one.
type Match struct {
	ID         uint64 // counts from 0 in the order of creation, warm-up included
	Queue      int    // index into Config.Queues
	At         Instant
	Ends       Instant // when these players stop playing; may lie beyond the window
	Datacenter int
	Region     int       // region that the rules chose, index into Rules.Regions; NoRegion: none
	Backfill   bool      // Players join the running match ID, whose other fields do not change
	Relaxed    []Relaxed // how far each of the RuleNames of Queue.InForce was relaxed; nil without rules
	Players    []Matched
}

// Relaxed is how far a rule was relaxed by the time waited.
type Relaxed = matcher.Relaxed

// Apart counts the other tickets by the reason why an expired ticket could not play with them.
type Apart = engine.Apart

// NoRegion is the region of a match for which rules chose none.
const NoRegion = -1

// NoTeam is the team of players in a match without teams.
const NoTeam int16 = -1

// Matched is one player of a match, and the search that the match ended.
type Matched struct {
	Player
	Began     Instant
	Party     uint64 // the same for the players of one ticket: its first player's ID
	PartySize uint8
	Team      int16 // in the match, from 0; NoTeam: there are no teams
	State     State // the state in which the search ended
	Return    bool  // set if this is not the player's first search
	Repeat    bool  // set if a partner of the previous match plays again, the own party excepted
	RTT       RTT   // to the datacenter of the match, jitter included
	Estimate  RTT   // the same without jitter, as thresholds and rules saw it
	Best      RTT   // lowest estimate to any datacenter
}

// Wait is the time from the start of the search to the start of the match.
func (m *Match) Wait(i int) Duration { return m.At.Sub(m.Players[i].Began) }

// Ended is a search that ended without a match.
type Ended struct {
	Search
	At   Instant
	Into State // StateFailed, StateExpired, StateBots, StateRejected or StateDeclined

	// Apart counts the reasons why a ticket that expired could not play with the others in the
	// pool. It is nil if the ticket was not examined: if many tickets expire in a minute, only the
	// first are examined.
	Apart *Apart
}

// Census counts the players by state at one instant.
type Census struct {
	At       Instant
	Playing  int
	Between  int
	Ideal    int
	Expand   int
	WarmBody int
	Waiting  int // in a pool
	Bots     int
	Servers  ServerCount
}

// Searching counts the players who wait for a match.
func (c *Census) Searching() int { return c.Ideal + c.Expand + c.WarmBody + c.Waiting }

// CCU counts concurrent users: searching, playing and between matches. Players in a bot match are
// not included.
func (c *Census) CCU() int { return c.Searching() + c.Playing + c.Between }
