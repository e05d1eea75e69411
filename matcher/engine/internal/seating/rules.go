package seating

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
)

// tolerance widens bounds on differences of decimal numbers: 0.8 and 0.6 are within 0.2.
const tolerance = 1e-9

// rule is a rule with the places of its limits.
type rule struct {
	of         matcher.SeatRule
	party      matcher.Aggregation
	column     int // BatchDistance, Latency
	least      limit
	most       limit
	far        limit // Latency.MaxDistance
	references limit // the place of the wait's reference; -1: it never changes
	statement  *statement
	index      int    // of the rule, for explanations
	quick      bool   // see quick
	reach      *reach // of quick rules about regions
	within     *rule  // the enforced compound that cannot hold unless this rule does
	counts     matcher.Evaluations
}

// count notes what an evaluation came to.
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

// verdict tells what is known of a rule, and counts the evaluation.
func (e *evaluator) verdict(r *rule) truth {
	v := e.known(r)
	e.count(r, v)
	return v
}

// known tells what is known of a rule.
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
	if s.rule.quick && !e.complete { // checked already
		return open
	}
	return e.verdict(s.rule)
}

// reference returns what to compare with. known is false while it may still change with
// the wait, some where it has no value.
func (e *evaluator) reference(r *rule, steps matcher.Steps[matcher.Reference]) (v value, some, known bool) {
	if len(steps) == 0 {
		return value{}, false, true
	}
	at := 0
	if r.references >= 0 {
		place := e.at(r.references)
		if !place.exact() {
			return value{}, true, false
		}
		at = int(place.low)
	}
	ref := &steps[at].Value
	if ref.Expression != nil {
		v = e.evaluate(ref.Expression, r.party)
		return v, !v.none, true
	}
	if ref.Type.Depth > 0 {
		return e.texts(ref.Texts), true, true
	}
	if ref.Type.Base == matcher.Texts {
		return value{text: ref.Text}, true, true
	}
	return value{span: exactly(ref.Number)}, true, true
}

// measured returns all values of some expressions, and whether more may come.
func (e *evaluator) measured(dst []value, list []*matcher.Expression, party matcher.Aggregation) ([]value, bool) {
	more := false
	for _, x := range list {
		var inner bool
		dst, inner = leaves(dst, e.evaluate(x, party))
		more = more || inner
	}
	return dst, more
}

// unlessMore turns what holds for all values so far into what is known of all.
func unlessMore(v truth, more bool) truth {
	if more {
		return min(v, open)
	}
	return v
}

// unlessNone turns what fails for two values into what is known where one of them may turn
// out to be none.
func unlessNone(v truth, a, b value) truth {
	if a.doubt || b.doubt {
		return max(v, open)
	}
	return v
}

func (e *evaluator) comparison(r *rule, of *matcher.Comparison) truth {
	var few [32]value
	e.arena = e.arena[:0]
	all, more := e.measured(few[:0], of.Measured, r.party)
	v := holds
	if len(of.Reference) > 0 {
		with, some, known := e.reference(r, of.Reference)
		if !known {
			return open
		}
		if !some {
			return holds
		}
		for _, x := range all {
			v = min(v, unlessNone(compare(of.Operation, x, with), x, with))
		}
		return unlessMore(v, more)
	}
	for i := range all {
		before := all[:i]
		if of.Operation == "=" && i > 0 {
			before = all[:1]
		}
		for _, other := range before {
			if v = min(v, unlessNone(compare(of.Operation, all[i], other), all[i], other)); v == fails {
				return fails
			}
		}
	}
	return unlessMore(v, more)
}

func (e *evaluator) distance(r *rule, of *matcher.Distance) truth {
	var few [32]value
	e.arena = e.arena[:0]
	with, some, known := e.reference(r, of.Reference)
	if !known {
		return open
	}
	if !some {
		return holds
	}
	all, more := e.measured(few[:0], of.Measured, r.party)
	v := holds
	for _, x := range all {
		v = min(v, unlessNone(e.bounded(r, difference(x.span, with.span), tolerance), x, with))
	}
	return unlessMore(v, more)
}

// bounded tells whether a number keeps the bounds of a rule.
func (e *evaluator) bounded(r *rule, x span, slack float64) truth {
	least, most := exactly(math.Inf(-1)), exactly(math.Inf(1))
	if r.least >= 0 {
		least = e.orFree(e.at(r.least), math.Inf(-1))
	}
	if r.most >= 0 {
		most = e.orFree(e.at(r.most), math.Inf(1))
	}
	return within(x, span{least.low - slack, least.high - slack}, span{most.low + slack, most.high + slack})
}

// orFree returns a limit, or what bounds nothing where the limit is absent: until the group
// is complete it may yet be there.
func (e *evaluator) orFree(l span, free float64) span {
	switch {
	case !math.IsNaN(l.low):
		return l
	case e.complete:
		return exactly(free)
	}
	return span{math.Inf(-1), math.Inf(1)}
}

func (e *evaluator) batchDistance(r *rule, of *matcher.BatchDistance) truth {
	lowest, highest := math.Inf(1), math.Inf(-1)
	var text []matcher.Text
	for _, side := range e.sides {
		for _, who := range side {
			c := e.columns.cell(r.column, who)
			for _, t := range c.texts {
				if text != nil && text[0] != t {
					return fails
				}
				text = c.texts
			}
			lowest, highest = min(lowest, c.number), max(highest, c.number)
		}
	}
	if r.most < 0 || lowest > highest {
		return unlessMore(holds, !e.complete)
	}
	spread := span{highest - lowest, highest - lowest}
	if !e.complete {
		spread.high = math.Inf(1)
	}
	return e.bounded(r, spread, tolerance)
}

func (e *evaluator) collection(r *rule, of *matcher.Collection) truth {
	e.arena = e.arena[:0]
	with, some, known := e.reference(r, of.Reference)
	if !known {
		return open
	}
	if len(of.Reference) > 0 && !some {
		return holds
	}
	v := holds
	for _, x := range of.Measured {
		lists := e.evaluate(x, r.party)
		if x.Depth < 3 {
			v = min(v, e.counted(r, of.Operation, lists, x.Depth, with))
			continue
		}
		for _, team := range lists.list {
			v = min(v, e.counted(r, of.Operation, team, 2, with))
		}
	}
	return v
}

// counted tells whether the texts of some lists keep the bounds of a rule. With a depth of 1
// it is one list.
func (e *evaluator) counted(r *rule, operation string, lists value, depth int, with value) truth {
	switch operation {
	case "contains":
		return e.bounded(r, holding(lists, with.text), 0)
	case "intersection":
		if len(lists.list) == 0 {
			return unlessMore(holds, lists.more > 0)
		}
		common := e.intersection(lists)
		n := exactly(float64(len(common.list)))
		if common.fewer {
			n.low = 0
		}
		return e.bounded(r, n, 0)
	}
	if depth == 1 {
		return e.bounded(r, shared(lists, with), 0)
	}
	v := holds
	for _, list := range lists.list {
		v = min(v, e.bounded(r, shared(list, with), 0))
	}
	return unlessMore(v, lists.more > 0)
}

// holding counts the lists that hold a text.
func holding(lists value, text matcher.Text) span {
	n := 0
	fewer := lists.fewer
	for _, list := range lists.list {
		if !list.isList && list.text == text || list.isList && indexText(list.list, text) >= 0 {
			n++
		}
		fewer = fewer || list.fewer
	}
	s := span{float64(n), float64(n + lists.more)}
	if fewer {
		s.low = 0
	}
	return s
}

// reached returns the regions that everybody reaches under those of some rules that have
// no distance.
func (e *evaluator) reached(rules []*rule) uint64 {
	mask := ^uint64(0)
	for _, r := range rules {
		if r.reach != nil {
			mask &= e.common(r, e.rules.levelAt(e.stage, e.complete, r))
		}
	}
	return mask
}

// latency tells whether some region suits everybody under all of some rules.
func (e *evaluator) latency(rules []*rule) truth {
	best, mask := fails, e.reached(rules)
	for region := range e.schema.Regions() {
		if mask>>region&1 == 0 {
			continue
		}
		v := holds
		for _, r := range rules {
			if v = min(v, e.reaches(r, region)); v == fails {
				break
			}
		}
		if best = max(best, v); best == holds {
			break
		}
	}
	if !e.complete {
		best = min(best, open)
	}
	return best
}

// reaches tells whether a region suits everybody under one rule.
func (e *evaluator) reaches(r *rule, region int) truth {
	v := holds
	most := exactly(math.Inf(1))
	if r.most >= 0 {
		most = e.orFree(e.at(r.most), math.Inf(1))
	}
	lowest, sum, players := math.Inf(1), 0.0, 0.0
	for _, side := range e.sides {
		for _, who := range side {
			rtts := e.columns.rttOf(r.column, who)
			if rtts == nil && who < 0 {
				continue
			}
			if region >= len(rtts) || !(rtts[region] <= most.high) {
				return fails
			}
			if rtts[region] > most.low {
				v = open
			}
			n := float64(e.columns.count(who))
			lowest, sum, players = min(lowest, rtts[region]), sum+n*rtts[region], players+n
		}
	}
	if r.far < 0 {
		return v
	}
	if !e.complete {
		return min(v, open)
	}
	reference, far := lowest, e.orFree(e.at(r.far), math.Inf(1))
	if r.of.(*matcher.Latency).FromAvg {
		reference = sum / players
	}
	for _, side := range e.sides {
		for _, who := range side {
			if rtts := e.columns.rttOf(r.column, who); rtts != nil && math.Abs(rtts[region]-reference) > far.high+tolerance {
				return fails
			}
		}
	}
	return v
}

// regions returns those that suit everybody, the lowest worst round-trip time first, then
// by name. The group is complete.
func (e *evaluator) regions(dst []matcher.Region, rules []*rule) []matcher.Region {
	worst := make([]float64, e.schema.Regions())
	column := e.columns.rtt(matcher.PartyMax)
	from, mask := len(dst), e.reached(rules)
	for region := range worst {
		if mask>>region&1 == 0 {
			continue
		}
		suits := !slices.ContainsFunc(rules, func(r *rule) bool { return e.reaches(r, region) != holds })
		for _, side := range e.sides {
			for _, who := range side {
				rtts := e.columns.rttOf(column, who)
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
