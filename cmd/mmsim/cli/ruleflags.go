package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// RuleFlags are the flags that decide what a vendor's documentation of its rules leaves open.
type RuleFlags struct {
	strict                        bool
	expansionBasis, optionalBasis string
	budget, batch, partitionAbove int
}

// AddReading registers only the flags that matter for checking a ruleset without a matching pass.
func (f *RuleFlags) AddReading(c *cobra.Command) {
	flags := c.Flags()
	f.budget = matcher.DefaultBudget
	flags.SortFlags = false
	flags.BoolVar(&f.strict, "strict", false, SettingUsage("matcher.strict"))
	flags.StringVar(&f.expansionBasis, "expansion-basis", config.ExpansionBases[0], SettingUsage("matcher.expansion_basis"))
	flags.StringVar(&f.optionalBasis, "optional-basis", config.OptionalBases[0], SettingUsage("matcher.optional_basis"))
	Placeholders(flags, map[string]string{"expansion-basis": "WORD", "optional-basis": "WORD"})
	Complete(c, "expansion-basis", config.ExpansionBases)
	Complete(c, "optional-basis", config.OptionalBases)
	Grouped(flags, GroupRules, "strict", "expansion-basis", "optional-basis")
}

// Add registers all flags.
func (f *RuleFlags) Add(c *cobra.Command) {
	f.AddReading(c)
	flags := c.Flags()
	flags.IntVar(&f.budget, "budget", matcher.DefaultBudget, SettingUsage("matcher.budget"))
	flags.IntVar(&f.batch, "batch", 0, SettingUsage("matcher.batch")+" (default 0)")
	flags.IntVar(&f.partitionAbove, "partition-above", 0, SettingUsage("matcher.partition_above")+" (default 0)")
	Placeholders(flags, map[string]string{"budget": "N", "batch": "N", "partition-above": "N"})
	Grouped(flags, GroupRules, "budget", "batch", "partition-above")
}

// Options checks the flags and returns the options for reading rulesets.
func (f *RuleFlags) Options() (vendor.Options, error) {
	expansion := slices.Index(config.ExpansionBases, f.expansionBasis)
	optional := slices.Index(config.OptionalBases, f.optionalBasis)
	switch {
	case expansion < 0:
		return vendor.Options{}, input.Badf("--expansion-basis: got %q, expected longest or shortest", f.expansionBasis)
	case optional < 0:
		return vendor.Options{}, input.Badf("--optional-basis: got %q, expected all or any", f.optionalBasis)
	case f.budget < 1:
		return vendor.Options{}, input.Badf("--budget: got %d, expected 1 or more steps", f.budget)
	case f.batch < 0:
		return vendor.Options{}, input.Badf("--batch: got %d, expected 0 or more tickets", f.batch)
	case f.partitionAbove < 0:
		return vendor.Options{}, input.Badf("--partition-above: got %d, expected 0 or more tickets", f.partitionAbove)
	}
	return vendor.Options{
		Strict:         f.strict,
		ExpansionBasis: matcher.ExpansionBasis(expansion),
		OptionalBasis:  matcher.OptionalBasis(optional),
		Budget:         f.budget,
		Batch:          f.batch,
		PartitionAbove: f.partitionAbove,
	}, nil
}
