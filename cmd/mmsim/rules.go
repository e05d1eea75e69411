package main

import (
	"slices"

	"github.com/spf13/cobra"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// ruleFlags are the flags about how rules are read where their vendor is silent.
type ruleFlags struct{ matcherConfig }

// The words of --expansion-basis and --optional-basis, by the constants that they
// stand for; the default first.
var (
	expansionBases = []string{matcher.LongestWait.String(), matcher.ShortestWait.String()}
	optionalBases  = []string{matcher.AllWaited.String(), matcher.AnyWaited.String()}
	follows        = []string{vendor.FollowService.String(), vendor.FollowPage.String()} // of matcher.follow
)

func (f *ruleFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.strict, "strict", false, "members that the vendor's schema does not have are errors, no warnings")
	flags.StringVar(&f.expansionBasis, "expansion-basis", expansionBases[0],
		"`WORD` that says whose wait expands a rule among several tickets: longest or shortest")
	flags.StringVar(&f.optionalBasis, "optional-basis", optionalBases[0],
		"`WORD` that says who of them must have waited until a rule is optional: all or any")
	flags.IntVar(&f.budget, "budget", matcher.DefaultBudget, "`STEPS` that the search for one ticket may take")
	flags.IntVar(&f.partitionAbove, "partition-above", 0, "split a PlayFab queue with more waiting `TICKETS`, as under load; 0 never")
	complete(c, "expansion-basis", expansionBases)
	complete(c, "optional-basis", optionalBases)
	grouped(flags, groupRules, "strict", "expansion-basis", "optional-basis", "budget", "partition-above")
}

// options checks the flags and translates them.
func (f *ruleFlags) options() (vendor.Options, error) {
	switch {
	case !slices.Contains(expansionBases, f.expansionBasis):
		return vendor.Options{}, badInputf("--expansion-basis: got %q, expected longest or shortest", f.expansionBasis)
	case !slices.Contains(optionalBases, f.optionalBasis):
		return vendor.Options{}, badInputf("--optional-basis: got %q, expected all or any", f.optionalBasis)
	case f.budget < 1:
		return vendor.Options{}, badInputf("--budget: got %d, expected 1 or more steps", f.budget)
	case f.partitionAbove < 0:
		return vendor.Options{}, badInputf("--partition-above: got %d, expected 0 or more tickets", f.partitionAbove)
	}
	return f.matcherConfig.options(), nil
}
