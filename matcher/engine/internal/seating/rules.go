package seating

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// rule is a compiled rule.
type rule struct {
	quick.Rule
	of         matcher.SeatRule
	party      matcher.Aggregation
	measured   []*expression.Expression
	with       []*expression.Expression // one element for each step of the reference; nil if the step is a constant
	column     int                      // the column that a BatchDistance or agreement reads
	far        quick.Limit              // Latency.MaxDistance
	references quick.Limit              // limit whose value is the index of the current reference, or -1 if there is only one
	statement  *statement
	agrees     bool  // the rule is an agreement
	alone      bool  // the rule is in Checks.Alone
	late       *late // how a rule is decided that only complete matches can decide, or nil
}

// evaluator evaluates rules for a group of tickets. The group's stage is Rules.anyWait until a ticket
// joins. Explains is set by KeepsApart and Judge. Then rules that package quick decides are evaluated too.
type evaluator struct {
	quick.Group
	rules  *Rules
	schema *matcher.Schema
}

// statement is the compiled form of a compound's statement.
type statement struct {
	operator string
	parts    []*statement
	rule     *rule
}

// verdict evaluates a rule and records the evaluation.
func (e *evaluator) verdict(r *rule) truth {
	v := e.known(r)
	e.Count(&r.Rule, v)
	return v
}

// known evaluates a rule without recording it.
func (e *evaluator) known(r *rule) truth {
	if r.late != nil {
		return e.knownLate(r)
	}
	return e.evaluate(r)
}

func (e *evaluator) evaluate(r *rule) truth {
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

// states evaluates the statement of a compound.
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
		return undecided
	}
	return e.verdict(s.rule)
}

// settled reports whether quick.State.Push has already decided a rule. If one bit represents several
// texts, it may admit a ticket that breaks the rule, so the rule must still be evaluated.
func (e *evaluator) settled(r *rule) bool {
	return r.Quick && !e.Complete && !e.Explains && !(r.alone && e.Seated) && (r.Reach != nil || r.column < 0 || e.Columns.Exact(r.column))
}

// reference returns the index of the rule's current reference. known is false if the reference
// may still change with the wait.
func (e *evaluator) reference(r *rule) (step int, known bool) {
	if r.references < 0 {
		return 0, true
	}
	index := e.At(r.references)
	return int(index.Low), index.Exact()
}

// with returns the rule's reference as a number. some is false if the reference has no value.
// known is false if the reference may still change with the wait.
func (e *evaluator) with(r *rule, steps matcher.Steps[matcher.Reference]) (n ranges.Number, some, known bool) {
	step, known := e.reference(r)
	if !known {
		return n, true, false
	}
	if x := r.with[step]; x != nil {
		n, some = e.Number(x)
		return n, some, true
	}
	return ranges.Number{Span: ranges.Exactly(steps[step].Value.Number)}, true, true
}

func (e *evaluator) comparison(r *rule, of *matcher.Comparison) truth {
	if of.Measured[0].Base == matcher.Texts {
		return e.texts(r, of)
	}
	var one [1]ranges.Number
	with := one[:0]
	if len(of.Reference) > 0 {
		n, some, known := e.with(r, of.Reference)
		switch {
		case !known:
			return undecided
		case !some:
			return holds
		}
		with = append(with, n)
	}
	var few [32]ranges.Number
	all, more := few[:0], false
	for _, x := range r.measured {
		var inner bool
		all, inner = e.Numbers(all, x)
		more = more || inner
	}
	return ranges.CompareAll(all, with, of.Operation, more, func(a, b ranges.Number) truth { return ranges.Compare(of.Operation, a, b) })
}

// texts evaluates a comparison of texts.
func (e *evaluator) texts(r *rule, of *matcher.Comparison) truth {
	var one [1]matcher.Text
	with := one[:0]
	if len(of.Reference) > 0 {
		step, known := e.reference(r)
		if !known {
			return undecided
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
	return ranges.CompareAll(all, with, of.Operation, more, func(a, b matcher.Text) truth { return ranges.Certain((a == b) == (of.Operation == "="), true) })
}

func (e *evaluator) distance(r *rule, of *matcher.Distance) truth {
	with, some, known := e.with(r, of.Reference)
	switch {
	case !known:
		return undecided
	case !some:
		return holds
	}
	var few [32]ranges.Number
	v := holds
	for _, x := range r.measured {
		all, more := e.Numbers(few[:0], x)
		for _, n := range all {
			v = min(v, ranges.UnlessNone(e.Bounded(&r.Rule, ranges.Difference(n.Span, with.Span), quick.Tolerance), n, with))
		}
		v = ranges.UnlessMore(v, more)
	}
	return v
}

func (e *evaluator) batchDistance(r *rule, of *matcher.BatchDistance) truth {
	lowest, highest := math.Inf(1), math.Inf(-1)
	var text []matcher.Text
	for _, side := range e.Sides {
		for _, member := range side {
			c := e.Columns.Cell(r.column, member)
			for _, t := range c.Texts {
				if text != nil && text[0] != t {
					return fails
				}
				text = c.Texts
			}
			lowest, highest = min(lowest, c.Number), max(highest, c.Number)
		}
	}
	if r.Most < 0 || lowest > highest {
		return ranges.UnlessMore(holds, !e.Complete)
	}
	spread := span{Low: highest - lowest, High: highest - lowest}
	if !e.Complete {
		spread.High = math.Inf(1)
	}
	return e.Bounded(&r.Rule, spread, quick.Tolerance)
}

func (e *evaluator) collection(r *rule, of *matcher.Collection) truth {
	step, known := e.reference(r)
	if !known {
		return undecided
	}
	var few [32]span
	v := holds
	for _, x := range r.measured {
		switch of.Operation {
		case "contains":
			v = min(v, e.Bounded(&r.Rule, e.Holding(x, of.Reference[step].Value.Text), 0))
		case "intersection":
			if n, none, more := e.InCommon(x); none {
				v = ranges.UnlessMore(v, more)
			} else {
				v = min(v, e.Bounded(&r.Rule, n, 0))
			}
		default:
			all, more := e.Shared(few[:0], x, r.with[step])
			for _, n := range all {
				v = min(v, e.Bounded(&r.Rule, n, 0))
			}
			v = ranges.UnlessMore(v, more)
		}
	}
	return v
}

// reached returns a mask of the regions that satisfy all given latency rules for all players. It
// checks Latency.MaxDistance only if the group is complete.
func (e *evaluator) reached(rules []*rule) uint64 {
	mask := uint64(1)<<e.schema.Regions() - 1
	for _, r := range rules {
		level := r.LevelAt(e.Stage, e.Decided())
		for _, side := range e.Sides {
			for _, member := range side {
				mask &= r.Reach.ByLevel(Row(member))[level]
			}
		}
	}
	for rest := mask; e.Complete && rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros64(rest)
		if slices.ContainsFunc(rules, func(r *rule) bool { return r.far >= 0 && !e.near(r, bit) }) {
			mask &^= 1 << bit
		}
	}
	return mask
}

// near reports whether the region of a bit satisfies Latency.MaxDistance. The group must be complete.
func (e *evaluator) near(r *rule, bit int) bool {
	lowest, highest, sum, players := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, side := range e.Sides {
		for _, member := range side {
			if rtts, measured := r.Reach.Of(Row(member)); measured {
				n := float64(e.Columns.Count(member))
				lowest, highest = min(lowest, rtts[bit]), max(highest, rtts[bit])
				sum, players = sum+float64(n*rtts[bit]), players+n
			}
		}
	}
	far := e.OrFree(r.far, math.Inf(1)).High + quick.Tolerance
	if r.of.(*matcher.Latency).FromAvg {
		return max(sum/players-lowest, highest-sum/players) <= far
	}
	return highest-lowest <= far
}

// latency evaluates whether there is a region that satisfies all given latency rules for all
// players.
func (e *evaluator) latency(rules []*rule) truth {
	mask := e.reached(rules)
	return ranges.UnlessMore(ranges.Certain(mask != 0, mask == 0), !e.Complete)
}

// regions appends the regions that satisfy all given latency rules for all players. It sorts them
// by the slowest player's round-trip time and then by name. The group must be complete.
func (e *evaluator) regions(dst []matcher.Region, rules []*rule) []matcher.Region {
	slowest, worst, mask := e.rules.slowest, [matcher.MaxRegions]float64{}, e.reached(rules)
	for _, side := range e.Sides {
		for _, member := range side {
			rtts, _ := slowest.Of(Row(member))
			for rest := mask; rest != 0; rest &= rest - 1 {
				bit := bits.TrailingZeros64(rest)
				worst[bit] = max(worst[bit], rtts[bit])
			}
		}
	}
	return slowest.Tickets.Append(dst, mask, worst[:], nil)
}

// late is the state of a rule that only a complete match can decide: another wait than that of the
// ruleset counts for it, or it is not always enforced.
type late struct {
	basis    matcher.ExpansionBasis
	enforced quick.Limit // limit whose value is an index in SeatCommon.Enforced, or -1 if that is empty
	waitsMS  []int64     // scratch space for knownLate
}

// decideLate sets rule.late if only complete matches can decide a rule.
func (r *Rules) decideLate(c *rule) {
	common, basis := c.of.Common(), r.Set.BasisOf(c.of)
	if (basis == matcher.LongestWait) == r.Set.Oldest && basis != matcher.MeanWait && len(common.Enforced) == 0 {
		return
	}
	c.late, r.Late = &late{basis: basis, enforced: r.limit(ranges.Indexes(common.Enforced))}, true
}

// knownLate evaluates a rule that only complete matches can decide. The waits of all tickets of the
// match count; the players of a session have none.
func (e *evaluator) knownLate(r *rule) truth {
	l, stage := r.late, e.Stage
	if !e.Complete {
		return undecided
	}
	defer func() { e.Stage = stage }()
	if e.Stage = e.lateStage(l); l.enforced >= 0 && !r.of.Common().Enforced[int(e.At(l.enforced).Low)].Value {
		return holds
	}
	return e.evaluate(r)
}

// lateStage returns the stage after the wait that counts for a rule. It is the group's stage if the
// group has no tickets.
func (e *evaluator) lateStage(l *late) *store.Stage {
	l.waitsMS = l.waitsMS[:0]
	for _, side := range e.Sides {
		for _, member := range side {
			if member >= 0 {
				l.waitsMS = append(l.waitsMS, e.rules.rows.WaitMS(Row(member)))
			}
		}
	}
	if len(l.waitsMS) == 0 {
		return e.Stage
	}
	return e.rules.rows.StageAfter(l.basis.WaitMS(l.waitsMS))
}
