package judge_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

// tuningOf returns a tuning for a low mean RTT whose trials have these runs. The first trial is the
// initial settings.
func tuningOf(guard []judge.Limit, trials ...[]measured) *judge.Tuning {
	t := &judge.Tuning{Search: judge.Search{Settings: []string{"match.size"}, Goals: []judge.Goal{{Name: "rtt_ms.mean"}}, Guard: guard}}
	for i, runs := range trials {
		trial := judge.TuningTrial{Share: 1, Values: []string{string(rune('2' + i))}, Runs: len(runs), Figures: t.Figures(pointOf("", runs...).Runs)}
		t.Trials = append(t.Trials, trial)
		t.Judge(&t.Trials[i], t.Trials[0].Figures)
	}
	return t
}

// A trial that leaves more players without a match than the guard allows violates it, as one
// violates a constraint. So does one whose guarded metric is missing in a run. A trial whose goal
// is missing in a run is not comparable.
func TestTuningGuard(t *testing.T) {
	within := judge.Limit{Pattern: "rtt_ms.share_le_100", Name: "rtt_ms.share_le_100", Kind: judge.LimitMaxDecrease, Bound: 0.02}
	found := tuningOf([]judge.Limit{unmatchedGuard, within},
		[]measured{{rtt: 40, within: 0.9, unmatched: 0.01}, {rtt: 42, within: 0.9, unmatched: 0.03}},
		[]measured{{rtt: 30, within: 0.9, unmatched: 0.02}, {rtt: 30, within: 0.9, unmatched: 0.04}},
		[]measured{{rtt: 10, within: 0.9, unmatched: 0.86}, {rtt: 10, within: 0.9, unmatched: 0.86}},
		[]measured{{rtt: 9, within: 1, unmatched: 0.02}, {unmatched: 0.02}})
	for trial, want := range []struct {
		violation float64
		marks     string
	}{
		{0, ""}, {0, ""}, // 3 % is 1 pp more than the 2 % before
		{(0.86 - 0.03) / 0.03, "leaves more players without a match"},
		{1, "worse in rtt_ms.share_le_100 by more than the guard allows; not comparable: rtt_ms.mean in 1 of 2 runs"},
	} {
		of := &found.Trials[trial]
		if got := strings.Join(phrase.Marks(found, trial), "; "); math.Abs(float64(of.Violation)-want.violation) > 1e-9 || got != want.marks {
			t.Errorf("trial %d: got violation %g and marks %q, want %g and %q", trial, of.Violation, got, want.violation, want.marks)
		}
	}
	if got := judge.WholeTrials(found); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got comparable trials %v, want 1 and 2", got)
	}
	if got := phrase.TrialMetric(found, 3, 0); got != "9.00 ms (1 of 2 runs)" {
		t.Errorf("got %q, want the number of runs with a value", got)
	}
	nobody := tuningOf([]judge.Limit{within}, []measured{{unmatched: 1}}, []measured{{rtt: 30, within: 0.5}})
	if got := nobody.Trials[1]; got.Violation != 0 || got.Beyond != nil {
		t.Errorf("the initial settings have no value to guard: got %+v, want no violation", got)
	}
}

// The headline is what the runs say that the search did not use, with the limits that the best
// trial does not hold there. Metrics that got worse and are no goals are listed.
func TestTuningConclusion(t *testing.T) {
	steady := func(m measured) []measured { return []measured{m, m, m, m} }
	noisy := []measured{{rtt: 30, within: 1}, {rtt: 52, within: 1}, {rtt: 33, within: 1}, {rtt: 48, within: 1}}
	before := measured{wait: 2, rtt: 40, within: 1, unmatched: 0.01}
	for _, test := range []struct {
		best    []measured
		want    string
		worse   []string
		verdict judge.LimitVerdict
	}{
		{steady(measured{wait: 2, rtt: 30, within: 1, unmatched: 0.01}),
			"Mean RTT 25 % lower (30 ms instead of 40 ms) with trial 1, in 4 runs that the search did not use", nil, judge.LimitHeld},
		{steady(measured{wait: 3, rtt: 30, within: 1, unmatched: 0.5}),
			"Mean RTT 25 % lower (30 ms instead of 40 ms) with trial 1, in 4 runs that the search did not use. It breaks the limit on share of searches without a match there",
			[]string{"wait_s.mean", judge.Unmatched}, judge.LimitBroken},
		{steady(measured{wait: 2, rtt: 45, within: 1, unmatched: 0.01}),
			"The runs that the search did not use do not confirm that trial 1 is better: mean RTT is 45.00 ms, 40.00 ms before (worse)", nil, judge.LimitHeld},
		{steady(measured{wait: 2, rtt: 39.9, within: 1, unmatched: 0.01}),
			"The runs that the search did not use do not confirm that trial 1 is better: mean RTT is 39.90 ms, 40.00 ms before (no difference that matters)", nil, judge.LimitHeld},
		{noisy, "The runs that the search did not use do not confirm that trial 1 is better: mean RTT is 41 ms, 40 ms before (no difference shown)", nil, judge.LimitHeld},
		{steady(measured{unmatched: 1}),
			"The runs that the search did not use do not confirm that trial 1 is better: mean RTT has no value in both runs of any pair. It breaks the limit on share of searches without a match there",
			[]string{judge.Unmatched}, judge.LimitBroken},
	} {
		found := tuningOf([]judge.Limit{unmatchedGuard}, steady(before), steady(measured{wait: 2, rtt: 30, within: 1}))
		found.Front, found.Best = []int{1}, 1
		if got, want := phrase.Tuning(found), "Mean RTT: 30.00 ms instead of 40.00 ms, in the search alone; other runs have not confirmed it"; got != want {
			t.Errorf("without other runs: got %q, want %q", got, want)
		}
		found.Validate(&judge.Sample{Name: "before", Runs: pointOf("", steady(before)...).Runs}, &judge.Sample{Name: "best", Runs: pointOf("", test.best...).Runs}, nil)
		if got := phrase.Tuning(found); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
		if !slices.Equal(found.Worse, test.worse) {
			t.Errorf("%s\ngot worse metrics %v, want %v", test.want, found.Worse, test.worse)
		}
		if len(found.Checked) != 1 || found.Checked[0].Verdict != test.verdict {
			t.Errorf("%s\ngot limits %+v, want one that is %s", test.want, found.Checked, test.verdict)
		}
		read, err := judge.ParseTuning("tune.json", []byte(text(t, found.Write)))
		if err != nil || phrase.Tuning(read) != test.want || text(t, read.Write) != text(t, found.Write) {
			t.Errorf("read back: got %v and error %v, want the same conclusion", read, err)
		}
	}
}

// With several goals, the headline names those that the other runs confirm and those that they do
// not.
func TestConclusionOfSeveralGoals(t *testing.T) {
	runs := func(wait, rtt float64) []measured {
		m := measured{within: 1}
		m.wait, m.rtt = outcome.Seconds(wait), outcome.Millis(rtt)
		return []measured{m, m, m}
	}
	found := &judge.Tuning{Search: judge.Search{Settings: []string{"match.size"}, Goals: []judge.Goal{{Name: "rtt_ms.mean"}, {Name: "wait_s.mean"}}}}
	for i, of := range [][]measured{runs(2, 40), runs(2, 30)} {
		found.Trials = append(found.Trials, judge.TuningTrial{Share: 1, Values: []string{string(rune('2' + i))}, Runs: 3, Figures: found.Figures(pointOf("", of...).Runs)})
	}
	found.Front, found.Best = []int{1}, 1
	sample := func(of []measured) *judge.Sample { return &judge.Sample{Runs: pointOf("", of...).Runs} }
	found.Validate(sample(runs(2, 40)), sample(runs(3, 30)), nil)
	if got, want := phrase.Tuning(found), "Trial 1 of a front of 1, in 3 runs that the search did not use, is better: mean RTT 25 % lower (30 ms instead of 40 ms); worse: mean wait of all searches 50 % longer (3.0 s instead of 2.0 s)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRangeEnds(t *testing.T) {
	for _, test := range []struct {
		end  judge.RangeEnd
		want string
	}{
		{judge.RangeEnd{Setting: "states.expand.rtt", Value: "160ms", Of: "range"}, "the best value of states.expand.rtt is at the end of its range (160 ms): widen it"},
		{judge.RangeEnd{Setting: "states.ideal.for", Value: "1m40s", Of: "range"}, "the best value of states.ideal.for is at the end of its range (1m40s): widen it"},
		{judge.RangeEnd{Setting: "match.size", Value: "8", Of: "list"}, "the best value of match.size is at the end of its list (8): widen it"},
	} {
		if got := phrase.RangeEnd(&test.end); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
