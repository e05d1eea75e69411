package engine

import (
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
)

// encoder writes down a queue's tickets in the terms of the rule engine.
type encoder struct {
	*sim.Rules
	players []matcher.Player // written in turn: each has values of its own
	rttsMS  []float64
	written matcher.Ticket
}

func newEncoder(rules *sim.Rules) encoder {
	return encoder{Rules: rules, written: matcher.Ticket{Values: make([]matcher.Value, rules.Schema.Columns())}}
}

// ticket describes a ticket, without RTTs but those from a vantage. What it returns is
// good until the next call.
func (s *encoder) ticket(q *matchQueue, t ticketID, from matcher.Vantage) *matcher.Ticket {
	members, w := q.players.members(t), &s.written
	for len(s.players) < len(members) {
		s.players = append(s.players, matcher.Player{Values: make([]matcher.Value, len(w.Values))})
	}
	w.CreatedMS, w.From, w.Players = int64(members[0].began), from, s.players[:len(members)]
	blank(w.Values)
	whole := w.Values
	for i := range members {
		p := &w.Players[i]
		blank(p.Values)
		p.ID, p.RTTMS = uint64(members[i].id), nil
		s.Describe(&members[i].Person, p.Values, whole)
		whole = nil
	}
	return w
}

// measure adds the RTTs of the ticket that was described last.
func (s *encoder) measure(q *matchQueue, t ticketID) {
	members, regions := q.players.members(t), len(s.Regions)
	s.rttsMS = s.rttsMS[:0]
	for i := range members {
		s.rttsMS = q.appendRTTs(s.rttsMS, &members[i], s.Regions)
	}
	for i := range members {
		s.written.Players[i].RTTMS = s.rttsMS[i*regions : (i+1)*regions]
	}
}

// blank makes values missing. There are few: to clear all their memory costs more.
func blank(values []matcher.Value) {
	for i := range values {
		values[i].Kind, values[i].Set = matcher.Missing, nil
	}
}

// refusal returns why the service does not take a described ticket, nil: it does.
func refusal(r *sim.Rules, t *matcher.Ticket) error {
	for i := range r.Required {
		required := &r.Required[i]
		for j := range t.Players {
			if t.Players[j].Values[required.Column].Kind == matcher.Missing {
				return required.Refusal
			}
		}
	}
	return nil
}

// appendRTTs appends a player's RTT in ms to every region.
func (q *matchQueue) appendRTTs(list []float64, p *player, regions []uint64) []float64 {
	row, from := q.places.Row(p.Place), len(list)
	list = slices.Grow(list, len(regions))[:from+len(regions)]
	for i, set := range regions {
		best := row[bits.TrailingZeros64(set)] // most regions are one datacenter
		for set &= set - 1; set != 0; set &= set - 1 {
			best = min(best, row[bits.TrailingZeros64(set)])
		}
		list[from+i] = sim.RTTMillis(sim.AddDelay(best, p.lastMile))
	}
	return list
}
