package flexmatch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/internal/ranges"
)

// Lint returns warnings about parts of the rule set that are valid but cannot work as intended.
// giveUpMS is the longest time that a ticket waits, or matcher.Never if it is not known.
func (r *Ruleset) Lint(giveUpMS int64) []jsontree.Warning {
	var problems jsontree.Problems
	for i := range r.expansions {
		e := &r.expansions[i]
		for _, s := range e.steps {
			if giveUpMS != matcher.Never && s.afterMS >= giveUpMS {
				problems.Warnf(s.value, "expansion of %s: the step after %d s is never reached, because tickets give up after %d s", e.target, s.afterMS/1000, giveUpMS/1000)
			}
		}
	}
	for i := range r.Attributes {
		if !r.read[i] {
			problems.Warnf(r.Attributes[i].value, "attribute %q is declared but not used", r.Attributes[i].Name)
		}
	}
	for _, rule := range r.rules {
		if rule.Common().Named {
			continue // a compound rule may require that this rule fails
		}
		why := ""
		switch x := rule.SeatRule.(type) {
		case *matcher.Collection:
			why = crossed("minCount", x.Min, "maxCount", x.Max)
		case *matcher.Distance:
			why = crossed("minDistance", x.Min, "maxDistance", x.Max)
		}
		if why = cmp.Or(why, r.impossible(rule.SeatRule)); why != "" {
			problems.Warnf(rule.value, "rule %q: %s", rule.Common().Name, why)
		}
	}
	return problems.Warnings()
}

// crossed returns a message if a minimum exceeds its maximum after some wait, and "" otherwise.
func crossed(least string, a matcher.Steps[float64], most string, b matcher.Steps[float64]) string {
	for _, steps := range []matcher.Steps[float64]{a, b} {
		for _, s := range steps {
			low, bounded := a.At(s.AfterMS)
			high, both := b.At(s.AfterMS)
			if bounded && both && low > high {
				return fmt.Sprintf("after %d s, %s is %v and %s is %v, so no match can satisfy the rule", s.AfterMS/1000, least, low, most, high)
			}
		}
	}
	return ""
}

// The functions below determine whether a rule can be satisfied at all. They calculate the
// possible results of a rule over all matches: it holds in every match, fails in every match, or is
// undecided. They consider only the sizes of the teams and treat player attributes as unknown.

// numbersOf returns the range of each number that an expression gives. It returns nil if the ranges
// are not known.
func (r *Ruleset) numbersOf(x *matcher.Expression) []ranges.Span {
	if x.Function == matcher.NoFunction {
		return nil
	}
	if x.Function == matcher.Count {
		if holdsLists(x) {
			return nil
		}
		return r.counted(x.Argument)
	}
	of := r.numbersOf(x.Argument)
	if x.Depth > 0 || len(of) == 0 {
		return nil
	}
	all := of[0]
	for _, n := range of[1:] { // every function is monotone in every argument, so bounds of the arguments give bounds of the result
		switch x.Function {
		case matcher.Min:
			all.Low, all.High = min(all.Low, n.Low), min(all.High, n.High)
		case matcher.Max:
			all.Low, all.High = max(all.Low, n.Low), max(all.High, n.High)
		default:
			all.Low, all.High = all.Low+n.Low, all.High+n.High
		}
	}
	switch x.Function {
	case matcher.Min, matcher.Max, matcher.Sum:
		return []ranges.Span{all}
	case matcher.Avg:
		n := float64(len(of))
		return []ranges.Span{{Low: all.Low / n, High: all.High / n}}
	}
	return nil
}

// counted returns the ranges of the lengths of a list with one value per player. A list for one
// team, or for all teams together (flatten), has one range. A list per team has one range per team.
// counted returns nil for other lists.
func (r *Ruleset) counted(list *matcher.Expression) []ranges.Span {
	path, together := list, list.Function == matcher.Flatten
	if together {
		path = list.Argument
	}
	if path.Function != matcher.NoFunction || together && !path.PerTeam {
		return nil
	}
	var teams []ranges.Span
	all := ranges.Span{}
	for _, i := range path.Teams {
		t := &r.Teams[i]
		n := ranges.Span{Low: ranges.Of(t.Min).Low, High: ranges.Of(t.Max).High}
		teams = append(teams, n)
		all.Low, all.High = all.Low+n.Low, all.High+n.High
	}
	if together {
		return []ranges.Span{all}
	}
	return teams
}

// holdsLists reports whether the path in an expression gives a list for each player.
func holdsLists(x *matcher.Expression) bool {
	for x.Function != matcher.NoFunction {
		x = x.Argument
	}
	return x.Depth > 2 || x.Depth == 2 && !x.PerTeam
}

// measured returns the ranges of the numbers that expressions give. It uses Anywhere for a range
// that is not known.
func (r *Ruleset) measured(list []*matcher.Expression) (all []ranges.Span) {
	for _, x := range list {
		numbers := r.numbersOf(x)
		if numbers == nil {
			numbers = []ranges.Span{ranges.Anywhere()}
		}
		all = append(all, numbers...)
	}
	return all
}

// judge determines the possible results of a rule at any wait.
func (r *Ruleset) judge(of matcher.SeatRule) ranges.Truth {
	switch of := of.(type) {
	case *matcher.Comparison:
		if len(of.Reference) == 0 || len(of.Measured) == 0 || of.Measured[0].Base != matcher.Numbers {
			return ranges.Undecided
		}
		return r.judgeNumbers(of.Measured, of.Reference, func(a, b ranges.Span, _ int64) ranges.Truth {
			return ranges.Compare(of.Operation, ranges.Number{Span: a}, ranges.Number{Span: b})
		})
	case *matcher.Distance:
		return r.judgeNumbers(of.Measured, of.Reference, func(a, b ranges.Span, waitMS int64) ranges.Truth {
			return bounded(ranges.Difference(a, b), of.Min, of.Max, waitMS)
		}, waitsOf(of.Min), waitsOf(of.Max))
	case *matcher.Collection:
		return r.judgeCollection(of)
	case *matcher.Latency:
		if len(of.Max) > 0 && ranges.Of(of.Max).High <= 0 {
			return ranges.Fails
		}
	case *matcher.Compound:
		return r.judgeStatement(of.Statement)
	}
	return ranges.Undecided
}

// judgeStatement determines the possible results of a statement. It assumes that the operands are
// independent of each other.
func (r *Ruleset) judgeStatement(s *matcher.Statement) ranges.Truth {
	if s.Rule != nil {
		return r.judge(s.Rule)
	}
	first := r.judgeStatement(s.Parts[0])
	for _, part := range s.Parts[1:] {
		next := r.judgeStatement(part)
		switch s.Operator {
		case "and":
			first = min(first, next)
		case "or":
			first = max(first, next)
		case "xor":
			first = -first * next
		}
	}
	if s.Operator == "not" {
		return -first
	}
	return first
}

// everyWait combines the truths of a rule at wait 0 and after each of the waits. The result is
// undecided unless all of them are equal.
func everyWait(judge func(waitMS int64) ranges.Truth, waits ...[]int64) ranges.Truth {
	all := judge(0)
	for _, waitMS := range slices.Concat(waits...) {
		if judge(waitMS) != all {
			return ranges.Undecided
		}
	}
	return all
}

func waitsOf[T any](steps matcher.Steps[T]) (waits []int64) {
	for _, s := range steps {
		waits = append(waits, s.AfterMS)
	}
	return waits
}

// judgeNumbers judges a rule that must hold for each measured number a and the reference b. waits are
// the waits at which the rule changes in addition to those at which the reference does.
func (r *Ruleset) judgeNumbers(measured []*matcher.Expression, reference matcher.Steps[matcher.Reference], judge func(a, b ranges.Span, waitMS int64) ranges.Truth, waits ...[]int64) ranges.Truth {
	return everyWait(func(waitMS int64) ranges.Truth {
		with, ok := reference.At(waitMS)
		if !ok {
			return ranges.Undecided
		}
		all, b := ranges.Holds, r.referenceOf(with)
		for _, a := range r.measured(measured) {
			all = min(all, judge(a, b, waitMS))
		}
		return all
	}, append(waits, waitsOf(reference))...)
}

// referenceOf returns the range of a reference, or Anywhere if it is not known.
func (r *Ruleset) referenceOf(reference matcher.Reference) ranges.Span {
	if reference.Expression == nil {
		return ranges.Exactly(reference.Number)
	}
	if numbers := r.numbersOf(reference.Expression); len(numbers) == 1 {
		return numbers[0]
	}
	return ranges.Anywhere()
}

// bounded judges whether a number is within bounds after a wait.
func bounded(n ranges.Span, least, most matcher.Steps[float64], waitMS int64) ranges.Truth {
	bounds := ranges.Anywhere()
	if low, ok := least.At(waitMS); ok {
		bounds.Low = low
	}
	if high, ok := most.At(waitMS); ok {
		bounds.High = high
	}
	if bounds.Low > bounds.High {
		return ranges.Fails
	}
	return ranges.Within(n, ranges.Exactly(bounds.Low), ranges.Exactly(bounds.High))
}

// judgeCollection determines the possible results of a collection. For a count it knows only an
// upper bound: the number of lists, or the number of texts in the reference.
func (r *Ruleset) judgeCollection(c *matcher.Collection) ranges.Truth {
	return everyWait(func(waitMS int64) ranges.Truth {
		all := ranges.Holds
		for _, x := range c.Measured {
			for _, n := range r.listsOf(c, x, waitMS) {
				all = min(all, bounded(n, c.Min, c.Max, waitMS))
			}
		}
		return all
	}, waitsOf(c.Reference), waitsOf(c.Min), waitsOf(c.Max))
}

// listsOf returns the ranges of the counts of a collection. If teams are counted separately, there
// is one range per team.
func (r *Ruleset) listsOf(c *matcher.Collection, x *matcher.Expression, waitMS int64) []ranges.Span {
	reference, _ := c.Reference.At(waitMS)
	switch {
	case c.Operation == "contains" && (x.Depth != 2 || holdsLists(x)): // otherwise the rule counts teams
		lists := r.counted(x)
		for i := range lists {
			lists[i].Low = 0
		}
		if lists != nil {
			return lists
		}
	case reference.Expression != nil && reference.Expression.Field == matcher.InRules:
		return []ranges.Span{{High: float64(len(reference.Expression.Texts))}}
	}
	return []ranges.Span{{High: math.Inf(1)}}
}

// impossible returns a message if no match satisfies a rule at any wait, and "" otherwise.
func (r *Ruleset) impossible(x matcher.SeatRule) string {
	if r.judge(x) != ranges.Fails {
		return ""
	}
	const never = "no match of these teams can satisfy it at any wait"
	switch of := x.(type) {
	case *matcher.Latency:
		return "no player can satisfy it: maxLatency is never more than 0 ms"
	case *matcher.Comparison:
		if numbers := r.measured(of.Measured); len(numbers) == 1 {
			reference := r.referenceOf(of.Reference[len(of.Reference)-1].Value)
			return fmt.Sprintf("%s: the measured number is %s, which is never %s %s", never, numbers[0], of.Operation, reference)
		}
	case *matcher.Collection:
		return fmt.Sprintf("%s: the count is at most %v", never, r.listsOf(of, of.Measured[0], 0)[0].High)
	}
	return never
}
