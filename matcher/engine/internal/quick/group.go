package quick

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// These aliases are used throughout the package.
type (
	Row   = store.Row
	entry = expression.Entry
	span  = ranges.Span
	truth = ranges.Truth
)

const (
	fails     = ranges.Fails
	undecided = ranges.Undecided
)

// Tolerance is added to bounds on differences. Without it, rounding could make 0.8 and 0.6 differ
// by more than 0.2.
const Tolerance = 1e-9

// Limit identifies a number in a rule, or a bound on a team's size, that may change with the
// wait. It is an index in the limits of a stage, or -1 if the rule or team has no such number.
//
// The first half of Stage.Limits contains the value of each limit. The second half contains the range
// of values that each limit may still have in the finished match.
type Limit int

// Of returns the limit in a stage. The fields Least and Bound are the range of its values. If complete
// is set, they are equal.
func (l Limit) Of(stage *store.Stage, complete bool) *store.Limit {
	if !complete {
		l += Limit(len(stage.Limits) / 2)
	}
	return &stage.Limits[l]
}

// At returns the range of values of a limit in a stage. If complete is set, the range is a single
// value. The range is NaN if the limit is absent.
func (l Limit) At(stage *store.Stage, complete bool) span {
	x := l.Of(stage, complete)
	return span{Low: x.Least, High: x.Bound}
}

// Rule is what this package knows about a rule.
type Rule struct {
	Index     int // in SeatRules.Rules
	Least     Limit
	Most      Limit
	Reach     *reach.Entries // nil unless the rule limits latencies
	Quick     bool           // State.Lets decides the rule
	Enclosing *Rule          // an enforced compound that fails whenever this rule fails, or nil
	Counts    matcher.Evaluations
}

// LevelAt returns the index of a latency rule's current bound in the result of Entries.ByLevel.
func (r *Rule) LevelAt(stage *store.Stage, complete bool) int32 {
	if r.Most < 0 {
		return r.Reach.Level(math.Inf(1)) - 1
	}
	return r.Most.Of(stage, complete).Level - 1
}

// TeamSize contains the bounds on a team's number of players.
type TeamSize struct {
	Least, Most Limit
	Varies      bool // the team may be absent, see matcher.Ruleset.MinTeams
}

// Group is the tickets and session players in each team, and the limits that apply to them.
type Group struct {
	expression.Group
	Rows     *store.Rows
	Teams    []TeamSize
	Stage    *store.Stage // the group's stage, or that of any wait until a ticket joins
	Anchored bool         // no further ticket can change the stage
	Seated   bool         // there are session players, of whom State does not know the rules about players alone
	Explains bool         // evaluations are not counted
}

// Decided reports whether the current limits are final, so that they apply to every match that
// the group may become.
func (g *Group) Decided() bool { return g.Complete || g.Anchored }

// Least and Most return the bounds on a team's number of players. If the group's stage may still
// change, each bound is a range.
func (g *Group) Least(team int) span { return g.Teams[team].Least.At(g.Stage, g.Anchored) }

// Requires returns the result of Least, or 0 if the team is absent so far and may stay so.
func (g *Group) Requires(team int) span {
	if g.Absent(team) {
		return ranges.Exactly(0)
	}
	return g.Least(team)
}

// Measure updates Room and Needs. It reports whether no team has too many players.
func (g *Group) Measure() bool {
	for t := range g.Counts {
		g.Needs[t] = g.Requires(t).Low > 0
		if g.Room[t] = int32(g.Most(t).High) - g.Counts[t]; g.Room[t] < 0 {
			return false
		}
	}
	return true
}

// Absent reports whether a team that may be absent has no players.
func (g *Group) Absent(team int) bool { return g.Teams[team].Varies && g.Counts[team] == 0 }

func (g *Group) Most(team int) span { return g.Teams[team].Most.At(g.Stage, g.Anchored) }

// At returns a limit: a single number if it is final, and otherwise the range of its possible
// values.
func (g *Group) At(l Limit) span { return l.At(g.Stage, g.Decided()) }

// OrFree returns a limit, or free if the limit is absent. The value free allows every number. If a
// limit is absent but the wait may still change that, OrFree returns the range of all numbers.
func (g *Group) OrFree(l Limit, free float64) span {
	if l < 0 {
		return ranges.Exactly(free)
	}
	x := g.At(l)
	switch {
	case !math.IsNaN(x.Low):
		return x
	case g.Decided():
		return ranges.Exactly(free)
	}
	return span{Low: math.Inf(-1), High: math.Inf(1)}
}

// Bounded evaluates whether a number is within the bounds of a rule, widened by slack.
func (g *Group) Bounded(r *Rule, x span, slack float64) truth {
	least, most := g.OrFree(r.Least, math.Inf(-1)), g.OrFree(r.Most, math.Inf(1))
	return ranges.Within(x, span{Low: least.Low - slack, High: least.High - slack}, span{Low: most.Low + slack, High: most.High + slack})
}

// Count records that a rule was evaluated with result v.
func (g *Group) Count(r *Rule, v truth) {
	if v == fails {
		g.fail(r, 1)
	} else if !g.Explains {
		r.Counts.Passed++
	}
}

// fail records a number of failed evaluations of a rule.
func (g *Group) fail(r *Rule, times int) {
	if g.Explains {
		return
	}
	r.Counts.Failed += int64(times)
	if r.Enclosing != nil && r.Quick {
		r.Enclosing.Counts.Failed += int64(times)
	}
}

// full reports whether no team has room.
func (g *Group) full() bool {
	return !slices.ContainsFunc(g.Room, func(seats int32) bool { return seats > 0 })
}
