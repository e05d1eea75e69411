package casefile

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Case is one case file: rules, a scene, and the expected outcome of one matching pass.
type Case struct {
	File    string        // name at the start of messages
	Name    string        // by default the file's name
	Follow  vendor.Follow // whether the rules follow the vendor's service or its documentation
	Dialect string        // name of the dialect of the rules, given in the file or recognised
	Source  string        // where the expectation comes from
	Why     string        // what the case shows
	Rules   jsontree.Value
	Scene   Scene
	// Expect lists alternatives: the case passes if the outcome is as one of them says. It is
	// empty for a case without an expectation.
	Expect []Expectation
}

// Scene is the input of a matching pass: an instant, the waiting tickets and the open
// sessions, both in the order of the file.
type Scene struct {
	AtMS     int64
	Tickets  []Ticket
	Sessions []Session
}

// LongestWaitMS returns the longest wait after which a ticket gives up, matcher.Never if a ticket
// never gives up or there are no tickets.
func (s *Scene) LongestWaitMS() int64 {
	if len(s.Tickets) == 0 {
		return matcher.Never
	}
	longest := int64(0)
	for i := range s.Tickets {
		if s.Tickets[i].GiveUpMS == 0 {
			return matcher.Never
		}
		longest = max(longest, s.Tickets[i].GiveUpMS)
	}
	return longest
}

// Ticket is one waiting ticket.
type Ticket struct {
	ID         string
	CreatedMS  int64
	GiveUpMS   int64          // wait at which it expires; 0: never
	Attributes jsontree.Value // of the ticket as a whole; null if absent
	Players    []Player
	at         jsontree.Value // for messages
}

// Player is one player of a ticket or session.
type Player struct {
	ID         string
	Attributes jsontree.Value // sent by the client; null if absent
	Entity     jsontree.Value // objects that the vendor stores about the player
	Latencies  []Latency      // in the order of the file
}

// Latency is a player's measured RTT to a region.
type Latency struct {
	Region string
	RTTMS  float64
}

// Session is an open session that may take tickets.
type Session struct {
	ID         string
	CreatedMS  int64
	Region     string // empty: not given
	Capacity   int    // seats; 0: not given
	Attributes jsontree.Value
	Teams      []Team
	at         jsontree.Value
}

// Team is a named side of a session with the players on it.
type Team struct {
	Name    string
	Players []Player
}
