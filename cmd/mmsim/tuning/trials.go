package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// try simulates candidates in parallel and returns their results. It does not simulate invalid
// combinations of settings, or candidates whose share and formatted values are equal to those
// of an earlier trial. Such candidates cost nothing. An invalid combination has a result that
// ranks behind all others.
func (s *tuneSearch) try(ctx context.Context, candidates []Candidate) ([]Result, error) {
	trials := make([]judge.TuningTrial, len(candidates))
	configs := make([]*config.Config, len(candidates)) // nil if there is nothing to simulate
	same := make([]int, len(candidates))               // number of the trial with the same result
	cost := 0.0
	for i, candidate := range candidates {
		trials[i] = judge.TuningTrial{Phase: string(candidate.Phase), Share: candidate.Share}
		c, values, err := s.configAt(candidate.Point)
		trials[i].Values = values
		if trials[i].Refused, err = refusal(err); err != nil {
			return nil, err
		}
		same[i] = len(s.found.Trials) + i
		key := fmt.Sprintf("%g %q", candidate.Share, values)
		if earlier, isKnown := s.known[key]; isKnown {
			same[i] = earlier
			continue
		}
		s.known[key] = same[i]
		if trials[i].Refused == "" {
			s.spec.shorten(c, candidate.Share, s.base.Config.Clock.Duration)
			configs[i] = c
			cost += float64(float64(s.spec.runs) * s.spec.cost(s.base.Config, candidate.Share))
		}
	}
	if s.spec.budgetRuns > 0 && s.spent+cost > float64(s.spec.budgetRuns) || !s.deadline.IsZero() && time.Now().After(s.deadline) {
		return nil, ErrSpent
	}
	s.spent += cost
	runs, err := s.simulate(ctx, configs, experiment.FirstRuns(s.spec.runs))
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(candidates))
	for i, c := range candidates {
		if configs[i] != nil {
			s.judge(&trials[i], runs[i])
		} else if known := same[i]; known < len(s.found.Trials) {
			of := &s.found.Trials[known]
			trials[i].Runs, trials[i].Figures, trials[i].Beyond, trials[i].Violation = of.Runs, of.Figures, of.Beyond, of.Violation
		}
		results[i] = s.result(&trials[i])
		s.found.Trials = append(s.found.Trials, trials[i])
		s.trials = append(s.trials, Trial{Candidate: c, Result: results[i]})
	}
	s.report()
	return results, nil
}

// refusal returns the message of an error about an invalid combination of settings. It returns
// any other error unchanged.
func refusal(err error) (string, error) {
	var misfit *yamltree.Error
	if errors.As(err, &misfit) {
		return misfit.Message, nil
	}
	return "", err
}

// refusedViolation ranks invalid combinations of settings behind all others.
const refusedViolation = 1e9

// judge sets a trial's metrics to the results of its runs.
func (s *tuneSearch) judge(trial *judge.TuningTrial, runs []*outcome.Summary) {
	trial.Runs = len(runs)
	trial.Figures = s.found.Figures(runs)
	s.found.Judge(trial, s.baseline[trial.Share])
}

// result converts a trial to the Result for Search. A goal that not every run has is NaN, which
// Search ranks behind all numbers.
func (s *tuneSearch) result(trial *judge.TuningTrial) Result {
	if trial.Refused != "" {
		return Result{Goals: slices.Repeat([]float64{math.NaN()}, len(s.found.Goals)), Violation: refusedViolation}
	}
	goals := make([]float64, len(s.found.Goals))
	for i, goal := range s.found.Goals {
		e := &trial.Figures[i]
		switch goals[i] = e.Mean; {
		case !e.Comparable():
			goals[i] = math.NaN()
		case goal.Maximise:
			goals[i] = -e.Mean
		}
	}
	return Result{Goals: goals, Violation: float64(trial.Violation)}
}

// configAt resolves the configuration at a point of the search space.
func (s *tuneSearch) configAt(p Point) (*config.Config, []string, error) {
	var keys, values []yamltree.Node
	for i := range s.spec.settings {
		t := &s.spec.settings[i]
		keys, values = append(keys, t.key), append(values, t.value(p[i]))
	}
	return s.spec.load(s.Dir, keys, values)
}

// simulate returns each configuration's summaries of the given runs. The summaries of a nil
// configuration are empty. Results that are already in the result directory are not simulated
// again. New results are stored there.
func (s *tuneSearch) simulate(ctx context.Context, configs []*config.Config, runs []uint64) ([][]*outcome.Summary, error) {
	var arms []experiment.Arm
	var places []int // index of each arm's configuration
	for i, c := range configs {
		if c != nil {
			arms, places = append(arms, experiment.Arm{Config: c}), append(places, i)
		}
	}
	byArm, err := experiment.MeasureAll(ctx, arms, runs, experiment.Options{
		Executor: s.coordinator.Executor(), Store: search.JobsIn(s.Streams, s.Dir), Cache: s.cache, Progress: s.progress, Messages: s.Err,
	}, nil)
	found := make([][]*outcome.Summary, len(configs))
	for arm, i := range places {
		if found[i] = byArm[arm]; err == nil && len(found[i]) < len(runs) {
			err = context.Canceled
		}
	}
	return found, err
}

// holdoutRuns lists the runs that the search does not use.
func (s *tuneSearch) holdoutRuns() []uint64 {
	return experiment.FirstRuns(s.spec.runs + s.spec.holdout())[s.spec.runs:]
}
