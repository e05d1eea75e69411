package experiment

import (
	"context"

	"mmsim/cmd/mmsim/config"
	"mmsim/reports/outcome"
)

// LoadArms loads the inputs of each configuration.
func LoadArms(cache *Cache, configs ...*config.Config) ([]Arm, error) {
	arms := make([]Arm, len(configs))
	for i, c := range configs {
		in, err := Load(c, cache)
		if err != nil {
			return nil, err
		}
		arms[i] = Arm{Config: in.Config, Inputs: in}
	}
	return arms, nil
}

// MeasureAll simulates replications 0 to n-1 of every arm. For each arm it returns the
// summaries of the replications that all arms completed.
func MeasureAll(ctx context.Context, arms []Arm, n int, o Options) ([][]*outcome.Summary, error) {
	whole := finishedReplications{byArm: make([][]*outcome.Summary, len(arms))}
	o.Keep = whole.keep
	err := (&Experiment{Arms: arms, Runs: FirstRuns(n)}).Run(ctx, o)
	return whole.byArm, err
}

// finishedReplications collects the replications that all arms completed. It drops the others,
// because an interrupted replication covers only the early part of a day and would bias the
// mean of its arm.
type finishedReplications struct {
	byArm [][]*outcome.Summary
	run   uint64 // run of the summaries in part
	part  []*outcome.Summary
}

// keep adds an outcome. It must be called in the order of Experiment.Run.
func (w *finishedReplications) keep(o Outcome) error {
	if o.Run != w.run {
		w.run, w.part = o.Run, nil
	}
	if !o.Summary.Complete {
		return nil
	}
	if w.part = append(w.part, o.Summary); len(w.part) == len(w.byArm) {
		for i, s := range w.part {
			w.byArm[i] = append(w.byArm[i], s)
		}
	}
	return nil
}
