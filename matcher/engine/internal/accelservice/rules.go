// Package accelservice forms matches by matcher.PivotRules with an InTurn, as AccelByte's service
// does. Each match is built around one ticket or open session, the seed. Candidates for the seed
// are tested one after another in a fixed order (see Search.compare). Every candidate that is
// admitted may tighten the conditions for later ones.
//
// A Search lists the candidates of a seed in one region (admit.go). It adds each of them to the
// first team where it fits (teams.go) and then balances the teams (balance.go). For an open
// session, it adds tickets to the existing teams (session.go).
package accelservice

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

// Rules are the pivot rules of a ruleset that has an InTurn, compiled for a pool.
type Rules struct {
	around.Rules
	attributes []attributes // indexed by row
	blockers   int          // number of rows that block a player
	asking     int          // number of rows with values for InTurn.Others
}

// attributes contains a row's values for InTurn.Equal and InTurn.Others.
type attributes struct {
	equal  []matcher.Value // indexed like InTurn.Equal; each value is a text or missing
	others []matcher.Text
}

// Compile compiles the rules of a ruleset. Call Attach before loading rows.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := new(Rules)
	var values []*around.Values
	for i, option := range set.Pivot.Options {
		if option.Kind != matcher.NoRepeat {
			values = append(values, &around.Values{
				Wanted: func(seed Row) uint64 { return wanted(r.Traits[seed].Options[i], option.Kind == matcher.SameSet) },
				Has:    func(row Row) uint64 { return around.Bits(r.Traits[row].Options[i]...) },
			})
		}
	}
	if set.Pivot.InTurn.Others != matcher.NoColumn {
		values = append(values, &around.Values{
			Wanted: func(seed Row) uint64 { return wanted(r.attributes[seed].others, true) },
			Has:    func(row Row) uint64 { return around.Bits(r.attributes[row].others...) },
			Used:   func() bool { return r.asking > 0 },
		})
	}
	r.Rules.Compile(set, schema, r.reference, values)
	return r
}

// wanted returns a mask for the candidate index. A candidate must have at least one of the
// values, or all of them if all is set. In the second case, the mask contains only the first
// value, which is enough for a first filter.
func wanted(values []matcher.Text, all bool) uint64 {
	switch {
	case len(values) == 0:
		return candidate.AllValues
	case all:
		return around.Bits(values[0])
	}
	return around.Bits(values...)
}

// reference returns the largest difference that a candidate accepts under a distance rule. It is
// the bound of the candidate's first active distance rule with the same column.
func (r *Rules) reference(distance int, theirs []Limit) float64 {
	for k := range r.Set.Distances {
		if theirs[k].Active && r.Set.Distances[k].Column == r.Set.Distances[distance].Column {
			return theirs[k].Bound
		}
	}
	return math.Inf(1)
}

// Single reports whether every ticket becomes a match by itself, even a party. See around.Single.
func (r *Rules) Single() bool { return around.Single(&r.Set.Sizes[0]) }

// Load stores the data of a row. See around.Rules.Load.
func (r *Rules) Load(row Row, values []matcher.Value, players []matcher.Player, from matcher.Place, at matcher.Region) {
	for int(row) >= len(r.attributes) {
		r.attributes = append(r.attributes, attributes{})
	}
	t, all := &r.attributes[row], matcher.Player{Values: values}
	t.others = append(t.others[:0], all.At(r.Set.InTurn.Others).Set...)
	t.equal = t.equal[:0]
	for _, column := range r.Set.InTurn.Equal {
		t.equal = append(t.equal, *all.At(column))
	}
	r.Rules.Load(row, values, players, from, at)
	r.count(row, 1)
}

// Clear removes a row from the counts of rows that block players or have values for InTurn.Others.
// It is called when the row leaves the pool.
func (r *Rules) Clear(row Row) { r.count(row, -1) }

// count updates blockers and asking when a row is added (by is 1) or removed (by is -1).
func (r *Rules) count(row Row, by int) {
	if len(r.Traits[row].Blocked) > 0 {
		r.blockers += by
	}
	if len(r.attributes[row].others) > 0 {
		r.asking += by
	}
}
