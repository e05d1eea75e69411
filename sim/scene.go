package sim

import "mmsim/matcher"

// Scene records a matching pass by rules: its tickets at the beginning, and their outcomes. It is
// the pass of a pool, or the regular groups in the turn of a datacenter. The record is not reused.
type Scene struct {
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int           // datacenter that has its turn; below 0: the pass of a pool
	Tickets    []SceneTicket // waiting tickets in the order of the rules: by age
	Sessions   []SceneSession

	Matches []Match  // matches made or proposed, and tickets that joined sessions
	Expired []Search // tickets that gave up as the pass began
}

// SceneTicket is a ticket that waits.
type SceneTicket struct {
	Search
	RTTMS [][]float64 // by player and region; nil in the turn of a datacenter, in which rules do not look at RTTs
}

// SceneSession is a match with free seats, in the terms of the rules.
type SceneSession struct {
	ID      uint64 // of the match
	Players []Player
	matcher.Session
}
