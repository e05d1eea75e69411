package sim

import "mmsim/matcher"

// Scene records one matching pass by rules: the tickets that were waiting when it began, and what
// happened to them. With PlacePool it covers the pass over the pool. With PlaceDatacenters it
// covers the regular groups of one datacenter's turn. The record is not reused.
type Scene struct {
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int           // datacenter whose turn it is, or below 0 for a pass over a pool
	Tickets    []SceneTicket // waiting tickets, oldest first, as the rules see them, without those whose players cancel at this instant
	Sessions   []SceneSession

	Matches []Match  // matches that were made or proposed, and tickets that joined sessions
	Expired []Search // tickets that gave up at the start of the pass
}

// SceneTicket is a waiting ticket.
type SceneTicket struct {
	Search
	RTTMS [][]float64 // by player and region; nil in the turn of a datacenter, where rules do not use RTTs
}

// SceneSession is a match with free seats, as the rules see it.
type SceneSession struct {
	ID      uint64 // ID of the match
	Players []Player
	matcher.Session
}
