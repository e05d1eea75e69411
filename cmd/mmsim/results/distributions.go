package results

import (
	"context"
	"sync"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Distributions keeps the distributions of replications, which may be simulated at the same time.
type Distributions struct {
	mu    sync.Mutex
	byRun map[int][]result.Distribution
}

// Measure simulates a replication and keeps its distributions. It is for experiment.Options.
func (d *Distributions) Measure(ctx context.Context, r *experiment.Replication, p experiment.Progress) (*result.Result, error) {
	found, err := r.Measure(ctx, p)
	if found != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.byRun == nil {
			d.byRun = map[int][]result.Distribution{}
		}
		d.byRun[found.Summary.Run.Run] = found.Distributions
	}
	return found, err
}

// Of returns the distributions of each run, or nil if they were not measured.
func (d *Distributions) Of(runs []*outcome.Summary) (list [][]result.Distribution) {
	if d.byRun == nil {
		return nil
	}
	for _, run := range runs {
		list = append(list, d.byRun[run.Run.Run])
	}
	return list
}
