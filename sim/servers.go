package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Servers is how players are placed: whoever joins goes at once to the running
// server with the highest score, or starts one in the datacenter of his lowest RTT.
// He stays for a session of his own length and does not return; a server ends when
// the last player leaves it.
//
// The members of a party are placed one after another, each seeing those before, and
// know each other. Who joins a server that is still starting waits for it with the
// player who started it.
type Servers struct {
	Scoring  *scoring.Scorer // its regions are the datacenters, by index
	Measures []scoring.Measure
	People   People
	// New returns the server that is started for a player, its Region and CreatedMS
	// aside. Capacity 1 or more.
	New     func(first *scoring.Joiner) scoring.Server
	Start   Duration // from the decision to start a server until it can be played on
	Session SessionLength
}

// People says who persons are. All of it is a pure function of the person.
type People interface {
	// Describe sets what scores look at but RTTs, which the slices of the last call
	// may be used for; sets are kept. It returns the class of servers, and false for
	// a person whom no score can be computed for: he is rejected.
	Describe(p *Person, player *matcher.Player) (class matcher.Text, ok bool)
	// Friends appends the rows of the persons of the same Copy whom p lists as
	// friends. It is enough if one of two lists the other.
	Friends(p *Person, rows []uint32) []uint32
	// Household returns a number that persons of the same Copy have in common who
	// know each other from home; 0: not known.
	Household(p *Person) uint32
	// Session returns how long the person stays; 0: as Servers.Session says.
	Session(p *Person) Duration
}

func (s *Servers) validate() error {
	if err := s.Scoring.Validate(); err != nil {
		return fmt.Errorf("Servers.Scoring: %w", err)
	}
	for i := range s.Measures {
		if n := s.Measures[i].Signal; n < 0 || n >= len(s.Scoring.Signals) {
			return fmt.Errorf("Servers.Measures[%d].Signal is %d, want below %d", i, n, len(s.Scoring.Signals))
		}
	}
	return firstMisfit([]fieldCheck{
		{s.Start >= 0, "Servers.Start", s.Start, "0 or more"},
		{s.Session.Scale > 0, "Servers.Session.Scale", s.Session.Scale, "above 0"},
		{s.Session.Kind != SessionWeibull || finite(s.Session.Shape) && s.Session.Shape > 0, "Servers.Session.Shape", s.Session.Shape, "above 0"},
		{s.Session.SD >= 0, "Servers.Session.SD", s.Session.SD, "0 or more"},
	})
}
