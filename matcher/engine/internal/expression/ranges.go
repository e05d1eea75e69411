package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// totals contains the statistics of a list of numbers from which functions are computed.
type totals struct {
	count, more          int // how many numbers there are now, and how many may still be added
	sum, lowest, highest Span
	some                 bool // the complete list will not be empty
}

// reduce applies a function to a list of numbers. more is how many numbers may still be added,
// each of them within domain. ok is false if the function has no value.
func reduce(f matcher.Function, list []Number, more int, domain Span) (n Number, ok bool) {
	t := totals{more: more, lowest: ranges.Exactly(math.Inf(1)), highest: ranges.Exactly(math.Inf(-1))}
	var few [16]float64
	exact := few[:0]
	for i := range list {
		v := &list[i]
		if v.Doubt {
			domain = Span{Low: min(domain.Low, v.Low), High: max(domain.High, v.High)}
			t.more++
			continue
		}
		t.count++
		t.lowest = Span{Low: min(t.lowest.Low, v.Low), High: min(t.lowest.High, v.High)}
		t.highest = Span{Low: max(t.highest.Low, v.Low), High: max(t.highest.High, v.High)}
		t.sum.Low, t.sum.High = t.sum.Low+v.Low, t.sum.High+v.High
		if v.Exact() {
			exact = append(exact, v.Low)
		}
	}
	if f == matcher.Count {
		return Number{Span: ranges.Exactly(float64(len(list)))}, true
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
			n.Span = Span{Low: 0, High: domain.High - domain.Low}
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
		if n.Span = (Span{Low: t.sum.Low / count, High: t.sum.High / count}); t.more > 0 {
			n.Low = min(n.Low, (t.sum.Low+float64(more*domain.Low))/(count+more))
			n.High = max(n.High, (t.sum.High+float64(more*domain.High))/(count+more))
		}
	case matcher.Stddev:
		if n.Span = (Span{Low: 0, High: highest.High - lowest.Low}); len(exact) == t.count {
			n.Span = ranges.Exactly(deviation(exact, t.sum.Low/count))
		}
	default:
		if n.Span = (Span{Low: lowest.Low, High: highest.High}); len(exact) == t.count {
			n.Span = ranges.Exactly(median(exact))
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
