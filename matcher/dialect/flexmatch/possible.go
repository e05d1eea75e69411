package flexmatch

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
)

// The functions in this file determine whether a rule can be satisfied at all. They calculate the
// possible results of a rule over all matches. They consider only the sizes of the teams and treat
// player attributes as unknown.

// interval is the range of a number over all matches.
type interval struct{ low, high float64 }

var anyValue = interval{math.Inf(-1), math.Inf(1)}

// verdict tells whether at least one match satisfies a rule (may) and whether every match does
// (must).
type verdict struct{ may, must bool }

// numbersOf returns the range of each number that an expression gives. It returns nil if the ranges
// are not known.
func (r *Ruleset) numbersOf(x *matcher.Expression) []interval {
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
	var lows, highs []float64
	for _, n := range of {
		lows, highs = append(lows, n.low), append(highs, n.high)
	}
	switch x.Function { // all are monotone in every argument, so bounds of the arguments give bounds of the result
	case matcher.Min:
		return []interval{{slices.Min(lows), slices.Min(highs)}}
	case matcher.Max:
		return []interval{{slices.Max(lows), slices.Max(highs)}}
	case matcher.Avg:
		return []interval{{sum(lows) / float64(len(lows)), sum(highs) / float64(len(highs))}}
	case matcher.Sum:
		return []interval{{sum(lows), sum(highs)}}
	}
	return nil
}

func sum(numbers []float64) (all float64) {
	for _, n := range numbers {
		all += n
	}
	return all
}

// counted returns the ranges of the lengths of a list with one value per player. A list for one
// team, or for all teams together (flatten), has one range. A list per team has one range per team.
// counted returns nil for other lists.
func (r *Ruleset) counted(list *matcher.Expression) []interval {
	path, together := list, list.Function == matcher.Flatten
	if together {
		path = list.Argument
	}
	if path.Function != matcher.NoFunction || together && !path.PerTeam {
		return nil
	}
	var teams []interval
	all := interval{}
	for _, i := range path.Teams {
		t := &r.Teams[i]
		n := interval{t.Min[0].Value, widest(t.Max)}
		for _, s := range t.Min {
			n.low = min(n.low, s.Value)
		}
		teams = append(teams, n)
		all.low, all.high = all.low+n.low, all.high+n.high
	}
	if together {
		return []interval{all}
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

// measured returns the ranges of the numbers that expressions give. It uses anyValue for a range
// that is not known.
func (r *Ruleset) measured(list []*matcher.Expression) (all []interval) {
	for _, x := range list {
		numbers := r.numbersOf(x)
		if numbers == nil {
			numbers = []interval{anyValue}
		}
		all = append(all, numbers...)
	}
	return all
}

// judge determines the possible results of a rule at any wait.
func (r *Ruleset) judge(of matcher.SeatRule) verdict {
	switch of := of.(type) {
	case *matcher.Comparison:
		return r.judgeComparison(of)
	case *matcher.Distance:
		return r.judgeDistance(of)
	case *matcher.Collection:
		return r.judgeCollection(of)
	case *matcher.Latency:
		return verdict{may: len(of.Max) == 0 || widest(of.Max) > 0}
	case *matcher.Compound:
		return r.judgeStatement(of.Statement)
	}
	return verdict{may: true}
}

// judgeStatement determines the possible results of a statement. It assumes that the operands are
// independent of each other.
func (r *Ruleset) judgeStatement(s *matcher.Statement) verdict {
	if s.Rule != nil {
		return r.judge(s.Rule)
	}
	first := r.judgeStatement(s.Parts[0])
	for _, part := range s.Parts[1:] {
		next := r.judgeStatement(part)
		switch s.Operator {
		case "and":
			first = verdict{first.may && next.may, first.must && next.must}
		case "or":
			first = verdict{first.may || next.may, first.must || next.must}
		case "xor":
			first = verdict{
				may:  first.may && !next.must || next.may && !first.must,
				must: first.must && !next.may || next.must && !first.may,
			}
		}
	}
	if s.Operator == "not" {
		return verdict{!first.must, !first.may}
	}
	return first
}

// everyWait combines the verdicts of a rule at wait 0 and after each of the waits. In the result,
// may is true if it is true for at least one wait, and must if it is true for all waits.
func everyWait(judge func(waitMS int64) verdict, waits ...[]int64) verdict {
	all := verdict{false, true}
	for _, waitMS := range append(slices.Concat(waits...), 0) {
		v := judge(waitMS)
		all = verdict{all.may || v.may, all.must && v.must}
	}
	return all
}

func waitsOf[T any](steps matcher.Steps[T]) (waits []int64) {
	for _, s := range steps {
		waits = append(waits, s.AfterMS)
	}
	return waits
}

func (r *Ruleset) judgeComparison(c *matcher.Comparison) verdict {
	if len(c.Reference) == 0 || len(c.Measured) == 0 || c.Measured[0].Base != matcher.Numbers {
		return verdict{may: true}
	}
	return everyWait(func(waitMS int64) verdict {
		reference, ok := c.Reference.At(waitMS)
		if !ok {
			return verdict{may: true}
		}
		all := verdict{true, true}
		for _, a := range r.measured(c.Measured) {
			b := r.referenceOf(reference)
			v := map[string]verdict{
				"=":  {a.low <= b.high && b.low <= a.high, a.low == a.high && b == a},
				"<":  {a.low < b.high, a.high < b.low},
				"<=": {a.low <= b.high, a.high <= b.low},
				">":  {a.high > b.low, a.low > b.high},
				">=": {a.high >= b.low, a.low >= b.high},
				"!=": {a.low != a.high || b != a, a.high < b.low || b.high < a.low},
			}[c.Operation]
			all = verdict{all.may && v.may, all.must && v.must}
		}
		return all
	}, waitsOf(c.Reference))
}

// referenceOf returns the range of a reference, or anyValue if it is not known.
func (r *Ruleset) referenceOf(reference matcher.Reference) interval {
	if reference.Expression == nil {
		return interval{reference.Number, reference.Number}
	}
	if numbers := r.numbersOf(reference.Expression); len(numbers) == 1 {
		return numbers[0]
	}
	return anyValue
}

func (r *Ruleset) judgeDistance(d *matcher.Distance) verdict {
	return everyWait(func(waitMS int64) verdict {
		reference, ok := d.Reference.At(waitMS)
		if !ok {
			return verdict{may: true}
		}
		all := verdict{true, true}
		b := r.referenceOf(reference)
		for _, a := range r.measured(d.Measured) {
			apart := interval{max(0, a.low-b.high, b.low-a.high), max(a.high-b.low, b.high-a.low)}
			v := within(apart, d.Min, d.Max, waitMS)
			all = verdict{all.may && v.may, all.must && v.must}
		}
		return all
	}, waitsOf(d.Reference), waitsOf(d.Min), waitsOf(d.Max))
}

// within judges whether a number is within bounds after a wait.
func within(n interval, least, most matcher.Steps[float64], waitMS int64) verdict {
	low, bounded := least.At(waitMS)
	if !bounded {
		low = math.Inf(-1)
	}
	high, bounded := most.At(waitMS)
	if !bounded {
		high = math.Inf(1)
	}
	return verdict{low <= high && n.low <= high && n.high >= low, n.low >= low && n.high <= high}
}

// judgeCollection determines the possible results of a collection. For a count it knows only an
// upper bound: the number of lists, or the number of texts in the reference.
func (r *Ruleset) judgeCollection(c *matcher.Collection) verdict {
	return everyWait(func(waitMS int64) verdict {
		all := verdict{true, true}
		for _, x := range c.Measured {
			for _, n := range r.listsOf(c, x, waitMS) {
				v := within(n, c.Min, c.Max, waitMS)
				all = verdict{all.may && v.may, all.must && v.must}
			}
		}
		return all
	}, waitsOf(c.Reference), waitsOf(c.Min), waitsOf(c.Max))
}

// listsOf returns the ranges of the counts of a collection. If teams are counted separately, there
// is one range per team.
func (r *Ruleset) listsOf(c *matcher.Collection, x *matcher.Expression, waitMS int64) []interval {
	reference, _ := c.Reference.At(waitMS)
	switch {
	case c.Operation == "contains" && (x.Depth != 2 || holdsLists(x)): // otherwise the rule counts teams
		lists := r.counted(x)
		for i := range lists {
			lists[i].low = 0
		}
		if lists != nil {
			return lists
		}
	case reference.Expression != nil && reference.Expression.Field == matcher.InRules:
		return []interval{{0, float64(len(reference.Expression.Texts))}}
	}
	return []interval{{0, math.Inf(1)}}
}

// impossible returns a message if no match satisfies a rule at any wait, and "" otherwise.
func (r *Ruleset) impossible(x rule) string {
	if r.judge(x.language()).may {
		return ""
	}
	const never = "no match of these teams can satisfy it at any wait"
	switch of := x.language().(type) {
	case *matcher.Latency:
		return "no player can satisfy it: maxLatency is never more than 0 ms"
	case *matcher.Comparison:
		if numbers := r.measured(of.Measured); len(numbers) == 1 {
			reference := r.referenceOf(of.Reference[len(of.Reference)-1].Value)
			return fmt.Sprintf("%s: the measured number is %s, which is never %s %s", never, numbers[0], of.Operation, reference)
		}
	case *matcher.Collection:
		return fmt.Sprintf("%s: the count is at most %v", never, r.listsOf(of, of.Measured[0], 0)[0].high)
	}
	return never
}

func (n interval) String() string {
	if n.low == n.high {
		return fmt.Sprint(n.low)
	}
	return fmt.Sprintf("%v to %v", n.low, n.high)
}
