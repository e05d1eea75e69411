package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Servers describes how players are placed on servers. A player who joins goes at once to the
// running server with the highest score. If the player cannot join any server, a new one starts in
// the datacenter with the player's lowest RTT. The player stays for one session and does not
// return. A server closes when its last player leaves.
//
// The members of a party know each other. They are placed one after another, so each later member
// sees where the earlier ones went. A player who joins a server that is still starting waits until
// it has started.
type Servers struct {
	Scoring  *scoring.Scorer // its regions are the datacenters, by index
	Measures []scoring.Measure
	People   People
	// New returns the server to start for a player. The caller sets Region and CreatedMS. Capacity
	// must be at least 1.
	New     func(first *scoring.Joiner) scoring.Server
	Start   Duration // time from the decision to start a server until players can play on it
	Session SessionLength
}

// People describes persons. Its methods must be pure functions of the person.
type People interface {
	// Describe sets the fields of player that scores use, except RTTs, and returns the person's
	// class of servers. It may reuse the slices in player from the last call. It must not reuse the
	// sets in player, because the caller keeps them. If no score can be computed, ok is false and
	// the person is rejected.
	Describe(p *Person, player *matcher.Player) (class matcher.Text, ok bool)
	// Friends appends the dataset rows that p lists as friends. The friends are the persons in
	// these rows with the same Copy as p. Two persons are friends if either lists the other.
	Friends(p *Person, rows []uint32) []uint32
	// Household returns the number of p's household, or 0 if it is unknown. It identifies a
	// household among the persons with the same Copy.
	Household(p *Person) uint32
	// Session returns how long the person stays, or 0 if the length is drawn from Servers.Session.
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
	return firstFailure([]fieldCheck{
		{s.Start >= 0, "Servers.Start", s.Start, "0 or more"},
		{s.Session.Scale > 0, "Servers.Session.Scale", s.Session.Scale, "above 0"},
		{s.Session.Kind != SessionWeibull || finite(s.Session.Shape) && s.Session.Shape > 0, "Servers.Session.Shape", s.Session.Shape, "above 0"},
		{s.Session.SD >= 0, "Servers.Session.SD", s.Session.SD, "0 or more"},
	})
}
