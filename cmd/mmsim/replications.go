package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports"
)

// runsFolder holds the result directories of replications, by number.
const runsFolder = "runs"

// replicateAll simulates replications 0 to n-1, as many at a time as there are
// cores, each into runs/<number> of the folder. It waits for all of them, since
// stopping at the first few would favour short ones, and returns them in their
// order. One that an interruption kept from beginning is nil.
func replicateAll(in *experiment.Inputs, ctx context.Context, n int, folder string, p *terminal.Progress) ([]*reports.Result, error) {
	results := make([]*reports.Result, n)
	group, ctx := errgroup.WithContext(ctx) // a fault ends all
	group.SetLimit(runtime.GOMAXPROCS(0))
	for run := range results {
		group.Go(guarded(func() error {
			if ctx.Err() != nil {
				return nil
			}
			own := filepath.Join(folder, runsFolder, strconv.Itoa(run))
			var err error
			results[run], err = replicate(in, ctx, uint64(run), own, p)
			return err
		}))
	}
	return results, group.Wait()
}

// aggregate writes what stands beside the runs: the aggregate of their summaries
// and the configuration.
func aggregate(in *experiment.Inputs, results []*reports.Result, create reports.Create) (*reports.Result, error) {
	counted := countable(results)
	if len(counted) == 0 {
		return nil, &codedError{exitInterrupted, errors.New("interrupted before any replication began")}
	}
	total := &reports.Result{Summary: *reports.Aggregate(withoutOutcome(counted))}
	total.Summary.Warnings = append(total.Summary.Warnings, experiment.OutcomeWarnings(&total.Summary)...)
	if warning := interruptedWarning(total.Summary.Complete, len(counted), len(results)); warning != "" {
		total.Summary.Complete = false
		total.Summary.Warnings = append(total.Summary.Warnings, warning)
	}
	if err := create.File(reports.SummaryFile, total.Summary.Write); err != nil {
		return nil, err
	}
	n := len(results)
	_, err := writeResolved(in.Config, create, fmt.Sprintf(
		"replications 0 to %d: mmsim run --config %s --runs %d", n-1, configFile, n))
	return total, err
}

// withoutOutcome leaves out the warnings that every replication words with figures
// of its own. Of the aggregate there are its own.
func withoutOutcome(results []*reports.Result) []*reports.Result {
	plain := make([]*reports.Result, len(results))
	for i, r := range results {
		own := experiment.OutcomeWarnings(&r.Summary)
		copied := *r
		copied.Summary.Warnings = slices.DeleteFunc(slices.Clone(r.Summary.Warnings),
			func(warning string) bool { return slices.Contains(own, warning) })
		plain[i] = &copied
	}
	return plain
}

// countable lists the replications that an aggregate is made of. Interrupted ones would
// pull it towards the early hours of a day, and those without a measured window towards
// 0: they count only if there are no better ones.
func countable(results []*reports.Result) []*reports.Result {
	begun := keepIf(results, func(r *reports.Result) bool { return r != nil })
	measured := keepIf(begun, func(r *reports.Result) bool { return r.Summary.Run.Reached > 0 })
	finished := keepIf(begun, func(r *reports.Result) bool { return r.Summary.Complete })
	for _, list := range [][]*reports.Result{finished, measured} {
		if len(list) > 0 {
			return list
		}
	}
	return begun
}

// keepIf returns the results for which a condition holds.
func keepIf(results []*reports.Result, holds func(*reports.Result) bool) []*reports.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r *reports.Result) bool { return !holds(r) })
}

// interruptedWarning says how many replications the means of an aggregate are made of; ""
// if all replications finished.
func interruptedWarning(finished bool, counted, all int) string {
	switch {
	case !finished:
		return fmt.Sprintf("interrupted: none of %d replications finished; the means are over %d that were cut short", all, counted)
	case counted < all:
		return fmt.Sprintf("interrupted: %d of %d replications finished; the means are over those alone", counted, all)
	}
	return ""
}
