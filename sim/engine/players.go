package engine

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/freelist"
	"mmsim/sim/engine/internal/roster"
)

// ticketID is the first player slot of a ticket. A ticket holds a run of
// consecutive slots, one per player of the party, from the join until the party
// leaves for good; most tickets are one player in one slot.
//
// A ticket is in exactly one place at any time: waiting, or in one match (which
// keeps its tickets through the pause after it). So no reference can outlive its
// ticket, and slots need no generations; Verify checks it.
type ticketID = uint32

// player is everything about one player online, in one cache line of 64 bytes:
// players are met at random, a few times a match, and then in most of their
// fields. What a pass sweeps through is kept in columns of its own, see waiting.
type player struct {
	sim.Person
	id       uint32 // n-th to join
	lastMile sim.RTT

	// Of the ticket: valid in its first slot.
	size      uint8
	state     sim.State   // in a match: as it began, the match has the rest
	seq       uint32      // of the search: breaks ties of began
	searches  uint32      // searches before this one
	proposals uint32      // matches that it was asked to accept so far
	last      roster.ID   // of the last match
	began     sim.Instant // of the search
	lastEnd   sim.Instant // of the last match
}

// players is the store of everybody online.
type players struct {
	slots   []player
	free    [sim.MaxMatchSize + 1]freelist.List[ticketID] // by size of the ticket, last freed first
	rosters roster.Rosters
}

// alloc returns a ticket for n players. Of its fields only the size is defined.
func (p *players) alloc(n int) ticketID {
	t, ok := p.free[n].Take()
	if ok {
		return t
	}
	t = ticketID(len(p.slots))
	for range n {
		p.slots = append(p.slots, player{})
	}
	p.slots[t].size = uint8(n)
	return t
}

func (p *players) release(t ticketID) {
	n := p.slots[t].size
	p.rosters.Drop(p.slots[t].last)
	p.free[n].Put(t)
}

// of returns the ticket: its first player.
func (p *players) of(t ticketID) *player { return &p.slots[t] }

// members returns the players of the ticket.
func (p *players) members(t ticketID) []player { return p.slots[t : t+uint32(p.slots[t].size)] }
