package search

import (
	"context"
	"errors"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
)

// Tune is `mmsim tune`.
type Tune struct {
	*terminal.Streams
	Dir   string // result directory
	Quiet bool   // no progress and no table
}

// Run searches, and writes what was found; interrupted, what there is so far.
func (t *Tune) Run(ctx context.Context, file string) error {
	spec, err := readTuning(file)
	if err != nil {
		return err
	}
	config, _, err := config.LoadWith(spec.config, nil, nil)
	if err != nil {
		return err
	}
	out, err := resultdir.Claim(t.Dir, tuneKind, append(config.Files(), file, input.Shown(spec.config))...)
	if err != nil {
		return err
	}
	cache := experiment.NewCache(spec.runs + spec.holdout())
	base, err := experiment.Load(config, cache)
	if err != nil {
		return err
	}
	if err := spec.check(base); err != nil {
		return err
	}
	s := newTuneSearch(t, spec, base, cache)
	defer s.progress.Finish()
	if err := s.open(out); err != nil {
		return err
	}
	if err := s.search(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	complete, err := s.conclude(ctx)
	if err != nil {
		return err
	}
	if !complete {
		return experiment.Interruptedf("interrupted: %s so far, the same command goes on", input.Counted(len(s.found.Trials), "trial"))
	}
	return nil
}
