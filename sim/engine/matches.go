package engine

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/freelist"
)

// matches is the arena of running matches. A match keeps its tickets through the
// pause after it, until they return or leave, and has their state for them: so
// its end is one step, which touches no ticket.
type matches struct {
	stride  int
	tickets []ticketID // match m holds tickets[m*stride:][:count[m]]
	count   []uint16
	players []uint16
	state   []sim.State // StatePlaying, StateBots or StateBetween
	ends    []sim.Instant
	free    freelist.List[uint32]
}

func (m *matches) alloc(tickets []ticketID, players int, s sim.State, ends sim.Instant) uint32 {
	match, ok := m.free.Take()
	if !ok {
		match = uint32(len(m.count))
		m.count = append(m.count, 0)
		m.players = append(m.players, 0)
		m.state = append(m.state, 0)
		m.ends = append(m.ends, 0)
		for range m.stride {
			m.tickets = append(m.tickets, 0)
		}
	}
	m.count[match] = uint16(len(tickets))
	m.players[match] = uint16(players)
	m.state[match] = s
	m.ends[match] = ends
	copy(m.tickets[int(match)*m.stride:], tickets)
	return match
}

// add adds tickets to a match.
func (m *matches) add(match uint32, tickets []ticketID) {
	copy(m.tickets[int(match)*m.stride+int(m.count[match]):], tickets)
	m.count[match] += uint16(len(tickets))
}

func (m *matches) of(match uint32) []ticketID {
	i := int(match) * m.stride
	return m.tickets[i : i+int(m.count[match])]
}

func (m *matches) release(match uint32) { m.free.Put(match) }
