package main

import (
	"errors"
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
	all   bool
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

If a file has several rulesets, validate checks all of them; FILE#NAME selects one.

For a ruleset, validate also lists the player attributes that it reads, with their types, and warns
about likely mistakes: expansion steps that are never reached,
team sizes that allow no match, and rules that no player can satisfy. For a case file, it also warns
if a ticket gives up before a rule is first relaxed. If a vendor's service is known to differ from
the vendor's documentation, validate says in how many ways this may affect the ruleset, and --all
lists them. "mmsim help playfab" lists how mmsim reads PlayFab's documentation where it is silent or
contradicts itself.

All datacenters that latency maps or rtt:<datacenter> columns name must be in the list of
datacenters. The list comes from --datacenters, otherwise from datacenters.csv in the folder of the
maps, and otherwise it is the built-in list.

The rules flags apply to rulesets and case files; a configuration has keys with the same meaning,
such as matcher.strict. --config names a configuration whose keys say how to read joins and latency
maps. --set overrides keys of that configuration, and of all configurations that are checked.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate queue.json cases/*.json
  mmsim validate queues.json#Ranked
  mmsim validate --all ruleset.json
  mmsim validate profiles.yaml
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		Args: cli.AtLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.Add(c, append(cli.JoinFlags, "datacenters")...)
	cli.DatacentersBesideMaps(c)
	v.rules.addReading(c)
	c.Flags().BoolVar(&v.all, "all", false, "list all differences between a vendor's service and its documentation that may affect the rules")
	cli.Grouped(c.Flags(), cli.GroupRules, "all")
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
	whole := file
	file, part := input.SplitPart(file)
	info, err := os.Stat(file)
	if err != nil {
		return "", nil, input.Bad(input.Error(file, err))
	}
	if part != "" && filepath.Ext(file) != ".json" {
		return "", nil, input.Badf("%s: got a part of a file, expected a file of rulesets (.json)", whole)
	}
	switch {
	case info.IsDir():
		return v.checkMaps(file)
	case filepath.Ext(file) == ".json":
		return v.checkJSON(file, part)
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
// configuration. part is the name of one ruleset to check, or "" for all.
func (v *validateCommand) checkJSON(file, part string) (description string, warnings []jsontree.Warning, err error) {
	text, err := input.ReadFile(file, caseLimit)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	root, err := jsontree.ParseRelaxed(file, text)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	_, isRules := dialect.Recognise(root)
	switch isCase := casefile.IsCase(root); {
	case !isRules && !isCase:
		if err := dialect.ForeignErr(root); err != nil && !profiles.Recognise(file) {
			return "", nil, input.Bad(err)
		}
		return v.checkConfig(file)
	case isCase && part != "":
		return "", nil, input.Badf("%s#%s: got a part of a case file, expected a file of rulesets", file, part)
	}
	options, err := v.rules.options()
	if err != nil {
		return "", nil, err
	}
	if casefile.IsCase(root) {
		return v.checkCase(file, text, options)
	}
	description, warnings, err = v.checkRules(file, root, part, options)
	return description, warnings, input.Bad(err)
}

// checkRules checks the rulesets of a document, or only the one whose name is part.
func (v *validateCommand) checkRules(file string, root jsontree.Value, part string, options vendor.Options) (description string, warnings []jsontree.Warning, err error) {
	doc, err := dialect.Open("", root, options)
	if err != nil {
		return "", nil, err
	}
	sets := doc.Rulesets
	if part != "" && part != config.AllParts {
		set, err := doc.Ruleset(part)
		if err != nil {
			return "", nil, err
		}
		sets = []vendor.Ruleset{set}
	}
	var parts []string
	var faults []error
	warnings = doc.Warnings
	for _, set := range sets {
		rules, err := doc.CompileRuleset(set, options)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		parts = append(parts, rules.Description)
		parts[len(parts)-1] += readNames(rules)
		warnings = slices.Concat(warnings, rules.Warnings, rules.Lint(matcher.Never), v.differences(rules, input.Shown(file), vendor.FollowInConfig))
	}
	return strings.Join(parts, "; "), warnings, errors.Join(faults...)
}

// differences lists the differences between a vendor's service and its documentation with --all, or
// else returns one warning with their number.
func (v *validateCommand) differences(rules *vendor.Rules, file string, choose func(vendor.Follow) string) []jsontree.Warning {
	if v.all {
		return rules.Differences
	}
	return rules.Followed(file, choose)
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
			switch {
			case read.Identity: // the player's id is no attribute
				continue
			case read.Joined || read.Flag || read.Optional:
				to = &optional
			}
			add(to, read.Names[len(read.Names)-1], read.Kind)
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
func (v *validateCommand) checkCase(file string, text []byte, options vendor.Options) (string, []jsontree.Warning, error) {
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
	return "a case, " + rules.Description, slices.Concat(rules.Warnings, rules.Lint(c.Scene.LongestWaitMS()),
		v.differences(rules.Rules, input.Shown(file), vendor.FollowInCase)), nil
}
