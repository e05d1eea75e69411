// Package clique forms matches by the rules in matcher.Ruleset.Rules. Every ticket of a match must
// be allowed to meet every other. This is stricter than in packages accelpage and accelservice,
// which compare each ticket only with the seed.
//
// A search starts with one ticket, the seed. The tickets that may meet the seed are its
// candidates, ranked by their distance from it. The search adds candidates to the seed's group,
// depth first and in rank order, until every rule allows the group as a match.
//
// Rules (rules.go) groups a ruleset's criteria by how the search uses them. Search (search.go) ranks
// the candidates by their distance (rank.go) and tries groups. It saves work in two ways: it drops
// candidates that cannot be in a match with the seed (core.go), and it does not extend a group
// that can no longer become a match (feasible.go).
package clique

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Row is an alias of store.Row.
type Row = store.Row

// Rules contains the criteria of a ruleset, grouped by how a search uses them. Criteria about
// teams are not included, because the Divider checks them.
type Rules struct {
	Set *matcher.Ruleset
	All []criterion.Criterion // in the order of the ruleset

	bases   []criterion.Basis // indexed like All
	ranking []ranking
	pairs   []ranking // rules that must allow every pair of tickets in a match
	groups  []grouped
	shared  []shared
	keyed   []keyed
	totals  []total
	Index   candidate.IndexRules
	key     criterion.Keyed   // the Key of Index
	Region  *criterion.Region // nil if there is no region rule
	region  int               // index of Region in All
}

// Each of these types is a criterion. Its field at is the criterion's index in the limits of a
// stage.
type (
	ranking struct {
		criterion.Ranking
		at     int
		basis  criterion.Basis
		weight float64
		valued criterion.Valued // nil if the criterion is not a Valued
	}
	grouped struct {
		criterion.Grouped
		at    int
		basis criterion.Basis
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
	r := &Rules{Set: set}
	for at, rule := range set.Rules {
		c, basis := criterion.New(rule, set, schema), criterion.BasisOf(set, rule)
		r.All, r.bases = append(r.All, c), append(r.bases, basis)
		if c, ok := c.(criterion.Ranking); ok {
			valued, _ := c.(criterion.Valued)
			ranked := ranking{c, at, basis, c.Rule().Weight, valued}
			r.ranking = append(r.ranking, ranked)
			if _, ok := c.(criterion.Grouped); !ok {
				r.pairs = append(r.pairs, ranked)
			}
		}
		if c, ok := c.(criterion.Grouped); ok {
			r.groups = append(r.groups, grouped{c, at, basis})
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
				r.key, r.Index.Key, r.Index.KeyAt, r.Index.Pairwise = c, c, at, true
			}
		}
		if c, ok := c.(criterion.Valued); ok && c != criterion.Valued(r.Region) {
			r.Index.Valued, r.Index.At = append(r.Index.Valued, c), append(r.Index.At, at)
		}
	}
	if r.Region != nil { // last, because a row has more regions than texts
		r.Index.Valued, r.Index.At = append(r.Index.Valued, r.Region), append(r.Index.At, r.region)
	}
	return r
}

// StageAt returns the limits of all rules at a given wait, in ms, and the wait at which they next
// change.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	for _, c := range r.All {
		l, until := c.At(waitMS)
		stage.Limits, stage.UntilMS = append(stage.Limits, l), min(stage.UntilMS, until)
	}
	return stage
}

// InForce returns the limit of a rule among several rows, and reports whether the rule is enforced.
// old and young are the rows that have waited longest and shortest.
func (r *Rules) InForce(rows *store.Rows, at int, old, young Row) (l *store.Limit, enforced bool) {
	return r.bases[at].InForce(&rows.Stage[old].Limits[at], &rows.Stage[young].Limits[at])
}

// RegionEnforced reports whether the region rule is enforced for a group. old and young are the
// tickets of the group that have waited longest and shortest.
func (r *Rules) RegionEnforced(rows *store.Rows, old, young Row) bool {
	_, enforced := r.InForce(rows, r.region, old, young)
	return enforced
}

// Negative reports whether any ticket has a negative sum under a rule about totals. Such a ticket
// changes what these rules can exclude.
func (r *Rules) Negative() bool {
	for _, t := range r.totals {
		if t.Negative() {
			return true
		}
	}
	return false
}

// Meet reports whether all rules allow two rows in one match, considering only the limits of
// these two. exact is set if the seed's limits apply; see Search.Begin.
func (r *Rules) Meet(rows *store.Rows, seed, other Row, exact bool) bool {
	return r.allow(r.ranking, rows, seed, other, exact)
}

// meet reports whether the rules about pairs allow two rows in one match.
func (r *Rules) meet(rows *store.Rows, a, b Row) bool {
	return r.allow(r.pairs, rows, a, b, false)
}

// allow reports whether the given rules allow two rows in one match. ordered is set if old is
// known to have waited at least as long as young.
func (r *Rules) allow(rules []ranking, rows *store.Rows, old, young Row, ordered bool) bool {
	if a, b := old, young; !ordered {
		old, young = rows.ByWait(a, b)
	}
	oldest, newest := rows.Stage[old].Limits, rows.Stage[young].Limits
	for i := range rules {
		c := &rules[i]
		if l, enforced := c.basis.InForce(&oldest[c.at], &newest[c.at]); enforced && !c.Meet(l, old, young) {
			return false
		}
	}
	return true
}

// Distance returns the weighted distance of a row from a seed, summed over all rules. If exact is
// set, it applies the limits at the seed's wait. Otherwise, the longer or the shorter wait of the
// two rows determines the limits.
//
// The terms are added in the order of the rules. Converting each product to float64 before the
// addition prevents a fused multiply-add, which would round differently on some machines.
func (r *Rules) Distance(rows *store.Rows, seed, other Row, exact bool) (distance float64) {
	old, young := seed, seed
	if !exact {
		old, young = rows.ByWait(seed, other)
	}
	oldest, newest := rows.Stage[old].Limits, rows.Stage[young].Limits
	for i := range r.ranking {
		c := &r.ranking[i]
		l := &oldest[c.at]
		if c.basis.Shortest {
			l = &newest[c.at]
		}
		distance += float64(c.weight * c.Distance(l, seed, other))
	}
	return distance
}

// KeepsApart returns the index of the first rule that keeps two rows apart.
func (r *Rules) KeepsApart(rows *store.Rows, a, b Row) (at int, apart bool) {
	old, young := rows.ByWait(a, b)
	for i := range r.ranking {
		c := &r.ranking[i]
		if l, enforced := r.InForce(rows, c.at, old, young); enforced && !c.Meet(l, a, b) {
			return c.at, true
		}
	}
	return 0, false
}

// Compares reports whether a rule may keep two rows apart.
func (r *Rules) Compares(at int) bool {
	_, compares := r.All[at].(criterion.Ranking)
	return compares
}

// KeepsOwnApart returns the index of the first rule that keeps the players of a row apart: the row
// could not even meet a copy of itself. Rules about totals do not count, because a copy would
// double the total.
func (r *Rules) KeepsOwnApart(rows *store.Rows, row Row) (at int, apart bool) {
	for i := range r.ranking {
		c := &r.ranking[i]
		if _, isTotal := c.Ranking.(*criterion.Total); isTotal {
			continue
		}
		if l, enforced := r.InForce(rows, c.at, row, row); enforced && !c.Meet(l, row, row) {
			return c.at, true
		}
	}
	return 0, false
}

// Observed describes how a rule applies to two rows. It returns the rule's value for them, the
// limit, and a text that explains how the value violates the limit.
func (r *Rules) Observed(rows *store.Rows, at int, a, b Row) (value, bound float64, words string) {
	old, young := rows.ByWait(a, b)
	l, _ := r.InForce(rows, at, old, young)
	c := r.All[at].(criterion.Ranking)
	value = c.Observed(a, b)
	return value, l.Bound, c.Words(value, l.Bound)
}

// Allows reports whether a rule allows two rows in one match, with the rule's limit at a given
// wait.
func (r *Rules) Allows(at int, waitMS int64, a, b Row) bool {
	c := r.All[at].(criterion.Ranking)
	l, _ := c.At(waitMS)
	return c.Meet(&l, a, b) || !l.Active
}
