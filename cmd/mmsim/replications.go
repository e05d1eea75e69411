package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"mmsim/reports"
)

// runsFolder holds the result directories of replications, by number.
const runsFolder = "runs"

// replicateAll simulates replications 0 to n-1, as many at a time as there are
// cores, each into runs/<number> of the folder. It waits for all of them, since
// stopping at the first few would favour short ones, and returns them in their
// order. One that an interruption kept from beginning is nil.
func (in *inputs) replicateAll(ctx context.Context, n int, folder string, p *progress) ([]*reports.Result, error) {
	results := make([]*reports.Result, n)
	group, ctx := errgroup.WithContext(ctx) // a fault ends all
	group.SetLimit(runtime.GOMAXPROCS(0))
	for run := range results {
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			own := filepath.Join(folder, runsFolder, strconv.Itoa(run))
			if err := os.MkdirAll(own, 0o777); err != nil {
				return err
			}
			var err error
			results[run], err = in.replicate(ctx, uint64(run), own, p)
			return err
		})
	}
	return results, group.Wait()
}

// aggregate writes what stands beside the runs: the aggregate of their summaries
// and the configuration.
func (in *inputs) aggregate(results []*reports.Result, create reports.Create) (*reports.Result, error) {
	counted := countable(results)
	if len(counted) == 0 {
		return nil, &codedError{exitInterrupted, errors.New("interrupted before any replication began")}
	}
	total := &reports.Result{Summary: *reports.Aggregate(withoutOutcome(counted))}
	total.Summary.Warnings = append(total.Summary.Warnings, outcomeWarnings(&total.Summary)...)
	total.Summary.Complete = total.Summary.Complete && len(counted) == len(results)
	if err := create.File(reports.SummaryFile, total.Summary.Write); err != nil {
		return nil, err
	}
	n := len(results)
	_, err := in.config.writeResolved(create, fmt.Sprintf(
		"replications 0 to %d: mmsim run --config %s --runs %d", n-1, configFile, n))
	return total, err
}

// withoutOutcome leaves out the warnings that every replication words with figures
// of its own. Of the aggregate there are its own.
func withoutOutcome(results []*reports.Result) []*reports.Result {
	plain := make([]*reports.Result, len(results))
	for i, r := range results {
		own := outcomeWarnings(&r.Summary)
		copied := *r
		copied.Summary.Warnings = slices.DeleteFunc(slices.Clone(r.Summary.Warnings),
			func(warning string) bool { return slices.Contains(own, warning) })
		plain[i] = &copied
	}
	return plain
}

// countable lists the replications that an aggregate is made of. Interrupted
// ones would pull it towards what happens early in a day, so that they count
// only where no finished one is.
func countable(results []*reports.Result) []*reports.Result {
	begun := slices.DeleteFunc(slices.Clone(results), func(r *reports.Result) bool { return r == nil })
	finished := slices.DeleteFunc(slices.Clone(begun), func(r *reports.Result) bool { return !r.Summary.Complete })
	if len(finished) > 0 {
		return finished
	}
	return begun
}
