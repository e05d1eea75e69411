package rules

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// encoder converts tickets to the types of the rule engine.
type encoder struct {
	*sim.Rules
	players []matcher.Player // players of the current ticket, and more whose memory is kept for reuse
	rttsMS  []float64
	written matcher.Ticket
}

func newEncoder(rules *sim.Rules) encoder {
	return encoder{Rules: rules, written: matcher.Ticket{Values: make([]matcher.Value, rules.Schema.Columns())}}
}

// ticket converts a ticket without its players' RTTs. The parameter from is the place whose RTTs
// the ticket uses, or NoPlace. The result is valid until the next call.
func (e *encoder) ticket(q *lifecycle.Queue, t lifecycle.Ticket, from matcher.Place) *matcher.Ticket {
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
	for _, column := range e.Union {
		w.Values[column] = union(w.Players, column)
	}
	return w
}

// union returns the union of the players' sets in a column, or a missing value if no player has a
// set. It does not change the players' sets, which other players may share.
func union(players []matcher.Player, column matcher.Column) (all matcher.Value) {
	for i := range players {
		v := &players[i].Values[column]
		switch {
		case v.Kind == matcher.Missing:
		case all.Kind == matcher.Missing:
			all = *v
		default:
			set := slices.Concat(all.Set, v.Set)
			slices.Sort(set)
			all.Set = slices.Compact(set)
		}
	}
	return all
}

// measure adds RTTs to the ticket that was converted last.
func (e *encoder) measure(q *lifecycle.Queue, t lifecycle.Ticket) {
	members, regions := q.Players.Members(t), len(e.Regions)
	e.rttsMS = e.rttsMS[:0]
	for i := range members {
		e.rttsMS = appendRTTs(e.rttsMS, q, &members[i], e.Regions)
	}
	for i := range members {
		e.written.Players[i].RTTMS = e.rttsMS[i*regions : (i+1)*regions]
	}
}

// blank sets all values to Missing. Few of them have a value, so testing each is cheaper than
// clearing all.
func blank(values []matcher.Value) {
	for i := range values {
		if v := &values[i]; v.Kind != matcher.Missing {
			v.Kind, v.Set = matcher.Missing, nil
		}
	}
}

// refusal returns why the service refuses a ticket, or nil if it accepts the ticket.
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

// appendRTTs appends the RTT in ms from a player to every region. A region without a usable datacenter
// counts as not measured. If datacenters have turns, a ticket is not shown to those that are not usable,
// so that the RTTs to them may stay.
func appendRTTs(list []float64, q *lifecycle.Queue, p *lifecycle.Player, regions []uint64) []float64 {
	row, from := q.Places.Row(p.Place), len(list)
	list = slices.Grow(list, len(regions))[:from+len(regions)]
	measured := q.Usable()
	if q.Own.Placement == sim.PlaceDatacenters {
		measured = q.TakePart()
	}
	for i, set := range regions {
		if set &= measured; set == 0 {
			list[from+i] = math.NaN()
			continue
		}
		best := row[bits.TrailingZeros64(set)] // most regions have only one datacenter
		if at := q.MeasuredAt(p); at != 0 {
			best = q.LowestOf(set, at, p.Place)
		} else {
			for set &= set - 1; set != 0; set &= set - 1 {
				best = min(best, row[bits.TrailingZeros64(set)])
			}
		}
		list[from+i] = sim.RTTMillis(sim.AddDelay(best, p.LastMile))
	}
	return list
}
