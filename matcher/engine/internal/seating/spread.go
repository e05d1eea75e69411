package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// spread is a rule under which the numbers of a match are at most so far apart: factor times
// the rule's largest distance. It is all that a batchDistance says. A distance of all
// players' numbers from their own average, median, minimum or maximum implies it.
type spread struct {
	rule   *rule
	column int
	at     matcher.Column
	factor float64
}

// spreadOf returns the spread that a rule implies.
func (r *Rules) spreadOf(c *rule) (x spread, ok bool) {
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		c.quick = len(of.Max) > 0
		return spread{c, c.column, of.Column, 1}, c.quick
	case *matcher.Distance:
		if len(of.Max) == 0 || len(of.Reference) != 1 || of.Reference[0].Value.Expression == nil {
			return spread{}, false
		}
		about := of.Reference[0].Value.Expression
		path, ok := r.ofAll(about.Argument)
		if !ok || about.Depth > 0 {
			return spread{}, false
		}
		x = spread{c, r.columns.column(path.Column, c.party), path.Column, 2}
		switch about.Function {
		case matcher.Min, matcher.Max:
			x.factor = 1
		case matcher.Avg, matcher.Median:
		default:
			return spread{}, false
		}
		return x, slices.ContainsFunc(of.Measured, func(m *matcher.Expression) bool {
			measured, ok := r.ofAll(m)
			return ok && measured.Column == path.Column
		})
	}
	return spread{}, false
}

// ofAll returns the path of an expression that gives the numbers of all players of a match,
// in lists or not.
func (r *Rules) ofAll(x *matcher.Expression) (path *matcher.Expression, ok bool) {
	for x != nil && x.Function == matcher.Flatten {
		x = x.Argument
	}
	return x, x != nil && x.Function == matcher.NoFunction && x.Field == matcher.InColumn && x.Base == matcher.Numbers && len(x.Teams) == len(r.Set.Teams)
}

// most returns how far apart numbers may be in a stage.
func (x *spread) most(r *Rules, stage *store.Stage, complete bool) float64 {
	most := r.limitsAt(stage, complete, x.rule.most).high
	if math.IsNaN(most) { // there may be no bound
		return math.Inf(1)
	}
	return x.factor * (most + tolerance)
}

// steps returns how far apart numbers may be, which changes with the wait.
func (x *spread) steps() (list matcher.Steps[float64]) {
	var of matcher.Steps[float64]
	switch rule := x.rule.of.(type) {
	case *matcher.BatchDistance:
		of = rule.Max
	case *matcher.Distance:
		of = rule.Max
	}
	for _, s := range of {
		list = append(list, matcher.Step[float64]{AfterMS: s.AfterMS, Value: x.factor * s.Value})
	}
	return list
}
