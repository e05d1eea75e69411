package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Servers describes how players are placed on servers. A player who joins goes at once to the
// running server with the highest score. If no server may be joined, one is started in the
// datacenter of the player's lowest RTT. The player stays for a session of its own length and does
// not return. A server ends when its last player leaves.
//
// The members of a party know each other, and are placed one after another, each after the
// earlier ones are on their servers. A player who joins a server that is still starting waits
// for it with the player for whom it was started.
type Servers struct {
	Scoring  *scoring.Scorer // its regions are the datacenters, by index
	Measures []scoring.Measure
	People   People
	// New returns the server that is started for a player, without Region and CreatedMS. Its
	// Capacity is 1 or more.
	New     func(first *scoring.Joiner) scoring.Server
	Start   Duration // from the decision to start a server until it can be played on
	Session SessionLength
}

// People describes persons. Its methods are pure functions of the person.
type People interface {
	// Describe sets the fields of player that scores use, except RTTs. It may reuse the slices in
	// player from the last call, but not the sets, which the caller keeps. It returns the class of
	// servers for the person. ok is false if no score can be computed; the person is then
	// rejected.
	Describe(p *Person, player *matcher.Player) (class matcher.Text, ok bool)
	// Friends appends the rows of the persons of the same Copy whom p lists as friends. Two
	// persons are friends if one of them lists the other.
	Friends(p *Person, rows []uint32) []uint32
	// Household returns the number of the household of p among the persons of the same Copy;
	// 0: unknown.
	Household(p *Person) uint32
	// Session returns how long the person stays; 0: the length is drawn from Servers.Session.
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
