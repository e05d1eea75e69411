package sim

import "mmsim/matcher/scoring"

// A PlacementObserver is an Observer that also receives every placement of a player on a server.
type PlacementObserver interface {
	Observer
	// Placed reports that a player was placed on a server. It is called before Matched reports that
	// the player plays there. The record is reused after the call.
	Placed(p *Placed)
}

// Placed describes the placement of a player on a server, and why that server was chosen. The
// fields describe the server just before the placement.
type Placed struct {
	Player
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int
	Opened     bool      // set if the server was started for this player; then Decision is not set
	Measures   []float64 // in the order of Servers.Measures; NaN where a measure has no value

	Score                 float64   // score of the chosen server
	Contributions         []float64 // contribution of each signal to Score
	RunnerUp              bool      // set if the player could have joined another server; otherwise Decision is not set
	RunnerUpContributions []float64 // contribution of each signal to the runner-up's score
	Decision              scoring.Decision
}
