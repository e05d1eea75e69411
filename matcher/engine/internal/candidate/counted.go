package candidate

import (
	"math/bits"
	"slices"
)

// Counted is a rule under which a match needs some players with a property and some without it, such
// as at most two healers among ten players. It reports whether any of a row's players has the
// property, and whether any has not.
type Counted func(row Row) (with, without bool)

// Demand is the number of players with and without the property of a Counted rule that a match needs
// in addition to its seed.
type Demand struct{ With, Without int32 }

// kinds contains the positions of all members with any player with the property of a Counted rule,
// and of those with any player without it.
type kinds struct{ with, without []uint64 }

// Demand sets the demands of the query, one for each Counted rule. Shortfall, Enough and
// EnoughByNewest then count players of both kinds too. The demands are valid until the next Around.
//
// Without demands, every ticket with a role of which too many wait was the seed of a search through
// all candidates: a pass with 2,000 tickets took 3.1 s instead of 0.05 s (BenchmarkTooManyHealers).
func (q *Query) Demand(list []Demand) {
	q.demands = append(q.demands[:0], list...)
	x := q.index
	if x.kindsAt == x.gathers {
		return
	}
	x.kindsAt = x.gathers
	x.kinds = slices.Grow(x.kinds, len(x.rules.Counted))[:len(x.rules.Counted)]
	for i, rule := range x.rules.Counted {
		k := &x.kinds[i]
		k.with, k.without = resize(k.with, x.words), resize(k.without, x.words)
		clear(k.with)
		clear(k.without)
		for position, row := range x.inOrder {
			with, without := rule(row)
			if with {
				set(k.with, int32(position))
			}
			if without {
				set(k.without, int32(position))
			}
		}
	}
}

// supplies reports whether positions contains enough tickets for all demands of the query.
func (q *Query) supplies(positions []uint64) bool {
	x, first := q.index, q.first
	for i, d := range q.demands {
		k := &x.kinds[i]
		if !x.enoughOf(positions, k.with[first:], d.With) || !x.enoughOf(positions, k.without[first:], d.Without) {
			return false
		}
	}
	return true
}

// enoughOf reports whether the tickets in both bitmaps may have the given number of players.
func (x *Index) enoughOf(positions, kind []uint64, players int32) bool {
	if players <= 0 {
		return true
	}
	tickets := 0
	for k, word := range positions {
		if tickets += bits.OnesCount64(word & kind[k]); int32(tickets)*x.largest >= players {
			return true
		}
	}
	return false
}
