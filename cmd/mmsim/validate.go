package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	"mmsim/reports/words"
)

// validateCommand is `mmsim validate`.
type validateCommand struct {
	*terminal.Streams
	flags configFlags
	rules ruleFlags
}

func newValidateCommand(s *terminal.Streams) *cobra.Command {
	v := &validateCommand{Streams: s}
	c := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check files without simulating",
		Long: `Check configurations (.yaml, .yml, .json) and the files that they name, rulesets and
case files (.json), profiles of Open Match (.yaml, .yml, .json), days of joins, lists of
datacenters and folders of latency maps. validate recognises the kind of a file by its name
and content, checks all files, and prints one line for each. If a file has an error, the exit
code is 2.

A ruleset that loads but has likely mistakes gives warnings: expansion steps that can never
be reached, a give-up time before the first relaxation (in a case file), team sizes that
allow no match, rules that no player can satisfy. If a vendor's service differs from its
documentation, validate lists the points that may matter under the ruleset.

The names of latency maps, and of rtt: columns of a day, are checked against --datacenters,
against datacenters.csv in the folder of the maps, or against the built-in list, in this
order.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate queue.json cases/*.json
  mmsim validate profiles.yaml
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		Args: atLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.add(c, append(joinFlags, "datacenters")...)
	v.rules.add(c)
	return c
}

// run checks every file, so that the user sees all errors at once.
func (v *validateCommand) run(files []string) error {
	faulty := 0
	for _, file := range files {
		what, warnings, err := v.check(file)
		if err != nil {
			fmt.Fprintln(v.Err, terminal.ErrorText(err))
			faulty++
			continue
		}
		writeWarnings(v.Streams, warnings)
		if err := terminal.PrintTo(v.Out, "%s: %s\n", file, what); err != nil {
			return err
		}
	}
	if faulty > 0 {
		return input.Badf("%d of %d faulty", faulty, len(files))
	}
	return nil
}

// check checks one file and returns a description of its content.
func (v *validateCommand) check(file string) (what string, warnings []jsontree.Warning, err error) {
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
	c, err := v.flags.read()
	if err != nil {
		return "", nil, err
	}
	c.Dataset.AllBadRows = true
	in := experiment.NewInputs(c)
	// A pipe can be opened only once, because its beginning would be lost.
	if info.Mode().IsRegular() && looksLikeDatacenters(file) {
		c.Datacenters = file
		list, err := in.LoadDatacenters()
		return input.Counted(len(list), "datacenter"), nil, input.Bad(err)
	}
	c.Dataset.File = file
	if err := preferOwnDatacenters(c); err != nil {
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
	c, err := config.Load(file, v.flags.overrides)
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
	what := fmt.Sprintf("a configuration, %s, %s", input.Counted(r.Day.Rows(), "join"), input.Counted(len(in.Datacenters), "datacenter"))
	if n := len(c.Players.Attributes); n > 0 {
		what += ", " + input.Counted(n, "generated attribute")
	}
	return what, r.Warnings, nil
}

// checkMaps checks a folder of latency maps.
func (v *validateCommand) checkMaps(folder string) (string, []jsontree.Warning, error) {
	c, err := v.flags.read()
	if err != nil {
		return "", nil, err
	}
	c.Latency.Maps = folder
	if err := preferOwnDatacenters(c); err != nil {
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

// looksLikeDatacenters reports whether the first line of a file is that of a list of
// datacenters, and not of joins.
func looksLikeDatacenters(file string) bool {
	f, err := os.Open(file)
	if err == nil {
		defer f.Close()
	}
	return err == nil && datasets.LooksLikeDatacenters(f) // the next reader reports the error
}

// writeWarnings writes warnings as messages.
func writeWarnings(s *terminal.Streams, warnings []jsontree.Warning) {
	for _, w := range warnings {
		text := w.String()
		if w.Place == "" {
			text = "warning: " + text
		}
		fmt.Fprintln(s.Err, words.Printable(text))
	}
}

// checkJSON checks a .json file by its content: a case file, rules of a vendor, or else a
// configuration.
func (v *validateCommand) checkJSON(file string) (what string, warnings []jsontree.Warning, err error) {
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
		warnings = slices.Concat(warnings, rules.Warnings, rules.Lint(matcher.Never), rules.Differences)
	}
	return strings.Join(parts, "; "), warnings, nil
}

// checkCase checks a case file, its rules and its scene. "mmsim test" and "mmsim match"
// refuse exactly the files that it refuses. A case that expects to be refused is valid if it
// is.
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
