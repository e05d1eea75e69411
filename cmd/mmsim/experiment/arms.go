package experiment

import (
	"context"

	"mmsim/cmd/mmsim/config"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
)

// LoadArms loads the inputs of each configuration. The arms are compared, so each describes the minutes
// around the events of all.
func LoadArms(cache *Cache, configs ...*config.Config) ([]Arm, error) {
	arms := make([]Arm, len(configs))
	for i, c := range configs {
		in, err := Load(c, cache)
		if err != nil {
			return nil, err
		}
		arms[i] = Arm{Config: in.Config, Inputs: in}
	}
	for i := range arms {
		for k := range arms {
			if i == k {
				continue
			}
			for _, e := range arms[k].Inputs.events {
				arms[i].Inputs.Around = append(arms[i].Inputs.Around, setup.Span{From: e.From, Until: e.Until})
			}
		}
	}
	return arms, nil
}

// MeasureAll simulates some replications of every arm. For each arm it returns the summaries of the
// replications that all arms completed. each receives the results of the arms for each of
// these runs, with Options.Brief. It may be nil.
func MeasureAll(ctx context.Context, arms []Arm, runs []uint64, o Options, each func(byArm []*result.Result)) ([][]*outcome.Summary, error) {
	whole := finishedReplications{byArm: make([][]*outcome.Summary, len(arms)), each: each}
	o.Keep, o.Brief = whole.keep, each != nil
	err := (&Experiment{Arms: arms, Runs: runs}).Run(ctx, o)
	return whole.byArm, err
}

// finishedReplications collects the replications that all arms completed. It drops the others,
// because an interrupted replication covers only the early part of a day and would bias the
// mean of its arm.
type finishedReplications struct {
	byArm [][]*outcome.Summary
	run   uint64 // run of the results in part
	part  []*result.Result
	each  func(byArm []*result.Result) // see MeasureAll
}

// keep adds an outcome. It must be called in the order of Experiment.Run.
func (w *finishedReplications) keep(o Outcome) error {
	if o.Run != w.run {
		w.run, w.part = o.Run, nil
	}
	if !o.Result.Summary.Complete {
		return nil
	}
	if w.part = append(w.part, o.Result); len(w.part) < len(w.byArm) {
		return nil
	}
	for i, r := range w.part {
		s := r.Summary // a copy, so that the rest of the result can be freed
		w.byArm[i] = append(w.byArm[i], &s)
	}
	if w.each != nil {
		w.each(w.part)
	}
	return nil
}
