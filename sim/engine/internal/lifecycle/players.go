package lifecycle

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Ticket is the first slot of a ticket in Players. A ticket has consecutive slots, one per player,
// from the join until its players leave for good. If KeepTogether is set, the tickets of a match
// end with it, and its players get a new ticket. Most tickets have one player.
//
// At any time, a ticket is in exactly one place: it waits, or it belongs to one match, which keeps
// its tickets through the pause after it. So no reference outlives its ticket, and slots need no
// generation numbers. The engine's Verify checks this.
type Ticket = uint32

// Player holds the data of an online player in 80 bytes. Players are accessed in random order, a few
// times per match, and most fields are used each time. Without the party of a Person, a Player would
// fill one cache line of 64 bytes, which is not faster (medians of five built-in days: 4.38 s of CPU
// with both). Data that every pass reads for all waiting tickets is in separate columns, see
// waitingList in package states.
type Player struct {
	sim.Person
	ID       uint32 // sequence number of the player's join
	LastMile sim.RTT

	// Fields of the ticket, valid in its first slot.
	Size      uint8
	State     sim.State   // during a match, the state in which it began; the match keeps the current state
	Seq       uint32      // sequence number of the search
	Searches  uint32      // number of earlier searches
	Proposals uint32      // number of matches that the ticket was asked to accept
	Last      RosterID    // players of the last match
	Began     sim.Instant // start of the search
	LastEnd   sim.Instant // end of the last match; in a match that tickets can leave, the instant at which this one leaves, or Never
}

// Players stores all online players.
type Players struct {
	Slots   []Player
	Free    [sim.MaxMatchSize + 1]world.FreeList[Ticket] // free tickets by number of players
	Rosters Rosters

	// Measured has, by slot, when the RTTs were measured that the current state of the search goes by. It
	// is empty until an event adds to RTTs, and may then be shorter than Slots: the others are 0.
	Measured []world.Measured
	slow     int // elements of Measured that are not 0

	// Keys has, by slot, the keys of a player's draws that are new at every visit of a season. It is nil
	// without a season. These draws are made when a match starts and when it ends, and a column of keys
	// stays in the CPU caches meanwhile, unlike what the season has of the player.
	Keys []uint64
}

// Alloc returns a ticket for n players. Only its Size is set.
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
	if p.slow > 0 {
		for slot := t; slot < t+uint32(n); slot++ {
			p.setMeasured(slot, 0)
		}
	}
	p.Rosters.Drop(p.Slots[t].Last)
	p.Free[n].Put(t)
}

// setMeasured sets when the RTTs of the player in a slot were measured.
func (p *Players) setMeasured(slot uint32, m world.Measured) {
	if n := len(p.Slots); len(p.Measured) < n {
		p.Measured = append(p.Measured, make([]world.Measured, n-len(p.Measured))...)
	}
	if p.Measured[slot] != 0 {
		p.slow--
	}
	if m != 0 {
		p.slow++
	}
	p.Measured[slot] = m
}

// Of returns the first player of a ticket, who has the fields of the ticket.
func (p *Players) Of(t Ticket) *Player { return &p.Slots[t] }

// Members returns the players of a ticket.
func (p *Players) Members(t Ticket) []Player { return p.Slots[t : t+uint32(p.Slots[t].Size)] }
