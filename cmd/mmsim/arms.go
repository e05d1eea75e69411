package main

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports"
)

// An arm is one configuration that is measured, as it is called in results.
type arm struct {
	name string
	*experiment.Inputs
}

// newArms loads the inputs of configurations that are measured on the same players.
// What the first one names too is loaded once and shared.
func newArms(names []string, configs []*config.Config) ([]arm, error) {
	arms := make([]arm, len(configs))
	for i, c := range configs {
		in, err := experiment.LoadBeside(c, arms[0].Inputs)
		if err != nil {
			return nil, err
		}
		arms[i] = arm{names[i], in}
	}
	return arms, nil
}

// fixture is one replication of all arms. Its worlds are made together, when the first
// of them is simulated, so that a built-in day is made once for all arms.
type fixture struct {
	make   sync.Once
	worlds []*experiment.Replication
	err    error
}

// worldsOf makes the worlds of a replication.
func (f *fixture) worldsOf(arms []arm, run uint64) ([]*experiment.Replication, error) {
	f.make.Do(func() {
		f.worlds = make([]*experiment.Replication, len(arms))
		for i, a := range arms {
			if f.worlds[i], f.err = a.ReplicationBeside(run, f.worlds[0]); f.err != nil {
				return
			}
		}
	})
	return f.worlds, f.err
}

// measureAll simulates replications 0 to n-1 of every arm, as many at a time as there
// are cores, and returns their summaries by arm and run, whatever finished first. All
// arms of a replication are simulated about together: they share every draw about a
// player, and what there is when it is interrupted can be compared. A replication that
// an interruption kept from beginning is nil.
func measureAll(ctx context.Context, arms []arm, n int, p *terminal.Progress) ([][]*reports.Summary, error) {
	summaries := make([][]*reports.Summary, len(arms))
	for i := range summaries {
		summaries[i] = make([]*reports.Summary, n)
	}
	group, ctx := errgroup.WithContext(ctx) // a fault ends all
	group.SetLimit(runtime.GOMAXPROCS(0))
	for run := range n {
		var f fixture
		for i, a := range arms {
			group.Go(guarded(func() error {
				if ctx.Err() != nil {
					return nil
				}
				worlds, err := f.worldsOf(arms, uint64(run))
				if err != nil {
					return err
				}
				result, err := a.Measure(ctx, worlds[i], p)
				if err != nil {
					return err
				}
				summary := result.Summary // alone: a result holds much more
				summaries[i][run] = &summary
				return nil
			}))
		}
	}
	return summaries, group.Wait()
}

// finishedByAll lists the replications that every arm finished, by arm. Those that were
// interrupted would pull it towards what happens early in a day.
func finishedByAll(summaries [][]*reports.Summary) [][]*reports.Summary {
	whole := make([][]*reports.Summary, len(summaries))
	for run := range summaries[0] {
		complete := true
		for i := range summaries {
			complete = complete && summaries[i][run] != nil && summaries[i][run].Complete
		}
		for i := range summaries {
			if complete {
				whole[i] = append(whole[i], summaries[i][run])
			}
		}
	}
	return whole
}

// settingPairs lists the settings in which two configurations differ and that may
// change results, for reports.
func settingPairs(a, b *config.Config) []reports.SettingPair {
	var pairs []reports.SettingPair
	for _, d := range a.Differences(b) {
		pairs = append(pairs, reports.SettingPair{Key: d.Key, A: d.A, B: d.B})
	}
	return pairs
}
