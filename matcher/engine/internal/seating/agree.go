package seating

import (
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
)

// agreement is a rule about texts that all players of a match must share: one text, or some
// texts of their lists.
type agreement struct {
	rule   *rule
	column int
	at     matcher.Column
	lists  bool
}

// agreementOf returns the agreement that a rule requires, if it does.
func (r *Rules) agreementOf(c *rule) (a agreement, ok bool) {
	a.rule = c
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		a.at, ok = of.Column, len(of.Max) == 0
	case *matcher.Comparison:
		if of.Operation != "=" || len(of.Reference) > 0 || len(of.Measured) != 1 {
			return a, false
		}
		path, all := r.ofAll(of.Measured[0], matcher.Texts)
		a.at, ok = path.Column, all && !givesLists(path)
	case *matcher.Collection:
		if len(of.Measured) != 1 || len(of.Min) == 0 || of.Min[0].AfterMS > 0 ||
			slices.ContainsFunc(of.Min, func(s matcher.Step[float64]) bool { return s.Value < 1 }) {
			return a, false
		}
		a.lists = true
		switch of.Operation {
		case "intersection":
			path, all := r.ofAll(of.Measured[0], matcher.Texts)
			a.at, ok = path.Column, all && givesLists(path) && of.Measured[0].Depth == 2
		case "reference_intersection_count":
			if len(of.Reference) == 1 {
				a.at, ok = r.betweenTeams(of.Measured[0], of.Reference[0].Value.Expression)
			}
		}
	}
	if ok {
		a.column = r.columns.Column(a.at, c.party)
	}
	return a, ok
}

// betweenTeams reports whether the two expressions give the texts that all players of one team
// share and those that all players of the other share, in a match of two teams. Their
// intersection is then what all players of the match share.
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

// ofAll returns the path of an expression that gives one value for each player of the match,
// flat or in lists by team.
func (r *Rules) ofAll(x *matcher.Expression, base matcher.Base) (path *matcher.Expression, ok bool) {
	for x.Function == matcher.Flatten {
		x = x.Argument
	}
	return x, x.Function == matcher.NoFunction && x.Field == matcher.InColumn && x.Base == base && len(x.Teams) == len(r.Set.Teams)
}

// givesLists reports whether a path gives a list of texts for each player.
func givesLists(path *matcher.Expression) bool {
	return path.Depth == 3 || path.Depth == 2 && !path.PerTeam
}

// agree returns the texts that all seated players have, as bits.
func (e *evaluator) agree(column int) uint64 {
	mask := expression.Everything
	for _, side := range e.Sides {
		for _, who := range side {
			mask &= e.Columns.Cell(column, who).All
		}
	}
	return mask
}

// agrees returns the truth of an agreement, given the texts that the group shares.
func (e *evaluator) agrees(a *agreement, common uint64) truth {
	if common == expression.Everything { // no player has texts
		return open
	}
	n := exactly(float64(bits.OnesCount64(common)))
	switch {
	case n.High == 0:
		return fails
	case !a.lists:
		return open
	}
	if slices.ContainsFunc(e.Room, func(seats int32) bool { return seats > 0 }) {
		n.Low = 0
	}
	return min(e.bounded(a.rule, n, 0), open)
}

// settled reports whether push has already decided a rule. If several texts share a bit, push
// only excludes tickets, and the rule is evaluated in addition.
func (e *evaluator) settled(r *rule) bool {
	return r.quick && !e.Complete && !e.explains && (r.reach != nil || r.column < 0 || e.Columns.Exact(r.column))
}

// teamsAlike reports whether no rule distinguishes teams, so that the team of a ticket does not
// matter to rules.
func (r *Rules) teamsAlike() bool {
	for _, c := range r.enforced {
		switch of := c.of.(type) {
		case *matcher.BatchDistance, *matcher.Latency:
		case *matcher.Comparison:
			if _, ok := r.agreementOf(c); !ok {
				return false
			}
		case *matcher.Collection: // other operations fail for an empty team
			if _, ok := r.agreementOf(c); !ok || of.Operation != "intersection" {
				return false
			}
		case *matcher.Distance:
			if x, ok := r.spreadOf(c); !ok || x.rule != c || len(of.Measured) > 1 {
				return false
			}
		default:
			return false
		}
	}
	return true
}
