package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// Truth is the state of a rule while a match is not complete.
type Truth int8

// The states.
const (
	Fails Truth = iota - 1
	Open        // it depends on the players who join
	Holds
)

// Span is the possible range of a number of the complete match.
type Span struct{ Low, High float64 }

// Exactly returns the span of a known number.
func Exactly(x float64) Span { return Span{x, x} }

// Exact reports whether the number is known.
func (s Span) Exact() bool { return s.Low == s.High }

// Add extends a span to include a number.
func (s *Span) Add(x float64) { *s = Span{min(s.Low, x), max(s.High, x)} }

// Keep limits a span to its intersection with another.
func (s *Span) Keep(other Span) { *s = Span{max(s.Low, other.Low), min(s.High, other.High)} }

// Anywhere is the span of all numbers.
func Anywhere() Span { return Span{math.Inf(-1), math.Inf(1)} }

// None is the span of no numbers.
func None() Span { return Span{math.Inf(1), math.Inf(-1)} }

// Number is a number that an expression gives.
type Number struct {
	Span
	Doubt bool // the result of a function over no players so far: it may have no value
}

// Certain returns Holds if yes is certain, Fails if no is certain, and otherwise Open.
func Certain(yes, no bool) Truth {
	switch {
	case yes:
		return Holds
	case no:
		return Fails
	}
	return Open
}

// UnlessMore converts the truth for all values so far into the truth for all values, if there
// may be more.
func UnlessMore(v Truth, more bool) Truth {
	if more {
		return min(v, Open)
	}
	return v
}

// UnlessNone converts the truth for two numbers into the truth if one of them may turn out to
// have no value.
func UnlessNone(v Truth, a, b Number) Truth {
	if a.Doubt || b.Doubt {
		return max(v, Open)
	}
	return v
}

// Compare applies an operation to two numbers.
func Compare(operation string, a, b Number) Truth {
	var v Truth
	switch operation {
	case "=", "!=":
		if v = Certain(a.Exact() && b.Exact() && a.Low == b.Low, a.High < b.Low || b.High < a.Low); operation == "!=" {
			v = -v
		}
	case "<":
		v = Certain(a.High < b.Low, a.Low >= b.High)
	case "<=":
		v = Certain(a.High <= b.Low, a.Low > b.High)
	case ">":
		v = Certain(a.Low > b.High, a.High <= b.Low)
	default:
		v = Certain(a.Low >= b.High, a.High < b.Low)
	}
	return UnlessNone(v, a, b)
}

// Within returns the truth of whether a number is within two bounds, each a span itself.
func Within(x, least, most Span) Truth {
	return min(
		Certain(x.Low >= least.High, x.High < least.Low),
		Certain(x.High <= most.Low, x.Low > most.High),
	)
}

// Difference returns the range of the absolute difference of two numbers.
func Difference(a, b Span) Span {
	return Span{max(0, a.Low-b.High, b.Low-a.High), max(a.High-b.Low, b.High-a.Low)}
}

// totals are the statistics of numbers that functions need: their count and the number of
// values that may still be added, their sum, and the lowest and highest.
type totals struct {
	count, more          int
	sum, lowest, highest Span
	some                 bool // there will be at least one number
}

// reduce applies a function to numbers. Some of them may turn out to have no value, and more
// values within a domain may be added.
func reduce(f matcher.Function, list []Number, more int, domain Span) (n Number, ok bool) {
	t := totals{more: more, lowest: Exactly(math.Inf(1)), highest: Exactly(math.Inf(-1))}
	var few [16]float64
	exact := few[:0]
	for i := range list {
		v := &list[i]
		if v.Doubt {
			domain = Span{min(domain.Low, v.Low), max(domain.High, v.High)}
			t.more++
			continue
		}
		t.count++
		t.lowest = Span{min(t.lowest.Low, v.Low), min(t.lowest.High, v.High)}
		t.highest = Span{max(t.highest.Low, v.Low), max(t.highest.High, v.High)}
		t.sum.Low, t.sum.High = t.sum.Low+v.Low, t.sum.High+v.High
		if v.Exact() {
			exact = append(exact, v.Low)
		}
	}
	if f == matcher.Count {
		return Number{Span: Exactly(float64(len(list)))}, true
	}
	if t.more > 0 || len(exact) < t.count {
		exact = nil
	}
	return t.number(f, exact, domain)
}

// number returns the value of a function over numbers, to which more within a domain may be
// added. It returns false if there are none. exact are the numbers if all are known; only the
// median and the deviation use them.
func (t *totals) number(f matcher.Function, exact []float64, domain Span) (n Number, ok bool) {
	count, more := float64(t.count), float64(t.more)
	if f == matcher.Sum {
		if n.Span = t.sum; t.more > 0 {
			n.Low, n.High = n.Low+more*min(0, domain.Low), n.High+more*max(0, domain.High)
		}
		return n, true
	}
	if t.count == 0 {
		if n.Span = domain; f == matcher.Stddev {
			n.Span = Span{0, domain.High - domain.Low}
		}
		n.Doubt = t.more > 0 && !t.some
		return n, t.more > 0
	}
	lowest, highest := t.lowest, t.highest
	if t.more > 0 {
		lowest.Low, highest.High = min(lowest.Low, domain.Low), max(highest.High, domain.High)
	}
	switch f {
	case matcher.Min:
		n.Span = lowest
	case matcher.Max:
		n.Span = highest
	case matcher.Avg:
		if n.Span = (Span{t.sum.Low / count, t.sum.High / count}); t.more > 0 {
			n.Low = min(n.Low, (t.sum.Low+more*domain.Low)/(count+more))
			n.High = max(n.High, (t.sum.High+more*domain.High)/(count+more))
		}
	case matcher.Stddev:
		if n.Span = (Span{0, highest.High - lowest.Low}); len(exact) == t.count {
			n.Span = Exactly(deviation(exact, t.sum.Low/count))
		}
	default:
		if n.Span = (Span{lowest.Low, highest.High}); len(exact) == t.count {
			n.Span = Exactly(median(exact))
		}
	}
	return n, true
}

func deviation(numbers []float64, mean float64) float64 {
	squares := 0.0
	for _, x := range numbers {
		squares += float64((x - mean) * (x - mean))
	}
	return math.Sqrt(squares / float64(len(numbers)))
}

// median returns the median. It sorts the numbers.
func median(numbers []float64) float64 {
	slices.Sort(numbers)
	middle := len(numbers) / 2
	if len(numbers)%2 == 0 {
		return (numbers[middle-1] + numbers[middle]) / 2
	}
	return numbers[middle]
}
