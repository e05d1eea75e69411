// Package clique grows a group around a seed ticket, depth first through its candidates in the
// order of their distance, until every rule allows the group as a match. Every ticket of a
// group must be allowed to meet every other, not only the seed.
package clique

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Rules are the criteria of a ruleset, grouped by their use in a search. Criteria about teams
// are checked by the Divider.
type Rules struct {
	Set   *matcher.Ruleset
	Basis criterion.Basis
	All   []criterion.Criterion // in the order of the ruleset

	ranking []ranking
	pairs   []ranking // rules about every pair of a match
	groups  []grouped
	shared  []shared
	keyed   []keyed
	totals  []total
	Index   candidate.Rules
	key     criterion.Keyed   // Index.Key
	Region  *criterion.Region // nil without a region rule
	region  int               // its index
}

// A criterion and its index in the limits of a stage.
type (
	ranking struct {
		criterion.Ranking
		at     int
		weight float64
		valued criterion.Valued // or nil
	}
	grouped struct {
		criterion.Grouped
		at int
	}
	shared struct {
		criterion.Shared
		at int
	}
	keyed struct {
		criterion.Keyed
		at int
	}
	total struct {
		*criterion.Total
		at int
	}
)

// Compile compiles the criteria of a ruleset.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set, Basis: criterion.BasisOf(set)}
	for at, rule := range set.Rules {
		c := criterion.New(rule, set, schema)
		r.All = append(r.All, c)
		if c, ok := c.(criterion.Ranking); ok {
			valued, _ := c.(criterion.Valued)
			ranked := ranking{c, at, c.Rule().Weight, valued}
			r.ranking = append(r.ranking, ranked)
			if _, ok := c.(criterion.Grouped); !ok {
				r.pairs = append(r.pairs, ranked)
			}
		}
		if c, ok := c.(criterion.Grouped); ok {
			r.groups = append(r.groups, grouped{c, at})
		}
		if c, ok := c.(criterion.Shared); ok {
			r.shared = append(r.shared, shared{c, at})
		}
		if c, ok := c.(*criterion.Total); ok {
			r.totals = append(r.totals, total{c, at})
		}
		if c, ok := c.(*criterion.Region); ok {
			r.Region, r.region = c, at
		}
		if c, ok := c.(criterion.Keyed); ok {
			r.keyed = append(r.keyed, keyed{c, at})
			if r.key == nil || criterion.Narrower(c, r.key) {
				r.key, r.Index.Key, r.Index.KeyAt = c, c, at
			}
		}
		if c, ok := c.(criterion.Valued); ok && c != criterion.Valued(r.Region) {
			r.Index.Valued, r.Index.At = append(r.Index.Valued, c), append(r.Index.At, at)
		}
	}
	if r.Region != nil { // rows have more regions than texts
		r.Index.Valued, r.Index.At = append(r.Index.Valued, r.Region), append(r.Index.At, r.region)
	}
	return r
}

// StageAt returns the limits of all rules after a wait in ms, and the wait at which they
// change.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	for _, c := range r.All {
		l, until := c.At(waitMS)
		stage.Limits, stage.UntilMS = append(stage.Limits, l), min(stage.UntilMS, until)
	}
	return stage
}

// RegionEnforced reports whether the region rule is enforced for a group. old and young are its
// tickets with the longest and the shortest wait.
func (r *Rules) RegionEnforced(rows *store.Rows, old, young Row) bool {
	_, enforced := r.Basis.InForce(&rows.Stage[old].Limits[r.region], &rows.Stage[young].Limits[r.region])
	return enforced
}

// Negative reports whether any ticket has a negative sum under a rule about totals, which
// changes the effect of such rules.
func (r *Rules) Negative() bool {
	for _, t := range r.totals {
		if t.Negative() {
			return true
		}
	}
	return false
}

// Meet reports whether every rule, with the limits of these two rows alone, lets them be in one
// match. exact is set if the seed's limits apply; see Search.Begin.
func (r *Rules) Meet(rows *store.Rows, seed, other Row, exact bool) bool {
	return r.allow(r.ranking, rows, seed, other, exact)
}

// meet reports whether the rules about pairs let two rows be in one match.
func (r *Rules) meet(rows *store.Rows, a, b Row) bool {
	return r.allow(r.pairs, rows, a, b, false)
}

// allow reports whether the given rules let two rows be in one match. ordered is set if the
// first has waited at least as long as the second.
func (r *Rules) allow(rules []ranking, rows *store.Rows, old, young Row, ordered bool) bool {
	if a, b := old, young; !ordered {
		old, young = rows.ByWait(a, b)
	}
	oldest, newest := rows.Stage[old].Limits, rows.Stage[young].Limits
	for i := range rules {
		c := &rules[i]
		if l, enforced := r.Basis.InForce(&oldest[c.at], &newest[c.at]); enforced && !c.Meet(l, old, young) {
			return false
		}
	}
	return true
}

// Distance returns the total weighted distance of a row from a seed, with the limits of these
// two rows alone.
//
// The terms are added in the order of the rules, and products are converted before the
// addition, which prevents fused multiply-add: the bits are equal on every machine.
func (r *Rules) Distance(rows *store.Rows, seed, other Row, exact bool) (distance float64) {
	sets := seed // the row whose wait sets the stage
	if !exact {
		old, young := rows.ByWait(seed, other)
		if sets = old; r.Basis.Shortest {
			sets = young
		}
	}
	limits := rows.Stage[sets].Limits
	for i := range r.ranking {
		c := &r.ranking[i]
		distance += float64(c.weight * c.Distance(&limits[c.at], seed, other))
	}
	return distance
}

// KeepsApart returns the index of the first rule that keeps two rows apart.
func (r *Rules) KeepsApart(rows *store.Rows, a, b Row) (at int, apart bool) {
	old, young := rows.ByWait(a, b)
	for i := range r.ranking {
		c := &r.ranking[i]
		l, enforced := r.Basis.InForce(&rows.Stage[old].Limits[c.at], &rows.Stage[young].Limits[c.at])
		if enforced && !c.Meet(l, a, b) {
			return c.at, true
		}
	}
	return 0, false
}

// Observed returns the value of a rule for two rows, the threshold that applies to them, and a
// description in words of how the value misses it.
func (r *Rules) Observed(rows *store.Rows, at int, a, b Row) (value, bound float64, words string) {
	old, young := rows.ByWait(a, b)
	l, _ := r.Basis.InForce(&rows.Stage[old].Limits[at], &rows.Stage[young].Limits[at])
	c := r.All[at].(criterion.Ranking)
	value = c.Observed(a, b)
	return value, l.Bound, c.Words(value, l.Bound)
}

// Lets reports whether a rule, in its state after a wait, lets two rows meet.
func (r *Rules) Lets(at int, waitMS int64, a, b Row) bool {
	c := r.All[at].(criterion.Ranking)
	l, _ := c.At(waitMS)
	return c.Meet(&l, a, b) || !l.Active
}
