package sim

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// An Observer is told every fact of a run, in the order in which it happens.
// Only facts of the measured window [0, duration) are told; a search that began
// in the warm-up period has a negative Began. The records passed in are reused:
// an observer copies what it wants to keep. Observers never change the run.
type Observer interface {
	// Entered tells that a ticket began to search: a join or a return.
	Entered(s *Search)
	// Matched tells that a match was made; it starts at once.
	Matched(m *Match)
	// Ended tells that a search ended without a match.
	Ended(e *Ended)
	// Sampled tells how many players do what, once a sampling interval, after
	// everything else that happens at that instant.
	Sampled(c *Census)
}

// An UnfinishedObserver is an Observer that is also told which searches are still going
// on when the run ends, at the end of the window or where it was interrupted.
type UnfinishedObserver interface {
	Observer
	// Unfinished reports such a search and the instant at which the run ends. Finish
	// calls it, for one queue after another, oldest search first.
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
	State     State    // in which it is, or in which it ended; StateNew: it has not begun to wait
	Return    bool     // false: the ticket's first search
	Party     uint64   // as in Matched
	PartySize uint8    // as in Matched
	Players   []Player // the party; on servers, where each member's search ends on its own, that member
}

// Match is a match as it starts, or players who join a running one.
type Match struct {
	ID         uint64 // counts from 0 in the order of creation, warm-up included
	Queue      int    // index into Config.Queues
	At         Instant
	Ends       Instant // when these players stop playing; may lie beyond the window
	Datacenter int
	Region     int       // that the rules chose, index into Rules.Regions; NoRegion: none
	Backfill   bool      // Players join the match ID, which is running and stays what it is
	Relaxed    []Relaxed // how far each of the RuleNames of Queue.InForce had given way; nil without rules
	Players    []Matched
}

// Relaxed tells how far a rule had given way to the time waited.
type Relaxed = matcher.Relaxed

// Apart adds up what kept a ticket apart from others.
type Apart = engine.Apart

// NoRegion stands where rules chose no region.
const NoRegion = -1

// NoTeam is the team of players in a match without sides.
const NoTeam int16 = -1

// Matched is one player of a match, with the search that ended there.
type Matched struct {
	Player
	Began     Instant
	Party     uint64 // the same for the players of one ticket: its first player's ID
	PartySize uint8
	Team      int16 // side in the match, from 0; NoTeam: it has none
	State     State // the state in which the search ended
	Return    bool  // not the player's first search
	Repeat    bool  // a partner of the player's previous match is in this match; the own party does not count
	RTT       RTT   // to the match's datacenter, what the match really got (jitter included)
	Estimate  RTT   // the same as thresholds and rules saw it
	Best      RTT   // lowest estimate to any datacenter
}

// Wait is the time from the start of the search to the start of the match.
func (m *Match) Wait(i int) Duration { return m.At.Sub(m.Players[i].Began) }

// Ended is a search that ended without a match.
type Ended struct {
	Search
	At   Instant
	Into State // StateFailed, StateExpired, StateBots, StateRejected or StateDeclined

	// Apart tells of a ticket that expired what kept it apart from all others in the
	// pool. nil where that was not looked into: so many may expire in a minute that
	// only the first are.
	Apart *Apart
}

// Census counts the players by what they do at one instant.
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

// CCU counts concurrent users: searching, playing and between matches. Players
// in a bot match are counted apart.
func (c *Census) CCU() int { return c.Searching() + c.Playing + c.Between }
