// Package ranges compares numbers of which only the range of possible values is known. A comparison
// of two ranges holds, fails or is undecided. The engine uses it while players may still join a
// match. A dialect uses it to find rules that no match can satisfy.
package ranges

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// Truth is the result of evaluating a rule.
type Truth int8

// The results of an evaluation.
const (
	Fails     Truth = iota - 1
	Undecided       // depends on the players who will join
	Holds
)

// Span is the range of values that a number may have.
type Span struct{ Low, High float64 }

// Exactly returns the span that contains only one number.
func Exactly(x float64) Span { return Span{x, x} }

// Exact reports whether the span contains only one number.
func (s Span) Exact() bool { return s.Low == s.High }

// String returns the number, or both ends of the range.
func (s Span) String() string {
	if s.Exact() {
		return fmt.Sprint(s.Low)
	}
	return fmt.Sprintf("%v to %v", s.Low, s.High)
}

// Add extends a span to include a number. Most numbers are inside, which two comparisons show faster than
// min and max.
func (s *Span) Add(x float64) {
	if !(s.Low < x && x < s.High) {
		*s = Span{min(s.Low, x), max(s.High, x)}
	}
}

// Exceeds reports whether the span would be wider than width if it included a number. It gives the same
// result as Add and a subtraction, but takes a quarter of the instructions: min and max also handle NaN.
func (s Span) Exceeds(x, width float64) bool {
	switch {
	case x > s.High && x < s.Low: // the span is empty
		return 0 > width
	case x > s.High:
		return x-s.Low > width
	case x < s.Low:
		return s.High-x > width
	case !math.IsNaN(x):
		return s.High-s.Low > width
	}
	return false
}

// Keep reduces a span to its intersection with another span.
func (s *Span) Keep(other Span) { *s = Span{max(s.Low, other.Low), min(s.High, other.High)} }

// Anywhere returns the span of all numbers.
func Anywhere() Span { return Span{math.Inf(-1), math.Inf(1)} }

// None returns the empty span.
func None() Span { return Span{math.Inf(1), math.Inf(-1)} }

// Of returns the range of a scheduled number over all waits.
func Of(steps matcher.Steps[float64]) Span {
	s := Exactly(steps[0].Value)
	for _, step := range steps {
		s.Add(step.Value)
	}
	return s
}

// Indexes returns the indexes of steps as numbers that change at the same waits.
func Indexes[T any](steps matcher.Steps[T]) (list matcher.Steps[float64]) {
	for i, s := range steps {
		list = append(list, matcher.Step[float64]{AfterMS: s.AfterMS, Value: float64(i)})
	}
	return list
}

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

// CompareAll evaluates a comparison of the values in the slice all. The slice with contains the
// reference, with which each value is compared. If it is empty, the values are compared with each
// other. more is set if values may still be added.
func CompareAll[T any](all, with []T, operation string, more bool, compareTwo func(a, b T) Truth) Truth {
	v := Holds
	for i := range all {
		others := with
		switch {
		case len(with) > 0:
		case operation == "=":
			others = all[:min(i, 1)]
		default:
			others = all[:i]
		}
		for _, other := range others {
			if v = min(v, compareTwo(all[i], other)); v == Fails {
				return Fails
			}
		}
	}
	return UnlessMore(v, more)
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
