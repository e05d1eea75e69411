package search

import (
	"cmp"
	"context"
	"errors"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/workers"
)

// Tune is the command `mmsim tune`.
type Tune struct{ Options }

// Run searches for better settings and writes the results. If it is interrupted, it writes the
// results so far.
func (t *Tune) Run(ctx context.Context, file string) error {
	spec, err := readTuning(file, t.Overrides)
	if err != nil {
		return err
	}
	spec.runs = cmp.Or(t.Runs, spec.runs)
	own, err := absolute(t.Config)
	if err != nil {
		return err
	}
	spec.config = cmp.Or(own, spec.config)
	c, _, err := config.LoadWith("", spec.config, spec.overrides, nil, nil)
	if err != nil {
		return err
	}
	out, err := TuneKind.Claim(t.Dir, append(filenames.Of(c), file, input.Shown(spec.config))...)
	if err != nil {
		return err
	}
	out.Attend(ctx, t.Err)
	cache := experiment.NewCache(spec.runs + spec.holdout())
	base, err := experiment.Load(c, cache)
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
	complete := false
	err = t.with(ctx, s.progress, func(pool *workers.Pool) (err error) {
		s.pool = pool
		if err := s.search(ctx); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		complete, err = s.conclude(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if !complete {
		return experiment.Interruptedf("interrupted: %s so far, the same command continues", input.Counted(len(s.found.Trials), "trial"))
	}
	return nil
}
