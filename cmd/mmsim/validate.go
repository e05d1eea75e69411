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
)

// validateCommand is `mmsim validate`.
type validateCommand struct {
	*streams
	flags configFlags
}

func newValidateCommand(s *streams) *cobra.Command {
	v := &validateCommand{streams: s}
	c := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check files without simulating",
		Long: `Check configurations (.yaml, .yml, .json; with everything they name), days of joins,
lists of datacenters and folders of latency maps. Which of them a file is, its name
or first line tells. Every file is checked; one line each says what it is. Exit code
2 when one is faulty.

The names of latency maps, and of rtt: columns of a day, are checked against
--datacenters, else against datacenters.csv in the folder of the maps, else against
the built-in list.`,
		Example: `  mmsim validate mmsim.yaml
  mmsim validate day.csv.gz datacenters.csv
  mmsim validate --datacenters datacenters.csv maps/`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactArgs("FILE")(c, args)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.flags.add(c, "datacenters")
	return c
}

// run checks every file, so that one round of mending is enough.
func (v *validateCommand) run(files []string) error {
	faulty := 0
	for _, file := range files {
		what, warnings, err := v.check(file)
		if err != nil {
			fmt.Fprintln(v.err, err)
			faulty++
			continue
		}
		writeWarnings(v.streams, warnings)
		if _, err := fmt.Fprintf(v.out, "%s: %s\n", file, what); err != nil {
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
	case slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
		return v.checkConfig(file)
	}
	c, err := v.flags.load()
	if err != nil {
		return "", nil, err
	}
	in := &inputs{config: c, contents: map[string]string{}}
	if looksLikeDatacenters(file) {
		c.datacenters = file
		list, err := in.loadDatacenters()
		return fmt.Sprintf("%d datacenters", len(list)), nil, badInput(err)
	}
	c.dataset.file = file
	if c.datacenters != "" {
		if in.datacenters, err = in.loadDatacenters(); err != nil {
			return "", nil, badInput(err)
		}
	}
	if err := in.loadDay(); err != nil {
		return "", nil, badInput(err)
	}
	return fmt.Sprintf("%d joins from %d places", in.day.Rows(), len(in.day.Places)), in.day.Warnings, nil
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
	return fmt.Sprintf("a configuration, %d joins, %d datacenters", w.day.Rows(), len(in.datacenters)), w.warnings, nil
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
	in := &inputs{config: c, contents: map[string]string{}}
	if in.datacenters, err = in.loadDatacenters(); err != nil {
		return "", nil, badInput(err)
	}
	if in.latency, _, err = openMaps(c, in.datacenters); err != nil {
		return "", nil, badInput(err)
	}
	maps := len(in.datacenters) - len(in.latency.Missing())
	if maps == 0 {
		return "", nil, badInputf("%s: no latency maps, expected latency_<datacenter>.bin or .png of %d datacenters",
			folder, len(in.datacenters))
	}
	return fmt.Sprintf("%d latency maps of %d datacenters", maps, len(in.datacenters)), in.latencyWarnings(nil), nil
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

// writeWarnings writes warnings as messages.
func writeWarnings(s *streams, warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintf(s.err, "warning: %s\n", warning)
	}
}
