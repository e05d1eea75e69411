package main

import (
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// ruleFlags are the flags about how rules are read where their vendor is silent.
type ruleFlags struct {
	strict                        bool
	expansionBasis, optionalBasis string
	budget, partitionAbove        int
}

func (f *ruleFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.strict, "strict", false, "members that the vendor's schema does not have are errors, no warnings")
	flags.StringVar(&f.expansionBasis, "expansion-basis", config.ExpansionBases[0],
		"`WORD` that says whose wait expands a rule among several tickets: longest or shortest")
	flags.StringVar(&f.optionalBasis, "optional-basis", config.OptionalBases[0],
		"`WORD` that says who of them must have waited until a rule is optional: all or any")
	flags.IntVar(&f.budget, "budget", matcher.DefaultBudget, "`STEPS` that the search for one ticket may take")
	flags.IntVar(&f.partitionAbove, "partition-above", 0, "split a PlayFab queue with more waiting `TICKETS`, as under load; 0 never")
	complete(c, "expansion-basis", config.ExpansionBases)
	complete(c, "optional-basis", config.OptionalBases)
	grouped(flags, groupRules, "strict", "expansion-basis", "optional-basis", "budget", "partition-above")
}

// options checks the flags and translates them.
func (f *ruleFlags) options() (vendor.Options, error) {
	expansion := slices.Index(config.ExpansionBases, f.expansionBasis)
	optional := slices.Index(config.OptionalBases, f.optionalBasis)
	switch {
	case expansion < 0:
		return vendor.Options{}, input.Badf("--expansion-basis: got %q, expected longest or shortest", f.expansionBasis)
	case optional < 0:
		return vendor.Options{}, input.Badf("--optional-basis: got %q, expected all or any", f.optionalBasis)
	case f.budget < 1:
		return vendor.Options{}, input.Badf("--budget: got %d, expected 1 or more steps", f.budget)
	case f.partitionAbove < 0:
		return vendor.Options{}, input.Badf("--partition-above: got %d, expected 0 or more tickets", f.partitionAbove)
	}
	return vendor.Options{
		Strict:         f.strict,
		ExpansionBasis: matcher.ExpansionBasis(expansion),
		OptionalBasis:  matcher.OptionalBasis(optional),
		Budget:         f.budget,
		PartitionAbove: f.partitionAbove,
	}, nil
}
