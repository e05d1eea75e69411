// Package accelpage forms matches by matcher.PivotRules, as AccelByte's documentation describes. Each
// match is built around one ticket, the pivot. The code calls it the seed.
//
// Every candidate is compared only with the seed: the difference between them must be within the
// limits that each has after its own wait, unless the rule counts by one of the two waits or by their
// mean. Candidates are not compared with each other, so two of them in one match may be twice as far
// apart as either is from the seed.
//
// A Search ranks the candidates of a seed in one region by cost and fills teams in that order.
package accelpage

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/candidate"
)

// These aliases are used throughout the package.
type (
	Row    = around.Row
	Limit  = around.Limit
	Member = around.Member
	Team   = around.Team
)

// Rules are the pivot rules of a ruleset, compiled for a pool.
type Rules struct{ around.Rules }

// Compile compiles the rules of a ruleset. Call Attach before loading rows.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := new(Rules)
	var values []*around.Values
	mutual := func(mask func(row Row) uint64) *around.Values {
		v := &around.Values{Wanted: mask, Has: mask}
		values = append(values, v)
		return v
	}
	if set.Pivot.Same != matcher.NoColumn {
		same := mutual(func(row Row) uint64 { return around.Bits(r.Traits[row].Same) })
		same.Used = func() bool { return r.Mixed } // in most pools all rows have the same value, and the index would only cost time
	}
	for i := range set.Pivot.Options {
		if len(set.Pivot.Options[i].Enforced) > 0 {
			continue
		}
		switch set.Pivot.Options[i].Kind {
		case matcher.SameSet:
			mutual(func(row Row) uint64 { return bitsOf(r.Traits[row].Options[i], 1) })
		case matcher.SharedValue:
			mutual(func(row Row) uint64 {
				if len(r.Traits[row].Own[i]) > 0 { // two such tickets need not share a value
					return candidate.AllValues
				}
				return bitsOf(r.Traits[row].Options[i], math.MaxInt)
			})
		}
	}
	r.Rules.Compile(set, schema, func(distance int, theirs []Limit) float64 { return theirs[distance].Bound }, values)
	return r
}

// bitsOf returns the bits of the first texts in a set. The parameter most limits their number. An
// empty set has its own bit, because a ticket without any values is matched only with others like
// it.
func bitsOf(set []matcher.Text, most int) uint64 {
	if len(set) == 0 {
		return around.Bits(around.NoText)
	}
	return around.Bits(set[:min(most, len(set))]...)
}

// LargestTicket returns the largest number of players that a ticket may have.
func (r *Rules) LargestTicket() int {
	most := 0
	for i := range r.Set.Sizes {
		if around.Single(&r.Set.Sizes[i]) {
			return matcher.MaxGroupPlayers
		}
		most = max(most, r.Set.Sizes[i].MaxPlayers)
	}
	return most
}
