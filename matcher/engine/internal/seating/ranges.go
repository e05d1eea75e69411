package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// truth is what is known of a rule while a match is not complete.
type truth int8

const (
	fails truth = iota - 1
	open        // it depends on who joins
	holds
)

// span is where a number of the complete match may lie.
type span struct{ low, high float64 }

func exactly(x float64) span { return span{x, x} }

func (s span) exact() bool { return s.low == s.high }

// value is what an expression gives: a span, a text or a list.
type value struct {
	span
	text   matcher.Text
	list   []value
	isList bool
	none   bool // a function over nobody
	doubt  bool // a function over nobody so far: it may turn out to be none
	more   int  // values that may still join the list
	some   bool // the list will not stay empty
	fewer  bool // values of the list may still go
}

// certain tells whether one thing or its opposite is sure.
func certain(yes, no bool) truth {
	switch {
	case yes:
		return holds
	case no:
		return fails
	}
	return open
}

// compare applies an operation to two values.
func compare(operation string, a, b value) truth {
	switch operation {
	case "=":
		if a.text != b.text {
			return fails
		}
		return certain(a.exact() && b.exact() && a.low == b.low, a.high < b.low || b.high < a.low)
	case "!=":
		return -compare("=", a, b)
	case "<":
		return certain(a.high < b.low, a.low >= b.high)
	case "<=":
		return certain(a.high <= b.low, a.low > b.high)
	case ">":
		return compare("<", b, a)
	}
	return compare("<=", b, a)
}

// within tells whether a number keeps two bounds, each a span itself.
func within(x, least, most span) truth {
	return min(
		certain(x.low >= least.high, x.high < least.low),
		certain(x.high <= most.low, x.low > most.high),
	)
}

// difference returns where the absolute difference of two numbers lies.
func difference(a, b span) span {
	return span{max(0, a.low-b.high, b.low-a.high), max(a.high-b.low, b.high-a.low)}
}

// reduce applies a function to numbers, to which some more within a domain may come, and
// tells whether it has a value.
func reduce(f matcher.Function, list []value, more int, domain span) (span, bool) {
	if more == 0 && slices.ContainsFunc(list, func(v value) bool { return v.doubt }) {
		var few [8]value
		sure := few[:0]
		domain = span{math.Inf(1), math.Inf(-1)}
		for _, v := range list {
			if v.doubt {
				domain = span{min(domain.low, v.low), max(domain.high, v.high)}
				more++
			} else {
				sure = append(sure, v)
			}
		}
		list = sure
	}
	n, k := float64(len(list)), float64(more)
	lowest, highest := exactly(math.Inf(1)), exactly(math.Inf(-1))
	sum := span{}
	for i := range list {
		v := &list[i].span
		lowest = span{min(lowest.low, v.low), min(lowest.high, v.high)}
		highest = span{max(highest.low, v.low), max(highest.high, v.high)}
		sum.low, sum.high = sum.low+v.low, sum.high+v.high
	}
	if f == matcher.Sum {
		return span{sum.low + k*min(0, domain.low), sum.high + k*max(0, domain.high)}, true
	}
	if len(list) == 0 {
		if f == matcher.Stddev {
			domain = span{0, domain.high - domain.low}
		}
		return domain, more > 0
	}
	if more > 0 {
		lowest.low, highest.high = min(lowest.low, domain.low), max(highest.high, domain.high)
	}
	switch f {
	case matcher.Min:
		return lowest, true
	case matcher.Max:
		return highest, true
	case matcher.Avg:
		mean := span{sum.low / n, sum.high / n}
		if more > 0 {
			mean.low = min(mean.low, (sum.low+k*domain.low)/(n+k))
			mean.high = max(mean.high, (sum.high+k*domain.high)/(n+k))
		}
		return mean, true
	}
	all := span{lowest.low, highest.high} // the median, and what the deviation is at most
	if more == 0 && !slices.ContainsFunc(list, func(v value) bool { return !v.exact() }) {
		return exactly(exact(f, list, sum.low/n)), true
	}
	if f == matcher.Stddev {
		return span{0, all.high - all.low}, true
	}
	return all, true
}

// exact returns the median or the deviation of numbers that are known.
func exact(f matcher.Function, list []value, mean float64) float64 {
	if f == matcher.Stddev {
		squares := 0.0
		for i := range list {
			squares += float64((list[i].low - mean) * (list[i].low - mean))
		}
		return math.Sqrt(squares / float64(len(list)))
	}
	var few [16]float64
	sorted := few[:0]
	for i := range list {
		sorted = append(sorted, list[i].low)
	}
	slices.Sort(sorted)
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// shared returns how many texts two lists have in common.
func shared(a, b value) span {
	n := 0
	for i := range a.list {
		if indexText(a.list[:i], a.list[i].text) < 0 && indexText(b.list, a.list[i].text) >= 0 {
			n++
		}
	}
	s := exactly(float64(n))
	if a.fewer || b.fewer {
		s.low = 0
	}
	if a.more > 0 || b.more > 0 {
		s.high = math.Inf(1)
		if a.more == 0 {
			s.high = float64(len(a.list))
		}
		if b.more == 0 {
			s.high = min(s.high, float64(len(b.list)))
		}
	}
	return s
}

func indexText(list []value, t matcher.Text) int {
	return slices.IndexFunc(list, func(v value) bool { return v.text == t })
}
