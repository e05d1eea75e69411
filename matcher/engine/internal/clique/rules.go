// Package clique grows a group around a seed ticket, depth first through its candidates in
// the order of their distance, until every rule lets the group be a match. All tickets of
// a group have to get on with each other, not only with the seed.
package clique

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Rules are the criteria of a ruleset, sorted by what a search asks of them. Those about
// teams are left to whoever divides a group.
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
	region  int               // its place
}

// A criterion and its place among the limits of a stage.
type (
	ranking struct {
		criterion.Ranking
		at     int
		weight float64
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

// Compile makes the criteria of a ruleset.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set, Basis: criterion.BasisOf(set)}
	for at, rule := range set.Rules {
		c := criterion.New(rule, set, schema)
		r.All = append(r.All, c)
		if c, ok := c.(criterion.Ranking); ok {
			ranked := ranking{c, at, c.Rule().Weight}
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
		if c, ok := c.(criterion.Valued); ok {
			r.Index.Valued, r.Index.At = append(r.Index.Valued, c), append(r.Index.At, at)
		}
	}
	return r
}

// StageAt returns the limits of all rules after a wait in ms, and until when they hold.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	for _, c := range r.All {
		l, until := c.At(waitMS)
		stage.Limits, stage.UntilMS = append(stage.Limits, l), min(stage.UntilMS, until)
	}
	return stage
}

// RegionEnforced tells whether the region rule is enforced for a group of which old and
// young have waited longest and shortest.
func (r *Rules) RegionEnforced(rows *store.Rows, old, young Row) bool {
	_, enforced := r.Basis.InForce(&rows.Stage[old].Limits[r.region], &rows.Stage[young].Limits[r.region])
	return enforced
}

// Negative tells whether the sum of some ticket is negative under a rule about totals:
// such rules then hold otherwise.
func (r *Rules) Negative() bool {
	for _, t := range r.totals {
		if t.Negative() {
			return true
		}
	}
	return false
}

// Rate returns the total weighted distance of two rows and whether they may meet: every
// rule, as it holds for these two by themselves.
//
// The sum runs in the order of the rules, and products are converted before they are
// added, which forbids fused operations: equal bits on every machine.
func (r *Rules) Rate(rows *store.Rows, seed, other Row) (distance float64, meet bool) {
	old, young := rows.ByWait(seed, other)
	oldest, newest := rows.Stage[old].Limits, rows.Stage[young].Limits
	for i := range r.ranking {
		c := &r.ranking[i]
		l, enforced := r.Basis.InForce(&oldest[c.at], &newest[c.at])
		d, ok := c.Pair(l, seed, other)
		if enforced && !ok {
			return 0, false
		}
		distance += float64(c.weight * d)
	}
	return distance, true
}

// RateYounger is Rate for a seed and a row that has not waited longer, where the longest
// wait sets the stages: the seed's limits hold, and the other's stage is looked at only
// where it decides. It takes two thirds of the time.
func (r *Rules) RateYounger(rows *store.Rows, seed, other Row) (distance float64, meet bool) {
	limits := rows.Stage[seed].Limits
	for i := range r.ranking {
		c := &r.ranking[i]
		l := &limits[c.at]
		d, ok := c.Pair(l, seed, other)
		if !ok && l.Active && !(l.Optional && (r.Basis.Any || rows.Stage[other].Limits[c.at].Optional)) {
			return 0, false
		}
		distance += float64(c.weight * d)
	}
	return distance, true
}

// meet tells whether the rules about pairs let two rows be in one match.
func (r *Rules) meet(rows *store.Rows, a, b Row) bool {
	old, young := rows.ByWait(a, b)
	oldest, newest := rows.Stage[old].Limits, rows.Stage[young].Limits
	for i := range r.pairs {
		c := &r.pairs[i]
		if l, enforced := r.Basis.InForce(&oldest[c.at], &newest[c.at]); enforced {
			if _, ok := c.Pair(l, a, b); !ok {
				return false
			}
		}
	}
	return true
}

// KeepsApart returns the place of the first rule that keeps two rows apart.
func (r *Rules) KeepsApart(rows *store.Rows, a, b Row) (at int, apart bool) {
	old, young := rows.ByWait(a, b)
	for i := range r.ranking {
		c := &r.ranking[i]
		l, enforced := r.Basis.InForce(&rows.Stage[old].Limits[c.at], &rows.Stage[young].Limits[c.at])
		if _, ok := c.Pair(l, a, b); enforced && !ok {
			return c.at, true
		}
	}
	return 0, false
}

// Observed returns what a rule sees of two rows, the threshold that holds for them, and in
// words by how much they miss it.
func (r *Rules) Observed(rows *store.Rows, at int, a, b Row) (value, bound float64, words string) {
	old, young := rows.ByWait(a, b)
	l, _ := r.Basis.InForce(&rows.Stage[old].Limits[at], &rows.Stage[young].Limits[at])
	c := r.All[at].(criterion.Ranking)
	value = c.Observed(a, b)
	return value, l.Bound, c.Words(value, l.Bound)
}

// Lets tells whether a rule, as it holds after a wait, lets two rows meet.
func (r *Rules) Lets(at int, waitMS int64, a, b Row) bool {
	c := r.All[at].(criterion.Ranking)
	l, _ := c.At(waitMS)
	_, ok := c.Pair(&l, a, b)
	return ok || !l.Active
}
