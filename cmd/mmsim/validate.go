package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/reports"
)

// validateCommand is `mmsim validate`.
type validateCommand struct {
	*streams
	flags configFlags
	rules ruleFlags
}

func newValidateCommand(s *streams) *cobra.Command {
	v := &validateCommand{streams: s}
	c := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check files without simulating",
		Long: `Check configurations (.yaml, .yml, .json; with everything they name), rulesets and
case files (.json), days of joins, lists of datacenters and folders of latency maps.
Which of them a file is, its name or content tells. Every file is checked; one line
each says what it is. Exit code 2 when one is faulty.

In a ruleset, what loads and yet cannot be meant is a warning: expansion steps that
can never be reached, a give-up time before the first relaxation (in a case file),
team sizes that admit no match, rules that nobody can satisfy. Where a vendor's service and
its documentation differ, every point is listed that may matter under the ruleset.

The names of latency maps, and of rtt: columns of a day, are checked against
--datacenters, else against datacenters.csv in the folder of the maps, else against
the built-in list.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate queue.json cases/*.json
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		Args: atLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.add(c, "datacenters")
	v.rules.add(c)
	return c
}

// run checks every file, so that one round of mending is enough.
func (v *validateCommand) run(files []string) error {
	faulty := 0
	for _, file := range files {
		what, warnings, err := v.check(file)
		if err != nil {
			fmt.Fprintln(v.err, errorText(err))
			faulty++
			continue
		}
		writeWarnings(v.streams, warnings)
		if err := printTo(v.out, "%s: %s\n", file, what); err != nil {
			return err
		}
	}
	if faulty > 0 {
		return badInputf("%d of %d faulty", faulty, len(files))
	}
	return nil
}

// check checks one file and says what is in it.
func (v *validateCommand) check(file string) (what string, warnings []string, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", nil, badInput(openError(file, err))
	}
	switch {
	case info.IsDir():
		return v.checkMaps(file)
	case filepath.Ext(file) == ".json":
		return v.checkJSON(file)
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(file)):
		return v.checkConfig(file)
	}
	c, err := v.flags.load()
	if err != nil {
		return "", nil, err
	}
	in := newInputs(c)
	// What is no regular file can be opened once: its beginning would be lost.
	if info.Mode().IsRegular() && looksLikeDatacenters(file) {
		c.datacenters = file
		list, err := in.loadDatacenters()
		return counted(len(list), "datacenter"), nil, badInput(err)
	}
	c.dataset.file = file
	if err := c.preferOwnDatacenters(); err != nil {
		return "", nil, err
	}
	if in.datacenters, err = in.loadDatacenters(); err != nil {
		return "", nil, badInput(err)
	}
	if err := in.loadDay(); err != nil {
		return "", nil, badInput(err)
	}
	return fmt.Sprintf("%s from %s", counted(in.day.Rows(), "join"), counted(len(in.day.Places), "place")), in.day.Warnings, nil
}

// checkConfig checks a configuration and everything that it names.
func (v *validateCommand) checkConfig(file string) (string, []string, error) {
	c, err := loadConfig(file, v.flags.overrides)
	if err != nil {
		return "", nil, err
	}
	in, err := loadInputs(c)
	if err != nil {
		return "", nil, err
	}
	w, err := in.world(uint64(c.run))
	if err != nil {
		return "", nil, err
	}
	what := fmt.Sprintf("a configuration, %s, %s", counted(w.day.Rows(), "join"), counted(len(in.datacenters), "datacenter"))
	if n := len(c.players.attributes); n > 0 {
		what += ", " + counted(n, "generated attribute")
	}
	return what, w.warnings, nil
}

// checkMaps checks a folder of latency maps.
func (v *validateCommand) checkMaps(folder string) (string, []string, error) {
	c, err := v.flags.load()
	if err != nil {
		return "", nil, err
	}
	c.latency.maps = folder
	if err := c.preferOwnDatacenters(); err != nil {
		return "", nil, err
	}
	in := newInputs(c)
	if in.datacenters, err = in.loadDatacenters(); err != nil {
		return "", nil, badInput(err)
	}
	if in.latency, _, err = openMaps(c, in.datacenters); err != nil {
		return "", nil, badInput(err)
	}
	maps := len(in.datacenters) - len(in.latency.Missing())
	return fmt.Sprintf("%s of %s", counted(maps, "latency map"), counted(len(in.datacenters), "datacenter")),
		in.latencyWarnings(nil), nil
}

// looksLikeDatacenters tells a list of datacenters from a day of joins by its
// first line: the list begins with the word id, or has four columns of which the
// first is a whole number.
func looksLikeDatacenters(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false // whoever reads it next has the message
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	line, _, _ := strings.Cut(strings.TrimLeft(string(head[:n]), "\r\n\ufeff "), "\n")
	first, rest, _ := strings.Cut(line, ",")
	first = strings.TrimSpace(first)
	return first == "id" || strings.Count(rest, ",") == 2 && first != "" && strings.Trim(first, "0123456789") == ""
}

// writeWarnings writes warnings as messages. Those that begin with a place say
// themselves that they are warnings.
func writeWarnings(s *streams, warnings []string) {
	for _, warning := range warnings {
		if !strings.Contains(warning, ": warning: ") {
			warning = "warning: " + warning
		}
		fmt.Fprintln(s.err, reports.Printable(warning))
	}
}
