package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/expression"
)

// quotasMax is the largest number of quotas that quick.enough checks.
const quotasMax = 4

// quota is a rule that limits how many players have a given text, such as the number of healers
// per team. A match then needs some players with that text and some without it.
type quota struct {
	rule     *rule
	measured []*expression.Expression // they read the same column, and no two of them read the same team
	text     matcher.Text
	of       []int // for each team: index of the expression that reads it, or -1
	column   int
}

// capped reports whether quick.lets decides the rule of a quota: the rule only limits how many
// players have the text.
func (q *quota) capped() bool { return len(q.rule.of.(*matcher.Collection).Min) == 0 }

// demand is the number of additional players, with and without a quota's text, that a group
// needs.
type demand struct{ with, without int32 }

// addQuota adds the quota that a rule is, if it is one.
func (r *Rules) addQuota(c *rule) {
	if q, ok := r.quotaOf(c); ok && len(r.quotas) < quotasMax {
		if r.quotas = append(r.quotas, q); q.capped() {
			c.quick, c.column = true, q.column
		}
	}
}

// quotaOf converts a rule into a quota. It returns false if the rule has a different form.
func (r *Rules) quotaOf(c *rule) (q quota, ok bool) {
	of, ok := c.of.(*matcher.Collection)
	if !ok || of.Operation != "contains" || len(of.Reference) != 1 {
		return quota{}, false
	}
	q = quota{rule: c, measured: c.measured, text: of.Reference[0].Value.Text, of: slices.Repeat([]int{-1}, len(r.Set.Teams))}
	for i, x := range c.measured {
		column, teams := x.Counted()
		if len(teams) == 0 || i > 0 && column != q.column {
			return quota{}, false
		}
		q.column = column
		for _, team := range teams {
			if q.of[team] >= 0 {
				return quota{}, false
			}
			q.of[team] = i
		}
	}
	return q, true
}

// demands returns the demand of each quota. If the group's stage may still change, it returns the
// smallest demand over all possible stages.
func (q *quick) demands(e *evaluator) (list [quotasMax]demand) {
	for k := range q.quotas {
		of, d := &q.quotas[k], &list[k]
		least, most := 0.0, math.Inf(1)
		if of.rule.least >= 0 {
			least = max(0, e.orFree(e.at(of.rule.least), 0).Low)
		}
		if of.rule.most >= 0 {
			most = e.orFree(e.at(of.rule.most), math.Inf(1)).High
		}
		for i, x := range of.measured {
			if !x.Exact(e.Columns) {
				*d = demand{}
				break
			}
			have := e.Holding(x, of.text).Low
			d.with += int32(max(0, least-have))
			lack := 0.0
			for team, reader := range of.of {
				if reader == i {
					lack += max(0, e.least(team).Low-float64(e.Counts[team]))
				}
			}
			d.without += int32(max(0, lack-(most-have)))
		}
	}
	return list
}

// Demands returns what a match around a seed needs of each quota, in addition to the seed, whatever
// the seed's team and the match's stage may be.
func (s *Search) Demands(seed Row) []candidate.Demand {
	q, e := &s.quick, &s.evaluator
	if s.demand = s.demand[:0]; len(q.quotas) == 0 {
		return nil
	}
	s.reset()
	e.stage, e.anchored, e.Complete = s.Rules.rows.Stage[seed], false, false
	all, own, players := q.demands(e), q.has(e, seed), s.Rules.rows.Players[seed]
	for i := range q.quotas {
		s.demand = append(s.demand, candidate.Demand{With: all[i].with - own[i], Without: all[i].without - (players - own[i])})
	}
	return s.demand
}

// has returns, for each quota, how many of a candidate's players have its text.
func (q *quick) has(e *evaluator, row Row) (list [quotasMax]int32) {
	for i := range q.quotas {
		list[i] = q.quotas[i].has(e, row)
	}
	return list
}

// has returns how many of a ticket's players have the text.
func (q *quota) has(e *evaluator, row Row) int32 {
	return e.Columns.Has(q.measured[0], entry(row), q.text)
}
