// Package tuning searches for settings that improve given metrics. A tuning file has settings as a
// sweep file does, with ranges to search, goals and constraints. [Search] proposes points in the space
// of these settings, and knows nothing of matchmaking; experiments try them.
package tuning

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
)

// Tune is the command `mmsim tune`.
type Tune struct{ cli.Simulating }

// Run searches for better settings and writes the results. If it is interrupted, it writes the
// results so far.
func (t *Tune) Run(ctx context.Context, file string) error {
	var out *resultdir.Dir
	s, err := terminal.Await(ctx, func() (s *tuneSearch, err error) {
		s, out, err = t.prepare(file)
		return s, err
	})
	if err != nil {
		return err
	}
	out.Attend(ctx, t.Err)
	s.begin()
	defer s.progress.Finish()
	if err := s.open(out); err != nil {
		return err
	}
	complete := false
	err = t.With(ctx, s.progress, func(coordinator *workers.Coordinator) (err error) {
		s.coordinator = coordinator
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
		return terminal.Interruptedf("interrupted: %s so far, the same command continues", input.Counted(len(s.found.Trials), "trial"))
	}
	return nil
}

// prepare reads and checks everything that the search needs, and claims its result directory.
func (t *Tune) prepare(file string) (*tuneSearch, *resultdir.Dir, error) {
	spec, c, err := t.read(file)
	if err != nil {
		return nil, nil, err
	}
	out, err := Kind.Claim(t.Dir, append(config.FileNames(c), file, input.Shown(spec.config))...)
	if err != nil {
		return nil, nil, err
	}
	cache := experiment.NewCache(spec.runs + spec.holdout())
	base, err := experiment.Load(c, cache)
	if err != nil {
		return nil, nil, err
	}
	return newTuneSearch(t, spec, base, cache), out, spec.check(base)
}

// read reads a tuning file and its initial configuration.
func (t *Tune) read(file string) (*tuneSpec, *config.Config, error) {
	spec, err := readTuning(file, t.Config.Overrides)
	if err != nil {
		return nil, nil, err
	}
	spec.runs = cmp.Or(t.Runs, spec.runs)
	own, err := search.Absolute(t.Config.File)
	if err != nil {
		return nil, nil, err
	}
	spec.config = cmp.Or(own, spec.config)
	c, _, err := spec.load("", nil, nil)
	return spec, c, err
}

// Check checks a tuning file and everything that it names, and describes it.
func Check(file string, overrides []config.Override) (string, error) {
	spec, c, err := (&Tune{cli.Simulating{Config: cli.ConfigFlags{Overrides: overrides}}}).read(file)
	if err != nil {
		return "", err
	}
	base, err := experiment.Load(c, experiment.NewCache(1))
	if err != nil {
		return "", err
	}
	goals := input.Counted(len(spec.minimise)+len(spec.maximise), "metric")
	return fmt.Sprintf("a tuning of %s for %s", input.Counted(len(spec.settings), "setting"), goals), spec.check(base)
}
