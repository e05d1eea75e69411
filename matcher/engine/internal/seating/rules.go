package seating

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/engine/internal/within"
)

// tolerance is added to bounds on differences of decimal numbers, so that 0.8 and 0.6 are
// within 0.2.
const tolerance = 1e-9

// rule is a rule with the indexes of its limits.
type rule struct {
	of         matcher.SeatRule
	party      matcher.Aggregation
	measured   []*expression.Expression
	with       []*expression.Expression // by step of the reference; nil: a constant
	column     int                      // BatchDistance, Latency, or of an agreement
	least      limit
	most       limit
	far        limit // Latency.MaxDistance
	references limit // index of the limit whose value is the number of the reference; -1: it never changes
	statement  *statement
	index      int           // index of the rule, for explanations
	quick      bool          // see quick
	reach      *within.Table // for quick rules about regions
	within     *rule         // the enforced compound that can only hold if this rule does
	counts     matcher.Evaluations
}

// evaluator evaluates rules for a group.
type evaluator struct {
	expression.Group
	rules    *Rules
	schema   *matcher.Schema
	stage    *store.Stage // the stage of the group; nil: no ticket whose wait counts has joined
	explains bool         // evaluations are not counted
	anchored bool         // tickets that join do not change the stage
}

// decided reports whether the limits of the group are those of every match that it may become.
func (e *evaluator) decided() bool { return e.Complete || e.anchored }

// at returns the value or the range of a limit for the group.
func (e *evaluator) at(l limit) span { return e.rules.limitsAt(e.stage, e.decided(), l) }

// count counts the result of an evaluation.
func (e *evaluator) count(r *rule, v truth) {
	switch {
	case e.explains:
	case v != fails:
		r.counts.Passed++
	default:
		r.counts.Failed++
		if r.within != nil && r.quick {
			r.within.counts.Failed++
		}
	}
}

// statement is a compound over compiled rules.
type statement struct {
	operator string
	parts    []*statement
	rule     *rule
}

// verdict returns the truth of a rule, and counts the evaluation.
func (e *evaluator) verdict(r *rule) truth {
	v := e.known(r)
	e.count(r, v)
	return v
}

// known returns the truth of a rule.
func (e *evaluator) known(r *rule) truth {
	switch of := r.of.(type) {
	case *matcher.Comparison:
		return e.comparison(r, of)
	case *matcher.Distance:
		return e.distance(r, of)
	case *matcher.BatchDistance:
		return e.batchDistance(r, of)
	case *matcher.Collection:
		return e.collection(r, of)
	case *matcher.Latency:
		return e.latency([]*rule{r})
	case *matcher.Compound:
		return e.states(r.statement)
	case *matcher.Sort:
		return holds
	}
	panic(fmt.Sprintf("matcher: unknown rule %T", r.of))
}

// states evaluates a statement.
func (e *evaluator) states(s *statement) truth {
	switch s.operator {
	case "and":
		v := holds
		for _, part := range s.parts {
			if v = min(v, e.states(part)); v == fails {
				break
			}
		}
		return v
	case "or":
		v := fails
		for _, part := range s.parts {
			if v = max(v, e.states(part)); v == holds {
				break
			}
		}
		return v
	case "xor":
		return -e.states(s.parts[0]) * e.states(s.parts[1])
	case "not":
		return -e.states(s.parts[0])
	}
	if e.settled(s.rule) {
		return open
	}
	return e.verdict(s.rule)
}

// reference returns the index of the current reference in a rule's steps; false if it may still
// change with the wait.
func (e *evaluator) reference(r *rule) (step int, known bool) {
	if r.references < 0 {
		return 0, true
	}
	place := e.at(r.references)
	return int(place.Low), place.Exact()
}

// with returns the number to compare with. known is false if it may still change with the wait;
// some is false if it has no value.
func (e *evaluator) with(r *rule, steps matcher.Steps[matcher.Reference]) (n expression.Number, some, known bool) {
	step, known := e.reference(r)
	if !known {
		return n, true, false
	}
	if x := r.with[step]; x != nil {
		n, some = e.Number(x)
		return n, some, true
	}
	return expression.Number{Span: exactly(steps[step].Value.Number)}, true, true
}

func (e *evaluator) comparison(r *rule, of *matcher.Comparison) truth {
	if of.Measured[0].Base == matcher.Texts {
		return e.texts(r, of)
	}
	var few [32]expression.Number
	all, more := few[:0], false
	for _, x := range r.measured {
		var inner bool
		all, inner = e.Numbers(all, x)
		more = more || inner
	}
	if len(of.Reference) > 0 {
		with, some, known := e.with(r, of.Reference)
		switch {
		case !known:
			return open
		case !some:
			return holds
		}
		v := holds
		for _, x := range all {
			v = min(v, expression.Compare(of.Operation, x, with))
		}
		return expression.UnlessMore(v, more)
	}
	return compareAll(all, of.Operation, more, func(a, b expression.Number) truth { return expression.Compare(of.Operation, a, b) })
}

// compareAll compares values with each other.
func compareAll[T any](all []T, operation string, more bool, compare func(a, b T) truth) truth {
	v := holds
	for i := range all {
		before := all[:i]
		if operation == "=" && i > 0 {
			before = all[:1]
		}
		for _, other := range before {
			if v = min(v, compare(all[i], other)); v == fails {
				return fails
			}
		}
	}
	return expression.UnlessMore(v, more)
}

// texts is comparison for texts.
func (e *evaluator) texts(r *rule, of *matcher.Comparison) truth {
	var with []matcher.Text
	if len(of.Reference) > 0 {
		step, known := e.reference(r)
		if !known {
			return open
		}
		with = append(with, of.Reference[step].Value.Text)
	}
	if of.Operation == "=" && len(r.measured) == 1 {
		if v, ok := e.Alike(r.measured[0], with...); ok {
			return v
		}
	}
	var few [32]matcher.Text
	all, more := few[:0], false
	for _, x := range r.measured {
		var inner bool
		all, inner = e.Texts(all, x)
		more = more || inner
	}
	compare := func(a, b matcher.Text) truth { return expression.Certain((a == b) == (of.Operation == "="), true) }
	if len(with) == 0 {
		return compareAll(all, of.Operation, more, compare)
	}
	v := holds
	for _, t := range all {
		v = min(v, compare(t, with[0]))
	}
	return expression.UnlessMore(v, more)
}

func (e *evaluator) distance(r *rule, of *matcher.Distance) truth {
	with, some, known := e.with(r, of.Reference)
	switch {
	case !known:
		return open
	case !some:
		return holds
	}
	var few [32]expression.Number
	v := holds
	for _, x := range r.measured {
		all, more := e.Numbers(few[:0], x)
		for _, n := range all {
			v = min(v, expression.UnlessNone(e.bounded(r, expression.Difference(n.Span, with.Span), tolerance), n, with))
		}
		v = expression.UnlessMore(v, more)
	}
	return v
}

// bounded returns the truth of whether a number is within the bounds of a rule.
func (e *evaluator) bounded(r *rule, x span, slack float64) truth {
	least, most := exactly(math.Inf(-1)), exactly(math.Inf(1))
	if r.least >= 0 {
		least = e.orFree(e.at(r.least), math.Inf(-1))
	}
	if r.most >= 0 {
		most = e.orFree(e.at(r.most), math.Inf(1))
	}
	return expression.Within(x, span{Low: least.Low - slack, High: least.High - slack}, span{Low: most.Low + slack, High: most.High + slack})
}

// orFree returns a limit; if it is absent, it returns the value free, which bounds nothing.
// Until the group is complete, an absent limit may still apply, so it is then unknown.
func (e *evaluator) orFree(l span, free float64) span {
	switch {
	case !math.IsNaN(l.Low):
		return l
	case e.decided():
		return exactly(free)
	}
	return span{Low: math.Inf(-1), High: math.Inf(1)}
}

func (e *evaluator) batchDistance(r *rule, of *matcher.BatchDistance) truth {
	lowest, highest := math.Inf(1), math.Inf(-1)
	var text []matcher.Text
	for _, side := range e.Sides {
		for _, who := range side {
			c := e.Columns.Cell(r.column, who)
			for _, t := range c.Texts {
				if text != nil && text[0] != t {
					return fails
				}
				text = c.Texts
			}
			lowest, highest = min(lowest, c.Number), max(highest, c.Number)
		}
	}
	if r.most < 0 || lowest > highest {
		return expression.UnlessMore(holds, !e.Complete)
	}
	spread := span{Low: highest - lowest, High: highest - lowest}
	if !e.Complete {
		spread.High = math.Inf(1)
	}
	return e.bounded(r, spread, tolerance)
}

func (e *evaluator) collection(r *rule, of *matcher.Collection) truth {
	step, known := e.reference(r)
	if !known {
		return open
	}
	var few [32]span
	v := holds
	for _, x := range r.measured {
		switch of.Operation {
		case "contains":
			v = min(v, e.bounded(r, e.Holding(x, of.Reference[step].Value.Text), 0))
		case "intersection":
			if n, none, more := e.InCommon(x); none {
				v = expression.UnlessMore(v, more)
			} else {
				v = min(v, e.bounded(r, n, 0))
			}
		default:
			all, more := e.Shared(few[:0], x, r.with[step])
			for _, n := range all {
				v = min(v, e.bounded(r, n, 0))
			}
			v = expression.UnlessMore(v, more)
		}
	}
	return v
}

// reached returns the regions that all players reach under those of the given rules that have
// no distance.
func (e *evaluator) reached(rules []*rule) uint64 {
	mask := ^uint64(0)
	for _, r := range rules {
		if r.reach != nil {
			mask &= e.common(r, e.rules.levelAt(e.stage, e.decided(), r))
		}
	}
	return mask
}

// latency returns the truth of whether some region satisfies all of the given rules for all
// players.
func (e *evaluator) latency(rules []*rule) truth {
	best, mask := fails, e.reached(rules)&(1<<e.schema.Regions()-1)
	if !e.Complete && !slices.ContainsFunc(rules, func(r *rule) bool { return r.reach == nil }) {
		return expression.UnlessMore(expression.Certain(mask != 0, mask == 0), true)
	}
	for region := range e.schema.Regions() {
		if mask>>region&1 == 0 {
			continue
		}
		v := holds
		for _, r := range rules {
			if e.Complete && r.reach != nil { // mask says so
				continue
			}
			if v = min(v, e.reaches(r, region)); v == fails {
				break
			}
		}
		if best = max(best, v); best == holds {
			break
		}
	}
	if !e.Complete {
		best = min(best, open)
	}
	return best
}

// reaches returns the truth of whether a region satisfies one rule for all players.
func (e *evaluator) reaches(r *rule, region int) truth {
	v := holds
	most := exactly(math.Inf(1))
	if r.most >= 0 {
		most = e.orFree(e.at(r.most), math.Inf(1))
	}
	lowest, sum, players := math.Inf(1), 0.0, 0.0
	for _, side := range e.Sides {
		for _, who := range side {
			rtts := e.Columns.RTTOf(r.column, who)
			if rtts == nil && who < 0 {
				continue
			}
			if region >= len(rtts) || !(rtts[region] <= most.High) {
				return fails
			}
			if rtts[region] > most.Low {
				v = open
			}
			n := float64(e.Columns.Count(who))
			lowest, sum, players = min(lowest, rtts[region]), sum+n*rtts[region], players+n
		}
	}
	if r.far < 0 {
		return v
	}
	if !e.Complete {
		return min(v, open)
	}
	reference, far := lowest, e.orFree(e.at(r.far), math.Inf(1))
	if r.of.(*matcher.Latency).FromAvg {
		reference = sum / players
	}
	for _, side := range e.Sides {
		for _, who := range side {
			if rtts := e.Columns.RTTOf(r.column, who); rtts != nil && math.Abs(rtts[region]-reference) > far.High+tolerance {
				return fails
			}
		}
	}
	return v
}

// regions appends the regions that satisfy the rules for all players, the lowest worst
// round-trip time first, then by name. The group must be complete.
func (e *evaluator) regions(dst []matcher.Region, rules []*rule) []matcher.Region {
	worst := make([]float64, e.schema.Regions())
	column := e.Columns.RTT(matcher.PartyMax)
	from, mask := len(dst), e.reached(rules)
	for region := range worst {
		if mask>>region&1 == 0 {
			continue
		}
		suits := !slices.ContainsFunc(rules, func(r *rule) bool { return r.reach == nil && e.reaches(r, region) != holds })
		for _, side := range e.Sides {
			for _, who := range side {
				rtts := e.Columns.RTTOf(column, who)
				switch {
				case rtts == nil && who < 0:
				case region < len(rtts):
					worst[region] = max(worst[region], rtts[region])
				default:
					suits = false
				}
			}
		}
		if suits {
			dst = append(dst, matcher.Region(region))
		}
	}
	slices.SortFunc(dst[from:], func(a, b matcher.Region) int {
		switch x, y := worst[a], worst[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		case e.schema.RegionName(a) < e.schema.RegionName(b):
			return -1
		}
		return 1
	})
	return dst
}
