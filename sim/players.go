package sim

import "slices"

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
	entity   uint64 // key of draws
	id       uint32 // n-th to join
	row      uint32
	place    uint32
	lastMile RTT

	// Of the ticket: valid in its first slot.
	size     uint8
	state    State   // in a match: as it began, the match has the rest
	seq      uint32  // of the search: breaks ties of began
	searches uint32  // searches before this one
	began    Instant // of the search
	lastEnd  Instant // of the last match

	partners [partnersInline]uint32 // in the last match, the first few; noPlayer where there were fewer
}

// partnersInline is the number of partners for which there is room in the cache
// line of a player: all of them in matches of up to five.
const partnersInline = 4

// players is the store of everybody online.
type players struct {
	slots []player

	// morePartners[slot*stride:] holds the ids of the partners for whom there is no
	// room in slots.
	morePartners []uint32
	stride       int

	free [MaxMatchSize + 1][]ticketID // by size of the ticket, last freed first
}

const noPlayer = ^uint32(0)

// alloc returns a ticket for n players. Of its fields only the size is defined.
func (p *players) alloc(n int) ticketID {
	if free := &p.free[n]; len(*free) > 0 {
		t := (*free)[len(*free)-1]
		*free = (*free)[:len(*free)-1]
		return t
	}
	t := ticketID(len(p.slots))
	for range n {
		p.slots = append(p.slots, player{})
		for range p.stride {
			p.morePartners = append(p.morePartners, noPlayer)
		}
	}
	p.slots[t].size = uint8(n)
	return t
}

func (p *players) release(t ticketID) {
	n := p.slots[t].size
	p.free[n] = append(p.free[n], t)
}

// of returns the ticket: its first player.
func (p *players) of(t ticketID) *player { return &p.slots[t] }

// members returns the players of the ticket.
func (p *players) members(t ticketID) []player { return p.slots[t : t+uint32(p.slots[t].size)] }

// more returns the partners of a player for whom there is no room in slots.
func (p *players) more(slot uint32) []uint32 {
	from := int(slot) * p.stride
	return p.morePartners[from : from+p.stride]
}

// met tells whether the player had id as a partner in the last match.
func (p *players) met(slot, id uint32) bool {
	for _, partner := range p.slots[slot].partners {
		if partner == id {
			return true
		}
	}
	return slices.Contains(p.more(slot), id)
}

// metOneOf tells whether a partner of the player in the last match is among others.
func (p *players) metOneOf(slot uint32, others *roster) bool {
	for _, partner := range p.slots[slot].partners {
		if partner == noPlayer {
			return false
		}
		if others.has(partner) {
			return true
		}
	}
	return slices.ContainsFunc(p.more(slot), others.has)
}

// remember keeps the partners of a player in the last match.
func (p *players) remember(slot uint32, partners []uint32) {
	inline, more := &p.slots[slot].partners, p.more(slot)
	n := copy(inline[:], partners)
	for ; n < partnersInline; n++ {
		inline[n] = noPlayer
	}
	n = copy(more, partners[min(partnersInline, len(partners)):])
	for ; n < len(more); n++ {
		more[n] = noPlayer
	}
}

// copyPlayer copies a player to another slot.
func (p *players) copyPlayer(to, from uint32) {
	p.slots[to] = p.slots[from]
	copy(p.more(to), p.more(from))
}

// become moves a ticket to another state.
func (q *matchQueue) become(t ticketID, to State) {
	p := q.players.of(t)
	q.online.move(int(p.size), p.state, to)
	p.state = to
}
