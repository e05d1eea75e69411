package phrase

import (
	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// GuardMark says what is wrong with a choice that is worse in a guarded metric than the guard
// allows.
func GuardMark(metric string) string {
	if metric == judge.Unmatched {
		return "leaves more players without a match"
	}
	return "worse in " + words.Printable(metric) + " by more than the guard allows"
}

// Marks says why a choice cannot be the best, apart from constraints: what the guard does not allow, and
// what cannot be compared. Metrics that equally many runs have share a phrase.
func Marks(all judge.Choices, choice int) []string {
	list, gaps := words.Each(all.BeyondGuard(choice), GuardMark), all.NotComparable(choice)
	for first := 0; first < len(gaps); {
		e, last := all.Estimate(gaps[first], choice), first+1
		for last < len(gaps) && all.Estimate(gaps[last], choice).Runs == e.Runs {
			last++
		}
		list = append(list, "not comparable: "+Enumerate(gaps[first:last])+" in "+words.RunsWith(e.Runs, e.Of))
		first = last
	}
	return list
}

// IfSeveral returns its argument, a text about intervals, if each point of the sweep has several
// runs. Otherwise it returns "", because a single run has no interval.
func IfSeveral(s *judge.Sweep, says string) string {
	if len(s.Points[0].Runs) < 2 {
		return ""
	}
	return says
}
