package data

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/matcher/dialect/jsontree"
)

// validation holds the flags of "mmsim validate".
type validation struct {
	*terminal.Streams
	flags cli.ConfigFlags
	all   bool
}

// NewValidateCommand returns "mmsim validate".
func NewValidateCommand(s *terminal.Streams) *cobra.Command {
	v := &validation{Streams: s}
	c := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check input files without simulating",
		Long: `Check input files without simulating, and print one line for each file. validate recognises what
a file is by its name and content:

  configuration            .yaml, .yml or .json; validate also checks the files that it names
  sweep or tuning          .yaml, .yml or .json; validate also checks its configuration
  gate                     .yaml, .yml or .json, limits for "mmsim check"
  vendor's ruleset         .json
  case file                .json, a unit test of a ruleset (see "mmsim help case")
  Open Match profiles      .yaml, .yml or .json
  file of player joins     CSV, JSON or Parquet (see "mmsim dataset --help"), or - for standard input
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

The rules flags set keys such as matcher.strict. They apply to rulesets and case files, and to all
configurations that are checked. --config names a configuration whose keys say how to read joins and latency
maps. --set overrides keys of that configuration, and of all configurations that are checked.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate queue.json cases/*.json
  mmsim validate queues.json#Ranked
  mmsim validate --all ruleset.json
  mmsim validate profiles.yaml gate.yaml grid.yaml
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.Add(c, slices.Concat(cli.JoinFlags, []string{"datacenters"}, cli.ReadingFlags)...)
	cli.DatacentersBesideMaps(c)
	cli.Under(c, cli.GroupRules).Bool(&v.all, "all", "list all differences between a vendor's service and its documentation that may affect the rules")
	return c
}

// run checks every file, so that the user sees all errors at once.
func (v *validation) run(files []string) error {
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
func (v *validation) check(file string) (description string, warnings []jsontree.Warning, err error) {
	if file == input.Stdin {
		return v.checkJoins(file)
	}
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
	case filepath.Ext(file) == ".json" && info.Mode().IsRegular() && v.looksLikeJoins(file):
		return v.checkJoins(file)
	case filepath.Ext(file) == ".json":
		return v.checkJSON(file, part)
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(file)):
		return v.checkSettings(file)
	}
	// Only a regular file can be opened twice: of a pipe, the first lines would be lost.
	if info.Mode().IsRegular() && looksLikeDatacenters(file) {
		in, err := inputs(&v.flags, func(c *config.Config) { c.Datacenters.Sources = section.DatacenterFile(file) })
		if err != nil {
			return "", nil, err
		}
		return input.Counted(len(in.Datacenters), "datacenter"), nil, nil
	}
	return v.checkJoins(file)
}

// checkJoins checks a file of joins.
func (v *validation) checkJoins(file string) (description string, warnings []jsontree.Warning, err error) {
	in, err := inputs(&v.flags, func(c *config.Config) { c.Dataset.AllBadRows, c.Dataset.File = true, file })
	if err != nil {
		return "", nil, err
	}
	c := in.Config
	if err := in.LoadDay(); err != nil {
		return "", nil, input.Bad(err)
	}
	warnings = append(experiment.RowsNote(c, in.Day.PlayerRows(c.Dataset.Days)), experiment.DayWarnings(in.Day)...)
	return fmt.Sprintf("%s from %s", input.Counted(in.Day.Rows(), "join"), input.Counted(len(in.Day.Places), "place")), warnings, nil
}

// checkConfig checks a configuration and everything that it names.
func (v *validation) checkConfig(file string) (string, []jsontree.Warning, error) {
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
	description := fmt.Sprintf("a configuration, %s, %s", input.Counted(r.Day.Rows(), "join"), input.Counted(len(in.Used()), "datacenter"))
	if n := len(c.Players.Attributes); n > 0 {
		description += ", " + input.Counted(n, "generated attribute")
	}
	return description, r.Warnings, nil
}

// checkMaps checks a folder of latency maps.
func (v *validation) checkMaps(folder string) (string, []jsontree.Warning, error) {
	in, err := inputs(&v.flags, func(c *config.Config) { c.Latency.Maps = folder })
	if err != nil {
		return "", nil, err
	}
	if in.Latency, _, err = experiment.OpenMaps(in.Config, in.Datacenters); err != nil {
		return "", nil, input.Bad(err)
	}
	maps := len(in.Datacenters) - len(in.Latency.Missing())
	return fmt.Sprintf("%s of %s", input.Counted(maps, "latency map"), input.Counted(len(in.Datacenters), "datacenter")),
		jsontree.Unplaced(in.LatencyWarnings(nil)...), nil
}

// looksLikeJoins reports whether a .json file has joins, judging by its first object. Otherwise it may
// be a configuration, rules or a case.
func (v *validation) looksLikeJoins(file string) bool {
	c, err := v.flags.Read()
	if err != nil {
		return false // the error is reported when the flags are read again
	}
	f, err := os.Open(file)
	if err == nil {
		defer f.Close()
	}
	return err == nil && joinfile.Recognise(f, c.Dataset.Map) // an error is reported when the file is read
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
