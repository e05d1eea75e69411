package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// Truth is the result of evaluating a rule. If the match is not complete, the result may be undecided.
type Truth int8

// The results of an evaluation.
const (
	Fails     Truth = iota - 1
	Undecided       // depends on the players who will join
	Holds
)

// Span is the range of values that a number may have in the complete match.
type Span struct{ Low, High float64 }

// Exactly returns the span that contains only one number.
func Exactly(x float64) Span { return Span{x, x} }

// Exact reports whether the span contains only one number.
func (s Span) Exact() bool { return s.Low == s.High }

// Add extends a span to include a number.
func (s *Span) Add(x float64) { *s = Span{min(s.Low, x), max(s.High, x)} }

// Keep reduces a span to its intersection with another span.
func (s *Span) Keep(other Span) { *s = Span{max(s.Low, other.Low), min(s.High, other.High)} }

// Anywhere returns the span of all numbers.
func Anywhere() Span { return Span{math.Inf(-1), math.Inf(1)} }

// None returns the empty span.
func None() Span { return Span{math.Inf(1), math.Inf(-1)} }

// Number is the value of an expression that yields a number.
type Number struct {
	Span
	Doubt bool // there may be no value, because a function is applied to a list that is still empty
}

// Certain returns Holds if yes is set, Fails if no is set, and Undecided if neither is.
func Certain(yes, no bool) Truth {
	switch {
	case yes:
		return Holds
	case no:
		return Fails
	}
	return Undecided
}

// UnlessMore returns the truth of a statement about all values of a list. v is its truth for the
// present values. more is set if values may still be added.
func UnlessMore(v Truth, more bool) Truth {
	if more {
		return min(v, Undecided)
	}
	return v
}

// UnlessNone returns the truth of a comparison of two numbers that may have no value. v is its
// truth if both have a value. A comparison without a value holds.
func UnlessNone(v Truth, a, b Number) Truth {
	if a.Doubt || b.Doubt {
		return max(v, Undecided)
	}
	return v
}

// Compare evaluates a comparison of two numbers.
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

// Within evaluates whether x is between least and most, inclusive.
func Within(x, least, most Span) Truth {
	return min(
		Certain(x.Low >= least.High, x.High < least.Low),
		Certain(x.High <= most.Low, x.Low > most.High),
	)
}

// Difference returns the range of the absolute difference between two numbers.
func Difference(a, b Span) Span {
	return Span{max(0, a.Low-b.High, b.Low-a.High), max(a.High-b.Low, b.High-a.Low)}
}

// totals contains the statistics of a list of numbers from which functions are computed.
type totals struct {
	count, more          int // how many numbers there are now, and how many may still be added
	sum, lowest, highest Span
	some                 bool // the complete list will not be empty
}

// reduce applies a function to a list of numbers. more is how many numbers may still be added,
// each of them within domain. ok is false if the function has no value.
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

// number returns the value of a function. ok is false if the function has no value. exact
// contains the numbers if all of them are known, and is nil otherwise; only the median and the
// standard deviation use it. Numbers that may still be added are within domain.
func (t *totals) number(f matcher.Function, exact []float64, domain Span) (n Number, ok bool) {
	count, more := float64(t.count), float64(t.more)
	if f == matcher.Sum {
		if n.Span = t.sum; t.more > 0 {
			n.Low, n.High = n.Low+float64(more*min(0, domain.Low)), n.High+float64(more*max(0, domain.High))
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
			n.Low = min(n.Low, (t.sum.Low+float64(more*domain.Low))/(count+more))
			n.High = max(n.High, (t.sum.High+float64(more*domain.High))/(count+more))
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

// median returns the median of numbers, which it sorts.
func median(numbers []float64) float64 {
	slices.Sort(numbers)
	middle := len(numbers) / 2
	if len(numbers)%2 == 0 {
		return (numbers[middle-1] + numbers[middle]) / 2
	}
	return numbers[middle]
}
