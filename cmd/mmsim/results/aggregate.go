package results

import (
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// RunsFolder contains the result directories of replications, named by number.
const RunsFolder = "runs"

// Aggregate writes the files beside the runs: the aggregate of the summaries of those of n
// replications that were begun, the configuration, and the page.
func Aggregate(c *config.Config, begun []*outcome.Summary, n int, create result.Create) (*outcome.Summary, error) {
	counted := countable(begun)
	if len(counted) == 0 {
		return nil, experiment.Interruptedf("interrupted before any replication began")
	}
	total := outcome.Aggregate(withoutOutcome(counted))
	total.Warnings = append(total.Warnings, experiment.OutcomeWarnings(total)...)
	if warning := interruptedWarning(total.Complete, len(counted), n); warning != "" {
		total.Complete = false
		total.Warnings = append(total.Warnings, warning)
	}
	if err := create.File(outcome.SummaryFile, total.Write); err != nil {
		return nil, err
	}
	resolved, err := Resolved(c, "")
	if err != nil {
		return nil, err
	}
	comment := fmt.Sprintf("# replications 0 to %d: mmsim run --config %s --runs %d\n", n-1, ConfigFile, n)
	resolved = append([]byte(comment), resolved...)
	if err := writeResolved(resolved, create); err != nil {
		return nil, err
	}
	return total, DrawRuns(total, counted, resolved, create, c.Output)
}

// withoutOutcome returns copies of the summaries without the warnings that depend on results
// (OutcomeWarnings): their numbers differ between replications, so the aggregate computes them
// again from the total. Only the first warning about the populations at start and end is kept.
func withoutOutcome(summaries []*outcome.Summary) []*outcome.Summary {
	plain := make([]*outcome.Summary, len(summaries))
	kept := false
	for i, s := range summaries {
		own := experiment.OutcomeWarnings(s)
		copied := *s
		plain[i] = &copied
		plain[i].Warnings = slices.DeleteFunc(slices.Clone(s.Warnings),
			func(warning string) bool {
				again := kept && experiment.IsPopulationWarning(warning)
				return again || slices.Contains(own, warning)
			})
		kept = kept || slices.ContainsFunc(plain[i].Warnings, experiment.IsPopulationWarning)
	}
	return plain
}

// countable returns the replications that an aggregate is computed from. Interrupted
// replications would bias it towards the early hours of a day, and replications without a
// measured window towards 0: they count only if there are no others.
func countable(begun []*outcome.Summary) []*outcome.Summary {
	measured := keepIf(begun, func(s *outcome.Summary) bool { return s.Run.Reached > 0 })
	finished := keepIf(begun, func(s *outcome.Summary) bool { return s.Complete })
	for _, list := range [][]*outcome.Summary{finished, measured} {
		if len(list) > 0 {
			return list
		}
	}
	return begun
}

// keepIf returns the summaries for which a condition holds.
func keepIf(list []*outcome.Summary, holds func(*outcome.Summary) bool) []*outcome.Summary {
	return slices.DeleteFunc(slices.Clone(list), func(s *outcome.Summary) bool { return !holds(s) })
}

// interruptedWarning returns a warning about the number of replications that an aggregate is
// computed from; "" if all replications finished.
func interruptedWarning(finished bool, counted, all int) string {
	switch {
	case !finished:
		return fmt.Sprintf("interrupted: none of %d replications finished; the means are over %d that were cut short", all, counted)
	case counted < all:
		return fmt.Sprintf("interrupted: %d of %d replications finished; the means are over these only", counted, all)
	}
	return ""
}
