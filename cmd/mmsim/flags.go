package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/value"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"

	"mmsim/datasets/joinfile"
)

// configFlags are the flags that set the configuration: --config, --set and the short forms
// of --set. All except --config are collected in one list, in the order of the command line,
// so that the last value of a setting counts.
type configFlags struct {
	file      string
	overrides []config.Override
}

// load resolves the configuration of the flags.
func (f *configFlags) load() (*config.Config, error) { return config.Load(f.file, f.overrides) }

// read resolves the configuration for a command that does not simulate.
func (f *configFlags) read() (*config.Config, error) { return config.Read(f.file, f.overrides) }

// shortFlags are short forms of --set. Each sets one key; the text of a literal flag is its
// value, because a file name need not be valid YAML.
var shortFlags = []struct {
	name, key, placeholder, group string
	literal                       bool
	files                         string // file extensions for completion, "/" for folders
}{
	{"dataset", "dataset.file", "FILE", groupInput, true, "csv gz zst tsv jsonl ndjson parquet"},
	{"map", "dataset.map", "OURS=THEIRS,...", groupInput, false, ""},
	{"time-zone", "dataset.time_zone", "ZONE", groupInput, true, ""},
	{"date", "dataset.date", "DAY", groupInput, false, ""}, // selected by its key, because the date of the built-in day has the same flag
	{"days", "dataset.days", "N", groupInput, false, ""},
	{"scale", "dataset.scale", "FACTOR", groupInput, false, ""},
	{"datacenters", "datacenters.file", "FILE", groupInput, true, "csv"},
	{"latency-maps", "latency.maps", "DIR", groupInput, true, "/"},
	{"seed", "seed", "N", groupSimulation, false, ""},
	{"duration", "clock.duration", "SPAN", groupSimulation, false, ""},
	{"placement", "placement", "WORD", groupSimulation, false, ""},
	{"preset", "dataset.builtin.preset", "WORD", groupInput, false, ""},
	{"joins", "dataset.builtin.joins", "N", groupInput, false, ""},
	{"date", "dataset.builtin.date", "DAY", groupInput, false, ""},
	{"rules", "rules", "FILE", groupRules, true, "json"},
	{"matcher", "matcher.external", "KIND:TARGET", groupRules, true, ""},
	{"profiles", "matcher.profiles", "FILE", groupRules, true, "yaml"},
	{"out", "output.dir", "DIR", groupOutput, true, "/"},
	{"records", "output.records", "WORD", groupOutput, false, ""},
}

// add registers --config, --set and the short flags in names.
func (f *configFlags) add(c *cobra.Command, names ...string) {
	c.Flags().SortFlags = false
	c.Flags().Var((*fileFlag)(&f.file), "config", "read the configuration from FILE (see \"mmsim help config\")")
	grouped(c.Flags(), groupInput, "config")
	must(c.MarkFlagFilename("config", "yaml", "yml", "json"))
	f.addSet(c, "set", "set one key of the configuration; repeatable")
	f.addShort(c, names...)
}

// addSet registers a flag that sets one key.
func (f *configFlags) addSet(c *cobra.Command, name, usage string) {
	c.Flags().Var(&setFlag{f, name}, name, usage)
	grouped(c.Flags(), groupInput, name)
	must(c.RegisterFlagCompletionFunc(name, completeSet))
}

// addShort registers the short flags whose names or keys are in names.
func (f *configFlags) addShort(c *cobra.Command, names ...string) {
	flags := c.Flags()
	flags.SortFlags = false
	all := config.Settings(config.Default())
	for _, short := range shortFlags {
		if !slices.Contains(names, short.key) && (short.name == "date" || !slices.Contains(names, short.name)) {
			continue
		}
		s := all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Path == short.key })]
		usage := s.Meaning
		if len(s.Choices) > 0 {
			usage += ": " + s.Expects
		}
		if standard := value.Flow(s.Write()); standard != "" && standard != "{}" {
			usage += " (default " + standard + ")"
		}
		flags.Var(&shortFlag{f, short.name, short.key, short.placeholder, short.literal}, short.name, usage)
		grouped(flags, short.group, short.name)
		switch {
		case short.files == "/":
			must(c.MarkFlagDirname(short.name))
		case short.files != "":
			must(c.MarkFlagFilename(short.name, strings.Fields(short.files)...))
		default:
			complete(c, short.name, s.Choices)
		}
	}
}

// addNoColour registers --no-color for a command that colours its output.
func addNoColour(c *cobra.Command, s *terminal.Streams) {
	c.Flags().BoolVar(&s.NoColour, "no-color", false, "no colours, as with the variable NO_COLOR; a file or pipe never gets any")
	grouped(c.Flags(), groupOutput, "no-color")
}

// complete offers words as completions of a flag's value.
func complete(c *cobra.Command, flag string, words []string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
}

// completeSet offers the keys of the configuration and, after the equals sign, the words that
// the key accepts.
func completeSet(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	key, _, hasValue := strings.Cut(typed, "=")
	var words []string
	for _, s := range config.Settings(config.Default()) {
		switch {
		case !hasValue:
			words = append(words, s.Path+"=\t"+s.Meaning)
		case s.Path == key:
			for _, word := range s.Choices {
				words = append(words, key+"="+word)
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// must panics on errors that only a fault in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// setFlag is --set KEY=VALUE, or a similar flag with another name.
type setFlag struct {
	to   *configFlags
	name string
}

func (*setFlag) String() string { return "" }
func (*setFlag) Type() string   { return "KEY=VALUE" }

func (f *setFlag) Set(text string) error {
	o, err := config.ParseOverride(f.name, text)
	if err == nil {
		f.to.overrides = append(f.to.overrides, o)
	}
	return err
}

// shortFlag is a short form of --set.
type shortFlag struct {
	to                     *configFlags
	name, key, placeholder string
	literal                bool
}

func (*shortFlag) String() string { return "" }
func (f *shortFlag) Type() string { return f.placeholder }

func (f *shortFlag) Set(text string) error {
	if f.literal && text == "" {
		return input.ErrNoName
	}
	if f.key == "dataset.map" {
		var err error
		if text, err = joinfile.NamesMapping(text); err != nil {
			return input.Bad(err)
		}
	}
	f.to.overrides = append(f.to.overrides,
		config.NewOverride(f.name, f.key, text, f.literal))
	return nil
}

// fileFlag is a flag whose value is a file name.
type fileFlag string

func (f *fileFlag) String() string { return string(*f) }
func (*fileFlag) Type() string     { return "FILE" }

func (f *fileFlag) Set(text string) error {
	if text == "" {
		return input.ErrNoName
	}
	*f = fileFlag(text)
	return nil
}

// files lists the files that the configuration reads, including its own.
func (f *configFlags) files(c *config.Config) []string { return append(filenames.Of(c), f.file) }

// ruleFlags are the flags about the interpretation of rules where their vendor does not
// specify it.
type ruleFlags struct {
	strict                        bool
	expansionBasis, optionalBasis string
	budget, batch, partitionAbove int
}

func (f *ruleFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.strict, "strict", false, "treat members that the vendor's schema does not have as errors, not as warnings")
	flags.StringVar(&f.expansionBasis, "expansion-basis", config.ExpansionBases[0],
		"relax a rule between tickets by the longest or the shortest of their waits; `WORD`: longest or shortest")
	flags.StringVar(&f.optionalBasis, "optional-basis", config.OptionalBases[0],
		"make a rule optional when all or any of the tickets have waited long enough; `WORD`: all or any")
	flags.IntVar(&f.budget, "budget", matcher.DefaultBudget, "allow the search for one ticket to take at most `STEPS`")
	flags.IntVar(&f.batch, "batch", 0, "divide a FlexMatch pass into batches of `TICKETS`, drawn at random or cut from the sorted tickets; 0: one batch")
	flags.IntVar(&f.partitionAbove, "partition-above", 0, "split a PlayFab queue with more waiting `TICKETS`, as the service does under load; 0: never")
	complete(c, "expansion-basis", config.ExpansionBases)
	complete(c, "optional-basis", config.OptionalBases)
	grouped(flags, groupRules, "strict", "expansion-basis", "optional-basis", "budget", "batch", "partition-above")
}

// options checks the flags and converts them to options of the dialects.
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

// joinFlags are the short flags about reading a file of joins.
var joinFlags = []string{"map", "time-zone", "dataset.date"}
