package phrase

import (
	"slices"

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

// PointMarks says why a point of a sweep cannot be the best: what the guard does not allow, and what
// cannot be compared.
func PointMarks(t *judge.SweepTable, point int) []string {
	return marks(t.Beyond[point], t.NotComparable(point), func(name string) *judge.Estimate {
		return &t.Estimates[slices.Index(t.Metrics, name)][point]
	})
}

// TrialMarks says why a trial of a tuning cannot be the best, apart from the constraints.
func TrialMarks(t *judge.Tuning, trial int) []string {
	of := &t.Trials[trial]
	return marks(of.Beyond, t.NotComparable(trial), func(name string) *judge.Estimate { return &of.Figures[slices.Index(t.Names, name)] })
}

// marks says what is wrong with a choice that is beyond the guard in some metrics and lacks others in
// some runs. Metrics that equally many runs have share a phrase.
func marks(beyond, gaps []string, of func(name string) *judge.Estimate) []string {
	list := words.Each(beyond, GuardMark)
	for first := 0; first < len(gaps); {
		e, last := of(gaps[first]), first+1
		for last < len(gaps) && of(gaps[last]).Runs == e.Runs {
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
