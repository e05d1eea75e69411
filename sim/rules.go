package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/external"
)

// MaxRegions is the largest number of regions of one ruleset.
const MaxRegions = matcher.MaxRegions

// Rules are a vendor's ruleset as a queue of a run goes by it. They belong to one
// engine: describing players may enter texts into the schema.
type Rules struct {
	Set    *matcher.Ruleset
	Schema *matcher.Schema

	// Regions are the datacenters of every region of the schema, a bit each. The RTT
	// to a region is the lowest to one of them.
	Regions []uint64

	// Describe fills in what the rules look at about a person, by column: player,
	// and ticket from the first of a party, nil for the others. Both come in as all
	// missing. It keeps neither, and may hand out the same sets again and again.
	Describe func(p *Person, player, ticket []matcher.Value)

	// Refuse returns why the service takes no ticket of so many players, nil: it does.
	Refuse func(players int) error

	// Outside is a matchmaker outside of the simulator, which decides in place of Set;
	// nil: the engine does. It belongs to one queue of one run. Backfills tells that a
	// match of it which has begun takes further tickets.
	Outside   *external.Pool
	Backfills bool

	// Required are the columns in which the service wants a value of every player.
	Required []RequiredColumn
}

// RequiredColumn is a column, and why a ticket is refused of which a player has nothing
// in it.
type RequiredColumn struct {
	Column  matcher.Column
	Refusal error
}

// Placement is where the tickets of a queue wait.
type Placement uint8

// Placements.
const (
	// PlaceDatacenters is the article: in the queue of every datacenter that the
	// state of the ticket admits.
	PlaceDatacenters Placement = iota
	// PlacePool is one pool for all, in which the rules say where it may be matched.
	PlacePool
)

func (r *Rules) validate(datacenters int) error {
	switch {
	case r.Set == nil || r.Schema == nil || r.Describe == nil || r.Refuse == nil:
		return fmt.Errorf("Rules are incomplete, want Set, Schema, Describe and Refuse")
	case len(r.Regions) != r.Schema.Regions():
		return fmt.Errorf("Rules.Regions has %d regions, want the %d of the schema", len(r.Regions), r.Schema.Regions())
	}
	for i, set := range r.Regions {
		if set == 0 || datacenters < MaxDatacenters && set>>datacenters != 0 {
			return fmt.Errorf("Rules.Regions[%d] is %b, want some of %d datacenters", i, set, datacenters)
		}
	}
	return r.Set.Validate()
}

// scribe writes down a queue's tickets in the terms of the rule engine.
type scribe struct {
	*Rules
	players []matcher.Player // written in turn: each has values of its own
	rttsMS  []float64
	written matcher.Ticket
}

func newScribe(rules *Rules) scribe {
	return scribe{Rules: rules, written: matcher.Ticket{Values: make([]matcher.Value, rules.Schema.Columns())}}
}

// ticket describes a ticket, without RTTs but those from a vantage. What it returns is
// good until the next call.
func (s *scribe) ticket(q *matchQueue, t ticketID, from matcher.Vantage) *matcher.Ticket {
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

// blank makes values missing. There are few: to clear all their memory costs more.
func blank(values []matcher.Value) {
	for i := range values {
		values[i].Kind, values[i].Set = matcher.Missing, nil
	}
}

// measure adds the RTTs of the ticket that was described last.
func (s *scribe) measure(q *matchQueue, t ticketID) {
	members, regions := q.players.members(t), len(s.Regions)
	s.rttsMS = s.rttsMS[:0]
	for i := range members {
		s.rttsMS = q.appendRTTs(s.rttsMS, &members[i], s.Regions)
	}
	for i := range members {
		s.written.Players[i].RTTMS = s.rttsMS[i*regions : (i+1)*regions]
	}
}

// refuse returns why the service does not take a described ticket, nil: it does.
func (r *Rules) refuse(t *matcher.Ticket) error {
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
	row, from := q.places.row(p.Place), len(list)
	list = slices.Grow(list, len(regions))[:from+len(regions)]
	for i, set := range regions {
		best := row[bits.TrailingZeros64(set)] // most regions are one datacenter
		for set &= set - 1; set != 0; set &= set - 1 {
			best = min(best, row[bits.TrailingZeros64(set)])
		}
		list[from+i] = RTTMillis(plus(best, p.lastMile))
	}
	return list
}

// bitsOf yields the members of a set, ascending.
func bitsOf(set uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
