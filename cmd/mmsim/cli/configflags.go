package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/matcher/dialect/vendor"
)

// ConfigFlags are the flags that set the configuration: --config, --set, and short forms of --set
// such as --seed. Overrides has all except --config in the order of the command line, because the
// last value of a setting counts.
type ConfigFlags struct {
	File      string // --config
	Overrides []config.Override

	command *cobra.Command // that has the flags
}

// Load returns the configuration for a simulation. It checks the files of the command, see
// CheckConfigs.
func (f *ConfigFlags) Load() (*config.Config, error) {
	return f.checked(config.Load(f.File, f.Overrides))
}

// Read returns the configuration for a command that does not simulate. It checks the files of the
// command, see CheckConfigs.
func (f *ConfigFlags) Read() (*config.Config, error) {
	return f.checked(config.Read(f.File, f.Overrides))
}

func (f *ConfigFlags) checked(c *config.Config, err error) (*config.Config, error) {
	if err == nil {
		err = CheckConfigs(f.command, c)
	}
	return c, err
}

// shortForm is a short form of --set, which sets one key. The value of a literal flag is its text,
// which need not be valid YAML, such as the name of a file.
type shortForm struct {
	name, key, placeholder, group string
	literal                       bool
	files                         string // file extensions for completion, or "/" for folders
}

// role returns the role of the flag.
func (s *shortForm) role() Role {
	switch {
	case s.key == "output.dir":
		return WritesFolder
	case s.files != "", s.key == "matcher.external":
		return Reads
	}
	return Neither
}

// shortFlags are the short forms of --set.
var shortFlags = []shortForm{
	{"dataset", "dataset.file", "FILE", GroupInput, true, "csv gz zst tsv jsonl ndjson parquet"},
	{"map", "dataset.map", "NAME=COLUMN,...", GroupInput, false, ""},
	{"time-zone", "dataset.time_zone", "ZONE", GroupInput, true, ""},
	{"time-format", "dataset.time_format", "WORD", GroupInput, true, ""},
	{"date", "dataset.date", "DAY", GroupInput, false, ""}, // AddShort selects it by its key, because two keys have this flag
	{"geoip", "dataset.geoip", "FILE", GroupInput, true, "mmdb"},
	{"days", "dataset.days", "N", GroupInput, false, ""},
	{"scale", "dataset.scale", "FACTOR", GroupInput, false, ""},
	{"datacenters", "datacenters.file", "FILE", GroupInput, true, "csv"},
	{"latency-maps", "latency.maps", "DIR", GroupInput, true, "/"},
	{"seed", "seed", "N", GroupSimulation, false, ""},
	{"duration", "clock.duration", "SPAN", GroupSimulation, false, ""},
	{"placement", "placement", "WORD", GroupSimulation, false, ""},
	{"events", "events", "FILE", GroupSimulation, true, "yaml yml"},
	{"preset", "dataset.builtin.preset", "WORD", GroupInput, false, ""},
	{"joins", "dataset.builtin.joins", "N", GroupInput, false, ""},
	{"date", "dataset.builtin.date", "DAY", GroupInput, false, ""},
	{"rules", "rules", "FILE", GroupRules, true, "json"},
	{"matcher", "matcher.external", "KIND:TARGET", GroupRules, true, ""},
	{"profiles", "matcher.profiles", "FILE", GroupRules, true, "yaml"},
	{"strict", "matcher.strict", noValue, GroupRules, false, ""},
	{"expansion-basis", "matcher.expansion_basis", "WORD", GroupRules, false, ""},
	{"optional-basis", "matcher.optional_basis", "WORD", GroupRules, false, ""},
	{"budget", "matcher.budget", "N", GroupRules, false, ""},
	{"batch", "matcher.batch", "N", GroupRules, false, ""},
	{"partition-above", "matcher.partition_above", "N", GroupRules, false, ""},
	{"out", "output.dir", "DIR", GroupOutput, true, "/"},
	{"records", "output.records", "WORD", GroupOutput, false, ""},
}

// noValue is the placeholder of a flag that needs no value. The flag parser knows it by this name.
const noValue = "bool"

// Short flags that several commands have. A command that simulates has all SimulationFlags, so that
// the flags of one of them work with the others.
var (
	// JoinFlags say how to read a file of joins.
	JoinFlags = []string{"map", "time-zone", "time-format", "dataset.date", "geoip"}
	// ReadingFlags say how to read a ruleset.
	ReadingFlags = []string{"strict", "expansion-basis", "optional-basis"}
	// PassFlags say how to read a ruleset and how its matching passes search.
	PassFlags = slices.Concat(ReadingFlags, []string{"budget", "batch", "partition-above"})

	SimulationFlags = slices.Concat(JoinFlags, []string{"dataset", "days", "scale", "datacenters", "latency-maps",
		"seed", "duration", "placement", "events", "rules", "matcher", "profiles"}, PassFlags)
)

// Add registers --config, --set and the short flags in names.
func (f *ConfigFlags) Add(c *cobra.Command, names ...string) {
	c.Flags().SortFlags = false
	Under(c, GroupInput).File(&f.File, Reads, "config", "", "configuration file (YAML); see \"mmsim help config\"", "yaml", "yml", "json")
	f.AddSet(c, "set", "set a key of the configuration, such as match.size=10; repeatable")
	f.AddShort(c, names...)
}

// AddSet registers a flag that sets one key.
func (f *ConfigFlags) AddSet(c *cobra.Command, name, usage string) {
	Under(c, GroupInput).Value(&setFlag{f, name}, name, "", Neither, usage)
	Must(c.RegisterFlagCompletionFunc(name, completeSet))
}

// AddShort registers the short flags whose names or keys are in names.
func (f *ConfigFlags) AddShort(c *cobra.Command, names ...string) {
	f.command = c
	c.Flags().SortFlags = false
	for _, short := range shortFlags {
		if !slices.Contains(names, short.key) && (short.name == "date" || !slices.Contains(names, short.name)) {
			continue
		}
		s, usage := config.SettingNamed(short.key), SettingUsage(short.key)
		switch standard := value.Flow(s.Write("")); {
		case short.key == "clock.duration":
			usage, _, _ = strings.Cut(usage, "; ")
			usage += "; data that is shorter repeats (default " + standard + ", or all days of the data)"
		case short.key == "dataset.map":
			usage = strings.Replace(usage, "{time: joined_at}", "time=joined_at", 1)
		case short.placeholder != noValue && standard != "" && standard != "{}":
			usage += " (default " + standard + ")"
		}
		Under(c, short.group).Value(&shortFlag{f, short.name, short.key, short.placeholder, short.literal}, short.name, "", short.role(), usage)
		switch {
		case short.placeholder == noValue:
			c.Flags().Lookup(short.name).NoOptDefVal = "true"
		case short.files != "":
			completeFiles(c, short.name, strings.Fields(short.files))
		default:
			complete(c, short.name, s.Choices)
		}
	}
}

// SettingUsage returns the help of a flag that sets a key of the configuration. It is the meaning of
// the key. If the key accepts only some words that its meaning does not name, it lists them, too.
func SettingUsage(key string) string {
	s := config.SettingNamed(key)
	usage, rest, more := strings.Cut(s.Meaning, "; ")
	unnamed := func(choice string) bool { return !strings.Contains(usage, choice) }
	if len(s.Choices) > 0 && s.Choices[0] != "true" && slices.ContainsFunc(s.Choices, unnamed) {
		usage += ": " + input.Either(s.Choices)
	}
	if more {
		usage += "; " + rest
	}
	return usage
}

// completeSet completes a value of --set: the key and, after the equals sign, a word that the key
// accepts.
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

// setFlag is --set, --set-a or --set-b.
type setFlag struct {
	to   *ConfigFlags
	name string
}

func (*setFlag) String() string { return "" }
func (*setFlag) Type() string   { return "KEY=VALUE" }

func (f *setFlag) Set(text string) error {
	o, err := config.ParseOverride(f.name, text)
	if err == nil {
		f.to.Overrides = append(f.to.Overrides, o)
	}
	return err
}

// shortFlag is a short form of --set.
type shortFlag struct {
	to                     *ConfigFlags
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
		if text, err = namesMapping(text); err != nil {
			return input.Bad(err)
		}
	}
	f.to.Overrides = append(f.to.Overrides,
		config.NewOverride(f.name, f.key, text, f.literal))
	return nil
}

// Files lists the files that the configuration reads, and the configuration file itself.
func (f *ConfigFlags) Files(c *config.Config) []string { return append(config.FileNames(c), f.File) }

// DatacentersBesideMaps corrects the help of --datacenters for commands that call
// experiment.PreferOwnDatacenters.
func DatacentersBesideMaps(c *cobra.Command) {
	f := c.Flags().Lookup("datacenters")
	f.Usage = strings.Replace(f.Usage, "(default: the built-in list)", "(default: datacenters.csv in the folder of the latency maps, if it exists, or the built-in list)", 1)
}

// RulesetOptions returns the options for reading a ruleset that is not part of a configuration.
func (f *ConfigFlags) RulesetOptions() (vendor.CompileOptions, error) {
	var own []config.Override
	for _, o := range f.Overrides {
		if strings.HasPrefix(o.Key, "matcher.") {
			own = append(own, o)
		}
	}
	c, err := config.Read("", own)
	if err != nil {
		return vendor.CompileOptions{}, err
	}
	return c.Matcher.CompileOptions, nil
}
