package seating

import (
	"math"

	"mmsim/matcher"
)

// overall is evaluate for min, max, avg and sum over the numbers of players, in one list: it
// adds them up without making the list, which took two thirds of a day with team averages.
func (e *evaluator) overall(x *matcher.Expression, party matcher.Aggregation) (v value, ok bool) {
	switch x.Function {
	case matcher.Min, matcher.Max, matcher.Avg, matcher.Sum:
	default:
		return value{}, false
	}
	path := x.Argument
	for path.Function == matcher.Flatten {
		path = path.Argument
	}
	if path.Function != matcher.NoFunction || path.Field != matcher.InColumn || path.Base != matcher.Numbers || path.PerTeam && path == x.Argument {
		return value{}, false
	}
	column := e.columns.column(path.Column, party)
	n, more, sum, lowest, highest := 0, 0, 0.0, math.Inf(1), math.Inf(-1)
	for _, team := range path.Teams {
		for _, who := range e.sides[team] {
			number := e.columns.cell(column, who).number
			lowest, highest = min(lowest, number), max(highest, number)
			for range e.columns.count(who) { // as a list would be added up
				sum += number
				n++
			}
		}
		if !e.complete {
			more += int(e.room[team])
		}
	}
	if n == 0 {
		return value{}, false
	}
	v.span = known(x.Function, float64(n), float64(more), sum, lowest, highest, e.domain(x, party))
	return v, true
}

// known returns where the value of a function over n numbers lies, to which more within a
// domain may come.
func known(f matcher.Function, n, more, sum, lowest, highest float64, domain span) span {
	if more == 0 {
		domain = span{math.Inf(1), math.Inf(-1)}
	}
	switch f {
	case matcher.Min:
		return span{min(lowest, domain.low), lowest}
	case matcher.Max:
		return span{highest, max(highest, domain.high)}
	case matcher.Sum:
		if more == 0 {
			return exactly(sum)
		}
		return span{sum + more*min(0, domain.low), sum + more*max(0, domain.high)}
	}
	mean := exactly(sum / n)
	if more > 0 {
		mean.low = min(mean.low, (sum+more*domain.low)/(n+more))
		mean.high = max(mean.high, (sum+more*domain.high)/(n+more))
	}
	return mean
}
