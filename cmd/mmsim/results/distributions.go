package results

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/reports/judge"
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

// LoadDistributions adds the distributions of the runs to a sample from LoadSample. Every error is a bad
// input error.
func LoadDistributions(dir string, s *judge.Sample) error {
	numbers, err := replicationsIn(dir)
	if err != nil {
		return input.Bad(err)
	}
	for _, run := range s.Runs {
		folder := dir
		if len(numbers) > 0 {
			folder = filepath.Join(dir, RunsFolder, strconv.Itoa(run.Run.Run))
		}
		list, err := result.LoadDistributions(os.DirFS(folder))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return input.Badf("%s: has no distributions.csv, which max_distance needs: expected the directory of a run, or of replications with the folder %s", folder, RunsFolder)
		case err != nil:
			return input.Badf("%s: %w", folder, err)
		}
		s.Distributions = append(s.Distributions, list)
	}
	return nil
}
