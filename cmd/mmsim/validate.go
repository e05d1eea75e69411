package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/openmatch/profiles"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// validateCommand holds the flags of "mmsim validate".
type validateCommand struct {
	*terminal.Streams
	flags cli.ConfigFlags
	rules ruleFlags
}

func newValidateCommand(s *terminal.Streams) *cobra.Command {
	v := &validateCommand{Streams: s}
	c := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check input files without simulating",
		Long: `Check input files without simulating, and print one line for each file. validate recognises what
a file is by its name and content:

  configuration            .yaml, .yml or .json; validate also checks the files that it names
  vendor's ruleset         .json
  case file                .json, a unit test of a ruleset (see "mmsim help case")
  Open Match profiles      .yaml, .yml or .json
  file of player joins     CSV, JSON lines or Parquet (see "mmsim dataset --help")
  list of datacenters      CSV
  latency maps             a folder

validate checks all files, even if one has an error. The exit code is 2 if a file has an error.

For a ruleset, validate also lists the player attributes that it reads, with their types, and warns about likely mistakes: expansion steps that are never reached,
team sizes that allow no match, and rules that no player can satisfy. For a case file, it also warns
if a ticket gives up before a rule is first relaxed. If a vendor's service is known to differ from
the vendor's documentation, validate lists the differences that may affect the ruleset.

All datacenters that latency maps or rtt:<datacenter> columns name must be in the list of
datacenters. The list comes from --datacenters, otherwise from datacenters.csv in the folder of the
maps, and otherwise it is the built-in list.

The rules flags apply to rulesets and case files; a configuration has keys with the same meaning,
such as matcher.strict. --config names a configuration whose keys say how to read joins and latency
maps. --set overrides keys of that configuration, and of all configurations that are checked.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate queue.json cases/*.json
  mmsim validate profiles.yaml
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		Args: cli.AtLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.Add(c, append(cli.JoinFlags, "datacenters")...)
	cli.DatacentersBesideMaps(c)
	v.rules.addReading(c)
	return c
}

// run checks every file, so that the user sees all errors at once.
func (v *validateCommand) run(files []string) error {
	faulty := 0
	for _, file := range files {
		description, warnings, err := v.check(file)
		if err != nil {
			fmt.Fprintln(v.Err, terminal.ErrorText(err))
			faulty++
			continue
		}
		cli.WriteWarnings(v.Streams, warnings)
		if err := terminal.PrintTo(v.Out, "%s: %s\n", file, description); err != nil {
			return err
		}
	}
	if faulty > 0 {
		return input.Badf("errors in %d of %s", faulty, input.Counted(len(files), "file"))
	}
	return nil
}

// check checks one file and returns a description of its content.
func (v *validateCommand) check(file string) (description string, warnings []jsontree.Warning, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", nil, input.Bad(input.Error(file, err))
	}
	switch {
	case info.IsDir():
		return v.checkMaps(file)
	case filepath.Ext(file) == ".json":
		return v.checkJSON(file)
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(file)):
		return v.checkConfig(file)
	}
	c, err := v.flags.Read()
	if err != nil {
		return "", nil, err
	}
	c.Dataset.AllBadRows = true
	in := experiment.NewInputs(c)
	// Only a regular file can be opened twice: of a pipe, the first lines would be lost.
	if info.Mode().IsRegular() && looksLikeDatacenters(file) {
		c.Datacenters = file
		list, err := in.LoadDatacenters()
		return input.Counted(len(list), "datacenter"), nil, input.Bad(err)
	}
	c.Dataset.File = file
	if err := experiment.PreferOwnDatacenters(c); err != nil {
		return "", nil, err
	}
	if in.Datacenters, err = in.LoadDatacenters(); err != nil {
		return "", nil, input.Bad(err)
	}
	if err := in.LoadDay(); err != nil {
		return "", nil, input.Bad(err)
	}
	return fmt.Sprintf("%s from %s", input.Counted(in.Day.Rows(), "join"), input.Counted(len(in.Day.Places), "place")), experiment.DayWarnings(in.Day), nil
}

// checkConfig checks a configuration and everything that it names, or profiles of Open Match.
func (v *validateCommand) checkConfig(file string) (string, []jsontree.Warning, error) {
	if profiles.Recognise(file) {
		list, err := profiles.Read(file)
		pools := 0
		for i := range list {
			pools += len(list[i].Pools)
		}
		return fmt.Sprintf("%s of Open Match, %s", input.Counted(len(list), "profile"), input.Counted(pools, "pool")), nil, err
	}
	c, err := config.Load(file, v.flags.Overrides)
	if err != nil {
		return "", nil, err
	}
	c.Dataset.AllBadRows = true
	in, err := experiment.Load(c, experiment.NewCache(1))
	if err != nil {
		return "", nil, err
	}
	r, err := in.Replication(uint64(c.Run))
	if err != nil {
		return "", nil, err
	}
	description := fmt.Sprintf("a configuration, %s, %s", input.Counted(r.Day.Rows(), "join"), input.Counted(len(in.Datacenters), "datacenter"))
	if n := len(c.Players.Attributes); n > 0 {
		description += ", " + input.Counted(n, "generated attribute")
	}
	return description, r.Warnings, nil
}

// checkMaps checks a folder of latency maps.
func (v *validateCommand) checkMaps(folder string) (string, []jsontree.Warning, error) {
	c, err := v.flags.Read()
	if err != nil {
		return "", nil, err
	}
	c.Latency.Maps = folder
	if err := experiment.PreferOwnDatacenters(c); err != nil {
		return "", nil, err
	}
	in := experiment.NewInputs(c)
	if in.Datacenters, err = in.LoadDatacenters(); err != nil {
		return "", nil, input.Bad(err)
	}
	if in.Latency, _, err = experiment.OpenMaps(c, in.Datacenters); err != nil {
		return "", nil, input.Bad(err)
	}
	maps := len(in.Datacenters) - len(in.Latency.Missing())
	return fmt.Sprintf("%s of %s", input.Counted(maps, "latency map"), input.Counted(len(in.Datacenters), "datacenter")),
		jsontree.Unplaced(in.LatencyWarnings(nil)...), nil
}

// looksLikeDatacenters reports whether a file is a list of datacenters, judging by its first line.
// Otherwise it may be a file of joins.
func looksLikeDatacenters(file string) bool {
	f, err := os.Open(file)
	if err == nil {
		defer f.Close()
	}
	return err == nil && datasets.LooksLikeDatacenters(f) // an error is reported when the file is read
}

// checkJSON checks a .json file by its content: a case file, rules of a vendor, or else a
// configuration.
func (v *validateCommand) checkJSON(file string) (description string, warnings []jsontree.Warning, err error) {
	text, err := input.ReadFile(file, caseLimit)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	language, isRules := dialect.Recognise(root)
	if !isRules && !casefile.IsCase(root) {
		return v.checkConfig(file)
	}
	options, err := v.rules.options()
	if err != nil {
		return "", nil, err
	}
	if casefile.IsCase(root) {
		return checkCase(file, text, options)
	}
	list, err := language.Compile(root, options)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	var parts []string
	for _, rules := range list {
		parts = append(parts, rules.Description)
		parts[len(parts)-1] += readNames(rules)
		warnings = slices.Concat(warnings, rules.Warnings, rules.Lint(matcher.Never), rules.Differences)
	}
	return strings.Join(parts, "; "), warnings, nil
}

// readNames lists the player attributes that a ruleset reads, with their types. It returns "" if
// there are none.
func readNames(rules *vendor.Rules) string {
	var names, optional []string
	add := func(to *[]string, name string, kind matcher.Kind) {
		text := fmt.Sprintf("%s (%s)", name, config.KindOf(matcher.Read{Kind: kind}))
		if !slices.Contains(*to, text) {
			*to = append(*to, text)
		}
	}
	if rules.Placement != nil {
		for _, f := range rules.Placement.PlayerFields() {
			switch {
			case f.Class:
				add(&optional, f.Name, f.Kind)
			case f.Weighed && !f.Alternative:
				add(&names, f.Name, f.Kind)
			}
		}
	} else {
		for _, read := range rules.Queue.Reads {
			to := &names
			if read.Joined || read.Flag {
				to = &optional
			}
			add(to, read.Names[len(read.Names)-1], read.Kind)
		}
		for _, name := range rules.Queue.SceneOnly {
			add(&optional, name, matcher.IsSet)
		}
	}
	text := ""
	if len(names) > 0 {
		text = "; reads " + strings.Join(names, ", ")
	}
	if len(optional) > 0 {
		text += "; where players have them, reads " + strings.Join(optional, ", ")
	}
	return text
}

// checkCase checks a case file, its rules and its scene. It refuses exactly the files that "mmsim
// test" refuses. A case that expects an error is valid if that error occurs.
func checkCase(file string, text []byte, options vendor.Options) (string, []jsontree.Warning, error) {
	c, err := parseCase(file, text)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	rules, err := c.Compile(options)
	if err == nil {
		err = rules.Check(&c.Scene)
	}
	switch {
	case err == nil:
	case c.Compare(nil, err) == nil:
		return "a case that is refused, as it expects", nil, nil
	default:
		return "", nil, input.Bad(err)
	}
	return "a case, " + rules.Description, slices.Concat(rules.Warnings, rules.Lint(c.Scene.LongestWaitMS())), nil
}
