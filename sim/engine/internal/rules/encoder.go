package rules

import (
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/store"
)

// encoder writes tickets in the terms of the rule engine.
type encoder struct {
	*sim.Rules
	players []matcher.Player // of the ticket that is written, and more with their memory
	rttsMS  []float64
	written matcher.Ticket
}

func newEncoder(rules *sim.Rules) encoder {
	return encoder{Rules: rules, written: matcher.Ticket{Values: make([]matcher.Value, rules.Schema.Columns())}}
}

// ticket describes a ticket, without RTTs other than those of a place. The result is good
// until the next call.
func (e *encoder) ticket(q *lifecycle.Queue, t store.Ticket, from matcher.Place) *matcher.Ticket {
	members, w := q.Players.Members(t), &e.written
	for len(e.players) < len(members) {
		e.players = append(e.players, matcher.Player{Values: make([]matcher.Value, len(w.Values))})
	}
	w.CreatedMS, w.From, w.Players = int64(members[0].Began), from, e.players[:len(members)]
	blank(w.Values)
	whole := w.Values
	for i := range members {
		p := &w.Players[i]
		blank(p.Values)
		p.ID, p.RTTMS = uint64(members[i].ID), nil
		e.Describe(&members[i].Person, p.Values, whole)
		whole = nil
	}
	return w
}

// measure adds the RTTs to the ticket that was described last.
func (e *encoder) measure(q *lifecycle.Queue, t store.Ticket) {
	members, regions := q.Players.Members(t), len(e.Regions)
	e.rttsMS = e.rttsMS[:0]
	for i := range members {
		e.rttsMS = appendRTTs(e.rttsMS, q.Places, &members[i], e.Regions)
	}
	for i := range members {
		e.written.Players[i].RTTMS = e.rttsMS[i*regions : (i+1)*regions]
	}
}

// blank makes values missing. Few of them have a value, and to clear the memory of all costs more.
func blank(values []matcher.Value) {
	for i := range values {
		if v := &values[i]; v.Kind != matcher.Missing {
			v.Kind, v.Set = matcher.Missing, nil
		}
	}
}

// refusal returns why the service refuses a described ticket; nil: it does not.
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
func appendRTTs(list []float64, places *sim.Places, p *store.Player, regions []uint64) []float64 {
	row, from := places.Row(p.Place), len(list)
	list = slices.Grow(list, len(regions))[:from+len(regions)]
	for i, set := range regions {
		best := row[bits.TrailingZeros64(set)] // most regions are one datacenter
		for set &= set - 1; set != 0; set &= set - 1 {
			best = min(best, row[bits.TrailingZeros64(set)])
		}
		list[from+i] = sim.RTTMillis(sim.AddDelay(best, p.LastMile))
	}
	return list
}
