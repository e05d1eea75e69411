// Package store keeps the players who are online in queues that make matches.
package store

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/freelist"
	"mmsim/sim/engine/internal/roster"
)

// Ticket is the first player slot of a ticket. A ticket holds a run of
// consecutive slots, one per player of the party, from the join until the party
// leaves for good; most tickets are one player in one slot.
//
// A ticket is in exactly one place at any time: waiting, or in one match (which
// keeps its tickets through the pause after it). So no reference can outlive its
// ticket, and slots need no generations; the engine's Verify checks it.
type Ticket = uint32

// Player is everything about one player online, in one cache line of 64 bytes: players are
// accessed in random order, a few times for each match, and then in most of their fields.
// What every pass reads of all waiting tickets is in columns of its own, see package waiting.
type Player struct {
	sim.Person
	ID       uint32 // the n-th player to join
	LastMile sim.RTT

	// Of the ticket: valid in its first slot.
	Size      uint8
	State     sim.State   // in a match: that in which the match began; the match has the state since
	Seq       uint32      // of the search, in the order in which searches began
	Searches  uint32      // searches before this one
	Proposals uint32      // matches that it was asked to accept so far
	Last      roster.ID   // the players of the last match
	Began     sim.Instant // of the search
	LastEnd   sim.Instant // of the last match
}

// Players stores all players online.
type Players struct {
	Slots   []Player
	Free    [sim.MaxMatchSize + 1]freelist.List[Ticket] // by size of the ticket, last freed first
	Rosters roster.Rosters
}

// Alloc returns a ticket for n players. Of its fields only the size is defined.
func (p *Players) Alloc(n int) Ticket {
	t, ok := p.Free[n].Take()
	if ok {
		return t
	}
	t = Ticket(len(p.Slots))
	for range n {
		p.Slots = append(p.Slots, Player{})
	}
	p.Slots[t].Size = uint8(n)
	return t
}

// Release frees the slots of a ticket.
func (p *Players) Release(t Ticket) {
	n := p.Slots[t].Size
	p.Rosters.Drop(p.Slots[t].Last)
	p.Free[n].Put(t)
}

// Of returns the first player of a ticket, in whom the fields of the ticket are.
func (p *Players) Of(t Ticket) *Player { return &p.Slots[t] }

// Members returns the players of a ticket.
func (p *Players) Members(t Ticket) []Player { return p.Slots[t : t+uint32(p.Slots[t].Size)] }
