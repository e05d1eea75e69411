package sim

import "mmsim/matcher"

// Scene is a matching pass by rules as it begins, and what became of it: the pass of a pool, or
// the regular groups in the turn of a datacenter. Nothing in it is reused.
type Scene struct {
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int           // whose turn it is; below 0: the pass of a pool
	Tickets    []SceneTicket // that wait, in the order of the rules: by age
	Sessions   []SceneSession

	Matches []Match  // that were made or proposed, and tickets that joined sessions
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
