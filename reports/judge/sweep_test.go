package judge_test

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

// measured is what a test sets in one run of a point.
type measured struct {
	wait      outcome.Seconds // mean; 0 if nobody is matched
	rtt       outcome.Millis  // mean; 0 if nobody is matched
	within    outcome.Share   // of players with at most 100 ms
	unmatched outcome.Share
}

// pointOf returns a point of a sweep with one run for each item.
func pointOf(value string, runs ...measured) judge.SweepPoint {
	point := judge.SweepPoint{Values: []string{value}}
	for i := range runs {
		m, s := &runs[i], &outcome.Summary{Run: outcome.Run{Seed: 1, Run: i}}
		if m.rtt > 0 {
			s.Wait.Count, s.Wait.Mean, s.RTT.Count, s.RTT.Mean, s.RTT.ShareLE100 = 1000, m.wait, 1000, m.rtt, m.within
		}
		s.Players.Ends = outcome.Ends{Ended: 1000, UnmatchedShare: m.unmatched}
		s.MarkUnmeasured()
		point.Runs = append(point.Runs, s)
	}
	return point
}

// sweepOf returns a sweep over one setting.
func sweepOf(guard []judge.Limit, points ...judge.SweepPoint) *judge.Sweep {
	return &judge.Sweep{Settings: []string{"match.size"}, Metrics: []string{"wait_s.mean", "rtt_ms.mean"}, Guard: guard, Points: points}
}

var unmatchedGuard = judge.Limit{Pattern: judge.Unmatched, Name: judge.Unmatched, Kind: judge.LimitMaxIncrease, Bound: 0.01}

// The second point has the lowest wait and RTT, but a match in only one of three runs. It is
// neither the best nor on the front, and the files say in how many runs it has a value.
func TestMissingValuesAreNotComparable(t *testing.T) {
	s := sweepOf(nil,
		pointOf("4", measured{wait: 2, rtt: 40}, measured{wait: 2.1, rtt: 41}, measured{wait: 2.2, rtt: 42}),
		pointOf("64", measured{}, measured{wait: 0.5, rtt: 10}, measured{}),
		pointOf("8", measured{wait: 3, rtt: 30}, measured{wait: 3.1, rtt: 31}, measured{wait: 3.2, rtt: 32}),
		pointOf("99", measured{}, measured{}, measured{}))
	table := s.Table()
	for k, want := range []int{0, 2} {
		if b := table.Best()[k]; b.Point != want || b.Others != 1 {
			t.Errorf("best %s: got point %d of %d others, want point %d of 1, because two of four are comparable", table.Metrics[k], b.Point, b.Others, want)
		}
	}
	if front := table.Front(0, 1); !slices.Equal(front, []int{0, 2}) {
		t.Errorf("got front %v, want points 0 and 2", front)
	}
	if e := table.Estimates[0][1]; e.Runs != 1 || e.Of != 3 || e.Mean != 0.5 || e.Low == e.Low {
		t.Errorf("got estimate %+v, want 0.5 s from 1 of 3 runs without an interval", e)
	}
	for point, want := range []string{"", "not comparable: wait_s.mean, rtt_ms.mean in 1 of 3 runs", "", "not comparable: wait_s.mean, rtt_ms.mean in 0 of 3 runs"} {
		if got := strings.Join(phrase.Marks(table, point), "; "); got != want {
			t.Errorf("point %d: got marks %q, want %q", point, got, want)
		}
	}
	if got := text(t, func(w io.Writer) error { return s.WriteCSV(w, phrase.Marks) }); !strings.Contains(got, "\n64,3,0.5,,,1,10,,,1,") || !strings.Contains(got, "in 1 of 3 runs\"\n") {
		t.Errorf("got CSV\n%s\nwant 1 run and no interval for 64", got)
	}
	if got := text(t, s.Write); strings.Count(got, "\"not_comparable\": [\n") != 2 {
		t.Errorf("got JSON\n%s\nwant two points that are not comparable", got)
	}
}

// A point is as good as the guard allows if it has exactly as much more as the guard allows.
// Beyond that it is marked. A guarded metric is shown, but is no goal.
func TestGuard(t *testing.T) {
	three := func(m measured) []measured { return []measured{m, m, m} }
	s := sweepOf([]judge.Limit{unmatchedGuard},
		pointOf("a", three(measured{wait: 4, rtt: 40, unmatched: 0.02})...),
		pointOf("b", three(measured{wait: 3, rtt: 30, unmatched: 0.03})...),
		pointOf("c", three(measured{wait: 1, rtt: 10, unmatched: 0.0301})...))
	table := s.Table()
	if best := table.Best(); len(best) != 2 || best[0].Point != 1 || best[1].Point != 1 {
		t.Errorf("got best %+v, want point 1 for wait and RTT, and none for the guarded metric", best)
	}
	if front := table.Front(0, 1); !slices.Equal(front, []int{1}) {
		t.Errorf("got front %v, want point 1", front)
	}
	if got := phrase.Marks(table, 2); !slices.Equal(got, []string{"leaves more players without a match"}) || len(phrase.Marks(table, 1)) > 0 {
		t.Errorf("got marks %q of point 2 and %q of point 1", got, phrase.Marks(table, 1))
	}
	if !slices.Equal(table.Metrics, []string{"wait_s.mean", "rtt_ms.mean", judge.Unmatched}) {
		t.Errorf("got metrics %v, want %s added", table.Metrics, judge.Unmatched)
	}
	s = &judge.Sweep{Settings: s.Settings, Metrics: s.Metrics, Points: s.Points}
	if best := s.Table().Best(); best[0].Point != 2 {
		t.Errorf("without a guard: got best wait at point %d, want 2", best[0].Point)
	}
}

// A guard may be relative, and the higher value may be the better one. A point that leaves more
// players without a match sets no standard for the others: its few players have the best RTTs.
func TestGuardOfOtherMetrics(t *testing.T) {
	within := judge.Limit{Pattern: "rtt_ms.share_le_100", Name: "rtt_ms.share_le_100", Kind: judge.LimitMaxDecrease, Bound: 0.02}
	wait := judge.Limit{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 0.1, Relative: true}
	s := sweepOf([]judge.Limit{unmatchedGuard, within, wait},
		pointOf("a", measured{wait: 10, rtt: 40, within: 0.90}), pointOf("b", measured{wait: 11, rtt: 40, within: 0.88}),
		pointOf("c", measured{wait: 11.1, rtt: 40, within: 0.90}), pointOf("d", measured{wait: 10, rtt: 40, within: 0.87}),
		pointOf("few", measured{wait: 1, rtt: 9, within: 1, unmatched: 0.99}), pointOf("none", measured{unmatched: 1}))
	table := s.Table()
	for point, want := range []string{
		"", "", "worse in wait_s.mean by more than the guard allows", "worse in rtt_ms.share_le_100 by more than the guard allows",
		"leaves more players without a match",
		"leaves more players without a match; not comparable: wait_s.mean, rtt_ms.mean, rtt_ms.share_le_100 in 0 of 1 run",
	} {
		if got := strings.Join(phrase.Marks(table, point), "; "); got != want {
			t.Errorf("point %d: got marks %q, want %q", point, got, want)
		}
	}
	if best := table.Best()[0]; best.Point != 0 || best.Others != 1 {
		t.Errorf("got best %+v, want point 0, with one other that is good enough", best)
	}
	all := sweepOf([]judge.Limit{within}, pointOf("none", measured{}), pointOf("none too", measured{}))
	if table := all.Table(); len(table.Beyond[0]) > 0 || len(table.Best()) > 0 {
		t.Errorf("no point has a value: got beyond %v and best %+v, want none", table.Beyond, table.Best())
	}
}

// Front compares points by a faster form of the comparison that Difference makes. Both agree for
// random runs with large, small and no differences.
func TestFrontAgreesWithDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared := map[judge.Verdict]int{}
	for range 400 {
		n := 1 + r.IntN(4)
		var runs [2][]measured
		shift := []float64{0, 0, 0.1, 0.5, 3}[r.IntN(5)]
		noise := []float64{0, 0.01, 0.3}[r.IntN(3)]
		for range n {
			day := 5 + r.NormFloat64()
			for side := range runs {
				wait := outcome.RoundSeconds(day + float64(side)*shift + noise*r.NormFloat64())
				runs[side] = append(runs[side], measured{wait: wait, rtt: 40})
			}
		}
		table := sweepOf(nil, pointOf("a", runs[0]...), pointOf("b", runs[1]...)).Table()
		d := table.Difference(0, 0, 1)
		compared[d.Verdict]++
		want := []int{0, 1} // the RTTs are the same, so the front has both points unless a wait is better
		switch {
		case d.Verdict == judge.VerdictWorse:
			want = []int{0}
		case d.Verdict == judge.VerdictBetter:
			want = []int{1}
		}
		if front := table.Front(0, 1); n > 1 && !slices.Equal(front, want) {
			t.Fatalf("runs %v: got front %v, want %v, because the difference is %q", runs, front, want, d.Verdict)
		}
	}
	for _, v := range []judge.Verdict{judge.VerdictWorse, judge.VerdictSmall, judge.VerdictUnshown, judge.VerdictEqual, judge.VerdictUnknown} {
		if compared[v] < 5 {
			t.Errorf("verdict %q: got %d cases, want at least 5 of 400", v, compared[v])
		}
	}
}

// Of nine points that do not differ, the lowest and the highest differ by chance. Extremes claims
// a difference in at most 5 % of such sweeps, and in nearly all in which one point is much worse.
func TestExtremesOfEqualPoints(t *testing.T) {
	const trials, runs = 60, 4
	r := rand.New(rand.NewPCG(7, 8))
	claims := func(shift float64) int {
		n := 0
		for range trials {
			var points []judge.SweepPoint
			for k := range 9 {
				var of []measured
				for range runs {
					wait := 10 + r.NormFloat64()
					if k == 4 {
						wait += shift
					}
					of = append(of, measured{wait: outcome.RoundSeconds(wait), rtt: 40})
				}
				points = append(points, pointOf(string(rune('a'+k)), of...))
			}
			if _, _, d := sweepOf(nil, points...).Table().Extremes(0); d.Verdict.Shown() {
				n++
			}
		}
		return n
	}
	if wrong := claims(0); wrong > trials/20 {
		t.Errorf("equal points: got %d claims in %d sweeps, want at most %d", wrong, trials, trials/20)
	}
	if right := claims(100); right < trials*95/100 {
		t.Errorf("one point that is 100 standard deviations worse: got %d claims in %d sweeps, want at least %d", right, trials, trials*95/100)
	}
}
