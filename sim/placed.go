package sim

import "mmsim/matcher/scoring"

// A PlacementObserver is an Observer that also receives the choices of servers.
type PlacementObserver interface {
	Observer
	// Placed reports that a player was placed on a server, before Matched reports that the
	// player plays there. The record is reused.
	Placed(p *Placed)
}

// Placed is a player who was placed on a server, and why the server was chosen. The server is
// described as it was just before.
type Placed struct {
	Player
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int
	Opened     bool      // the server was started for the player; there is no decision then
	Measures   []float64 // by Servers.Measures; NaN: nothing to measure

	Score    float64   // of the server
	Won      []float64 // what each signal added to it
	RunnerUp bool      // another server could have been joined; else there is no decision
	Lost     []float64 // what each signal added to the score of the runner-up
	Decision scoring.Decision
}
