package expression

import (
	"cmp"
	"slices"

	"mmsim/matcher"
)

// BetweenTeams reports whether a is the intersection of one team's lists and b is the
// intersection of the other team's lists. There must be exactly two teams. The intersection of a
// and b then contains the texts that all players share.
func BetweenTeams(a, b *matcher.Expression, teams int) (column matcher.Column, ok bool) {
	team := func(x *matcher.Expression) int {
		if x.Function != matcher.SetIntersection || x.Argument.Function != matcher.NoFunction || x.Argument.PerTeam || x.Depth != 1 {
			return -1
		}
		return x.Argument.Teams[0]
	}
	x, y := team(a), team(b)
	if x < 0 || y < 0 || x == y || teams != 2 {
		return 0, false
	}
	return a.Argument.Column, a.Argument.Column == b.Argument.Column
}

// OfAll returns the path of an expression. ok reports whether the expression has one value for
// each player of a match with the given number of teams. The values may be in one list or in one
// list per team.
func OfAll(x *matcher.Expression, base matcher.Base, teams int) (path *matcher.Expression, ok bool) {
	for x.Function == matcher.Flatten {
		x = x.Argument
	}
	return x, x.Function == matcher.NoFunction && x.Field == matcher.InColumn && x.Base == base && len(x.Teams) == teams
}

// OnePerPlayer reports whether an expression has one value for each player of some teams.
func OnePerPlayer(x *matcher.Expression) bool {
	for x.Function == matcher.Flatten {
		x = x.Argument
	}
	return x.Function == matcher.NoFunction && x.Field == matcher.InColumn && !GivesLists(x)
}

// GivesLists reports whether each player's value is a list of texts.
func GivesLists(path *matcher.Expression) bool {
	return path.Depth == 3 || path.Depth == 2 && !path.PerTeam
}

// Rises reports whether a schedule has a value from the start and never decreases.
func Rises(steps matcher.Steps[float64]) bool {
	smaller := func(a, b matcher.Step[float64]) int { return cmp.Compare(a.Value, b.Value) }
	return steps[0].AfterMS == 0 && slices.IsSortedFunc(steps, smaller)
}
