package sim

import "mmsim/matcher/scoring"

// A PlacementObserver is an Observer that also receives the choices of servers.
type PlacementObserver interface {
	Observer
	// Placed reports that a player was placed on a server, before Matched reports that the
	// player plays there. The record is reused.
	Placed(p *Placed)
}

// Placed is a player who was placed on a server, and why the server was chosen. The fields
// describe the server just before the placement.
type Placed struct {
	Player
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int
	Opened     bool      // set if the server was started for the player; then there is no decision
	Measures   []float64 // in the order of Servers.Measures; NaN: nothing to measure

	Score    float64   // of the server
	Won      []float64 // what each signal added to it
	RunnerUp bool      // set if another server could have been joined; else no decision
	Lost     []float64 // what each signal added to the score of the runner-up
	Decision scoring.Decision
}
