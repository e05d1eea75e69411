package lifecycle

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// matches stores the running matches. A match keeps its tickets through the pause after it, until
// they return or leave. Until then, the match stores one state for all its tickets, so the end of
// play changes only one state instead of one per ticket.
type matches struct {
	stride  int
	tickets []Ticket         // match m has tickets[m*stride:][:count[m]]
	teams   []int16          // team of each ticket, like tickets; nil without a season
	ids     []uint64         // as in sim.Match; nil without a season
	left    [][]sim.Finisher // players who left the match, who get the result of their team; nil without a season
	count   []uint16
	players []uint16
	state   []sim.State // StatePlaying, StateBots or StateBetween
	ends    []sim.Instant
	missing []missingFrom // nil unless tickets can be missing from matches
	free    world.FreeList[uint32]
}

// alloc stores a new match and returns its handle.
func (m *matches) alloc(tickets []Ticket, players int, s sim.State, ends sim.Instant) uint32 {
	match, ok := m.free.Take()
	if !ok {
		match = uint32(len(m.count))
		m.count = append(m.count, 0)
		m.players = append(m.players, 0)
		m.state = append(m.state, 0)
		m.ends = append(m.ends, 0)
		if m.missing != nil {
			m.missing = append(m.missing, missingFrom{})
		}
		for range m.stride {
			m.tickets = append(m.tickets, 0)
		}
		if m.teams != nil {
			m.teams = slices.Grow(m.teams, m.stride)[:len(m.tickets)]
			m.left, m.ids = append(m.left, nil), append(m.ids, 0)
		}
	}
	if m.teams != nil {
		m.left[match] = m.left[match][:0]
	}
	m.count[match] = uint16(len(tickets))
	m.players[match] = uint16(players)
	m.state[match] = s
	m.ends[match] = ends
	if m.missing != nil {
		m.missing[match] = missingFrom{}
	}
	copy(m.tickets[int(match)*m.stride:], tickets)
	return match
}

// setTeams stores the teams of the last tickets of a match, or NoTeam if there are none.
func (m *matches) setTeams(match uint32, tickets int, teams []int16) {
	own := m.teams[int(match)*m.stride:][:m.count[match]]
	for i := range tickets {
		team := sim.NoTeam
		if teams != nil {
			team = teams[i]
		}
		own[len(own)-tickets+i] = team
	}
}

// teamsOf returns the team of each ticket of a match.
func (m *matches) teamsOf(match uint32) []int16 {
	i := int(match) * m.stride
	return m.teams[i : i+int(m.count[match])]
}

// add adds tickets to a match.
func (m *matches) add(match uint32, tickets []Ticket) {
	copy(m.tickets[int(match)*m.stride+int(m.count[match]):], tickets)
	m.count[match] += uint16(len(tickets))
}

// remove removes the ticket at an index from a match.
func (m *matches) remove(match uint32, index int) {
	tickets := m.of(match)
	copy(tickets[index:], tickets[index+1:])
	if m.teams != nil {
		teams := m.teamsOf(match)
		copy(teams[index:], teams[index+1:])
	}
	m.count[match]--
}

// of returns the tickets of a match.
func (m *matches) of(match uint32) []Ticket {
	i := int(match) * m.stride
	return m.tickets[i : i+int(m.count[match])]
}

// release frees the handle of a match for reuse.
func (m *matches) release(match uint32) { m.free.Put(match) }
