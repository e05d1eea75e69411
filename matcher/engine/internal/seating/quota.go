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
	measured []*expression.Expression // no two of these expressions read the same team
	text     matcher.Text
}

// demand is the number of additional players, with and without a quota's text, that a group
// needs.
type demand struct{ with, without int32 }

// quotaOf converts a rule into a quota. It returns false if the rule has a different form.
func (r *Rules) quotaOf(c *rule) (q quota, ok bool) {
	of, ok := c.of.(*matcher.Collection)
	if !ok || of.Operation != "contains" || len(of.Reference) != 1 {
		return quota{}, false
	}
	q = quota{rule: c, text: of.Reference[0].Value.Text}
	var teams []int
	for _, x := range c.measured {
		of := x.Counted()
		if of == nil || slices.ContainsFunc(of, func(team int) bool { return slices.Contains(teams, team) }) {
			return quota{}, false
		}
		teams = append(teams, of...)
		q.measured = append(q.measured, x)
	}
	return q, true
}

// demands returns the demand of each quota. If the group's stage may still change, it returns the
// smallest demand over all possible stages.
func (q *quick) demands(e *evaluator) (list [quotasMax]demand) {
	for i := range q.quotas {
		of, d := &q.quotas[i], &list[i]
		least, most := 0.0, math.Inf(1)
		if of.rule.least >= 0 {
			least = max(0, e.orFree(e.at(of.rule.least), 0).Low)
		}
		if of.rule.most >= 0 {
			most = e.orFree(e.at(of.rule.most), math.Inf(1)).High
		}
		for _, x := range of.measured {
			if !x.Exact(e.Columns) {
				*d = demand{}
				break
			}
			have := e.Holding(x, of.text).Low
			d.with += int32(max(0, least-have))
			lack := 0.0
			for _, team := range x.Counted() {
				lack += max(0, e.least(team).Low-float64(e.Counts[team]))
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
		list[i] = e.Columns.Has(q.quotas[i].measured[0], entry(row), q.quotas[i].text)
	}
	return list
}
