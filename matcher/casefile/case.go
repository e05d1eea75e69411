package casefile

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Case is one case file: rules, a scene, and the expected outcome of one matching pass.
type Case struct {
	File      string        // name at the start of messages
	Name      string        // the file's name by default
	Follow    vendor.Follow // whether the rules follow the vendor's service or its documentation
	RulesFile string        // file that the rules come from, or "" if they are part of the case
	Dialect   string        // dialect of the rules, named in the file or recognised
	Source    string        // origin of the expectation
	Why       string        // what the case demonstrates
	Rules     jsontree.Value
	// RulesetName selects one of several rulesets in Rules. It is empty if there is only one.
	RulesetName string
	Scene       Scene
	// Expect lists alternatives. The case passes if the outcome agrees with one of them. Expect is
	// empty if the case has no expectation.
	Expect []Expectation

	root jsontree.Value // the whole file
}

// Scene is the input of a matching pass: a time, the waiting tickets and the open sessions. Both
// lists are in file order.
type Scene struct {
	AtMS     int64
	Tickets  []Ticket
	Sessions []Session
}

// LongestWaitMS returns the longest wait after which a ticket gives up. It returns matcher.Never if
// any ticket never gives up or if there are no tickets.
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

// Ticket is a waiting ticket.
type Ticket struct {
	ID         string
	CreatedMS  int64
	GiveUpMS   int64          // wait after which it gives up; 0 for never
	Attributes jsontree.Value // of the whole ticket; null if absent
	Players    []Player
	at         jsontree.Value // position for messages
}

// Player is a player in a ticket or session.
type Player struct {
	ID         string
	Attributes jsontree.Value // sent by the client; null if absent
	Entity     jsontree.Value // objects that the vendor stores about the player
	Latencies  []Latency      // in file order
}

// Latency is a player's measured RTT to a region.
type Latency struct {
	Region string
	RTTMS  float64
}

// Session is an open session that may accept tickets.
type Session struct {
	ID         string
	CreatedMS  int64
	Region     string // "" if not specified
	Capacity   int    // number of seats; 0 if not specified
	Attributes jsontree.Value
	Teams      []Team
	at         jsontree.Value
}

// Team is a team of a session, with its players.
type Team struct {
	Name    string
	Players []Player
}
