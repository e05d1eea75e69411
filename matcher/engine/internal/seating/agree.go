package seating

import (
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/internal/ranges"
)

// agreement is a rule that requires all players of a match to have the same text. If the players'
// values are lists of texts, all lists must have at least one text in common.
type agreement struct {
	rule   *rule
	column int
	lists  bool // the players' values are lists
}

// agreementOf converts a rule into an agreement. It returns nil if the rule has another form.
func (r *Rules) agreementOf(c *rule) *agreement {
	var at matcher.Column
	ok, lists := false, false
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		at, ok = of.Column, len(of.Max) == 0
	case *matcher.Comparison:
		if of.Operation != "=" || len(of.Reference) > 0 || len(of.Measured) != 1 {
			return nil
		}
		path, all := expression.OfAll(of.Measured[0], matcher.Texts, len(r.Set.Teams))
		at, ok = path.Column, all && !expression.GivesLists(path)
	case *matcher.Collection:
		if len(of.Measured) != 1 || len(of.Min) == 0 || of.Min[0].AfterMS > 0 ||
			slices.ContainsFunc(of.Min, func(s matcher.Step[float64]) bool { return s.Value < 1 }) {
			return nil
		}
		lists = true
		switch of.Operation {
		case "intersection":
			path, all := expression.OfAll(of.Measured[0], matcher.Texts, len(r.Set.Teams))
			at, ok = path.Column, all && expression.GivesLists(path) && of.Measured[0].Depth == 2
		case "reference_intersection_count":
			if len(of.Reference) == 1 {
				at, ok = expression.BetweenTeams(of.Measured[0], of.Reference[0].Value.Expression, len(r.Set.Teams))
			}
		}
	}
	if !ok {
		return nil
	}
	return &agreement{c, r.columns.Column(at, c.party), lists}
}

// agrees evaluates an agreement. common is a mask of the texts that all players of the group
// share.
func (e *evaluator) agrees(a *agreement, common uint64) truth {
	if common == expression.Everything { // no player has texts
		return undecided
	}
	n := ranges.Exactly(float64(bits.OnesCount64(common)))
	switch {
	case n.High == 0:
		return fails
	case !a.lists:
		return undecided
	}
	if slices.ContainsFunc(e.Room, func(seats int32) bool { return seats > 0 }) {
		n.Low = 0
	}
	return min(e.bounded(a.rule, n, 0), undecided)
}

// settled reports whether quick.push has already decided a rule. If one bit represents several
// texts, quick.push may admit a ticket that breaks the rule, so the rule must still be evaluated.
func (e *evaluator) settled(r *rule) bool {
	return r.quick && !e.Complete && !e.explains && (r.reach != nil || r.column < 0 || e.Columns.Exact(r.column))
}

// teamsAlike reports whether no rule depends on which team a ticket is in.
func (r *Rules) teamsAlike() bool {
	for _, c := range r.enforced {
		switch of := c.of.(type) {
		case *matcher.BatchDistance, *matcher.Latency:
		case *matcher.Comparison:
			if c.agreement == nil {
				return false
			}
		case *matcher.Collection: // the other operations fail for an empty team
			if c.agreement == nil || of.Operation != "intersection" {
				return false
			}
		case *matcher.Distance:
			if len(of.Measured) > 1 || !slices.ContainsFunc(r.spreads, func(x spread) bool { return x.rule == c }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
