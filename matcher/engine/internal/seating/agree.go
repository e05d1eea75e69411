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
		path, all := r.ofAll(of.Measured[0], matcher.Texts)
		at, ok = path.Column, all && !givesLists(path)
	case *matcher.Collection:
		if len(of.Measured) != 1 || len(of.Min) == 0 || of.Min[0].AfterMS > 0 ||
			slices.ContainsFunc(of.Min, func(s matcher.Step[float64]) bool { return s.Value < 1 }) {
			return nil
		}
		lists = true
		switch of.Operation {
		case "intersection":
			path, all := r.ofAll(of.Measured[0], matcher.Texts)
			at, ok = path.Column, all && givesLists(path) && of.Measured[0].Depth == 2
		case "reference_intersection_count":
			if len(of.Reference) == 1 {
				at, ok = r.betweenTeams(of.Measured[0], of.Reference[0].Value.Expression)
			}
		}
	}
	if !ok {
		return nil
	}
	return &agreement{c, r.columns.Column(at, c.party), lists}
}

// betweenTeams reports whether a is the intersection of one team's lists and b is the
// intersection of the other team's lists. There must be exactly two teams. The intersection of a
// and b then contains the texts that all players share.
func (r *Rules) betweenTeams(a, b *matcher.Expression) (column matcher.Column, ok bool) {
	team := func(x *matcher.Expression) int {
		if x.Function != matcher.SetIntersection || x.Argument.Function != matcher.NoFunction || x.Argument.PerTeam || x.Depth != 1 {
			return -1
		}
		return x.Argument.Teams[0]
	}
	x, y := team(a), team(b)
	if x < 0 || y < 0 || x == y || len(r.Set.Teams) != 2 {
		return 0, false
	}
	return a.Argument.Column, a.Argument.Column == b.Argument.Column
}

// ofAll returns the path of an expression. ok reports whether the expression has one value for
// each player of the match. The values may be in one list or in one list per team.
func (r *Rules) ofAll(x *matcher.Expression, base matcher.Base) (path *matcher.Expression, ok bool) {
	for x.Function == matcher.Flatten {
		x = x.Argument
	}
	return x, x.Function == matcher.NoFunction && x.Field == matcher.InColumn && x.Base == base && len(x.Teams) == len(r.Set.Teams)
}

// givesLists reports whether each player's value is a list of texts.
func givesLists(path *matcher.Expression) bool {
	return path.Depth == 3 || path.Depth == 2 && !path.PerTeam
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
