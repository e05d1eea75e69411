package results

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// RunsFolder is the folder with the result directories of replications, which are named by
// number.
const RunsFolder = "runs"

// Aggregate writes the files beside RunsFolder: the aggregate of replications, the
// configuration and the page. The command was asked for n replications, and the parameter
// started has the summaries of those that started.
func Aggregate(c *config.Config, started []*outcome.Summary, n int, create result.Create) (*outcome.Summary, error) {
	counted := countable(started)
	if len(counted) == 0 {
		return nil, terminal.Interruptedf("interrupted: no replication began, and no result was changed")
	}
	total := outcome.Aggregate(withoutOutcome(counted))
	total.Warnings = append(total.Warnings, experiment.OutcomeWarnings(total)...)
	if warning := interruptedWarning(total.Complete, len(counted), n); warning != "" {
		total.Complete = false
		total.Warnings = append(total.Warnings, warning)
	}
	resolved, err := Resolved(c, "")
	if err != nil {
		return nil, err
	}
	resolved = fmt.Appendf(nil, "# replications 0 to %d: mmsim run --config %s --runs %d\n%s", n-1, ConfigFile, n, resolved)
	if err := cmp.Or(create.File(outcome.SummaryFile, total.Write), create.Text(ConfigFile, string(resolved))); err != nil {
		return nil, err
	}
	return total, DrawRuns(total, counted, resolved, create, c.Output)
}

// withoutOutcome returns copies of the summaries without the warnings from OutcomeWarnings. The
// numbers in these warnings differ between replications, so the caller computes the warnings
// again from the aggregate. Of the warnings about the number of players online, withoutOutcome
// keeps only the first.
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

// countable returns the replications from which to compute an aggregate. It prefers complete
// replications, because interrupted ones would bias the aggregate towards the early hours of a
// day. If there are none, it prefers replications that reached the measured window, because
// the others would bias the aggregate towards 0.
func countable(started []*outcome.Summary) []*outcome.Summary {
	isMeasured := func(s *outcome.Summary) bool { return s.Run.Reached > 0 }
	for _, holds := range []func(*outcome.Summary) bool{isComplete, isMeasured} {
		if list := keepIf(started, holds); len(list) > 0 {
			return list
		}
	}
	return started
}

func isComplete(s *outcome.Summary) bool { return s.Complete }

// keepIf returns the summaries for which holds returns true.
func keepIf(list []*outcome.Summary, holds func(*outcome.Summary) bool) []*outcome.Summary {
	return slices.DeleteFunc(slices.Clone(list), func(s *outcome.Summary) bool { return !holds(s) })
}

// interruptedWarning returns a warning that says how many replications an aggregate includes.
// It returns "" if all replications finished.
func interruptedWarning(finished bool, counted, all int) string {
	switch {
	case !finished:
		return fmt.Sprintf("interrupted: none of %d replications finished; the means are over %d interrupted replications", all, counted)
	case counted < all:
		return fmt.Sprintf("interrupted: %d of %d replications finished; the means are over these replications only", counted, all)
	}
	return ""
}
