// Package data has the commands about input files: "mmsim dataset" generates, describes and converts
// files of joins, "mmsim latency" builds, converts, compares and draws latency maps and looks up single
// round-trip times, and "mmsim validate" checks files of all kinds without simulating.
package data

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

// NewDatasetCommand returns "mmsim dataset" and its subcommands.
func NewDatasetCommand(s *terminal.Streams) *cobra.Command {
	group := &cobra.Command{
		Use:   "dataset",
		Short: "Generate, describe and convert files of player joins; list datacenters",
		Long:  "Work with files of player joins, which \"mmsim run --dataset\" reads.\n\n" + joinsHelp,
		Example: `  mmsim dataset gen --preset eu --joins 100000 --out day.csv.gz
  mmsim dataset info day.csv.gz
  mmsim dataset convert day.csv day.csv.zst`,
	}
	group.AddCommand(newGenCommand(s), newInfoCommand(s), newDatasetConvertCommand(s), newDatacentersCommand(s))
	cli.AsGroup(group)
	return group
}

// formats maps the words of --format to formats.
var formats = map[string]datasets.DayFormat{"headed": datasets.Headed, "article": datasets.Article}

// dayWriter holds the flags of the commands that write a day.
type dayWriter struct {
	*terminal.Streams
	flags  cli.ConfigFlags
	format string
	force  bool
}

// add registers --format and --force.
func (d *dayWriter) add(c *cobra.Command) {
	words := []string{"headed", "article"}
	out := cli.Under(c, cli.GroupOutput)
	out.Word(&d.format, "format", "WORD", words[0],
		"output format: headed (a header and all columns), or article (rows of HH:MM:SS,latitude,longitude without a header, as in Glenn Fiedler's article on matchmaking)", words)
	out.Bool(&d.force, "force", "replace the output file if it exists (default: only an empty file is replaced)")
}

// write writes the day that dayOf makes from the configuration.
func (d *dayWriter) write(file string, dayOf func(*config.Config) (*datasets.Day, error)) error {
	c, err := d.flags.Read()
	if err != nil {
		return err
	}
	if err := checkNew(file, d.force); err != nil {
		return err
	}
	day, err := dayOf(c)
	if err != nil {
		return input.Bad(err)
	}
	cli.WriteWarnings(d.Streams, experiment.DayWarnings(day))
	if err = writeDay(d.Streams, file, day, formats[d.format]); errors.Is(err, datasets.ErrSeveralDays) {
		return input.Bad(err)
	}
	return err
}

// readDay reads a file of joins as the configuration says. Columns of measured RTTs may name any
// datacenter, because no list of datacenters is loaded.
func readDay(c *config.Config, file string) (*datasets.Day, error) {
	if file == "" {
		return nil, input.ErrNoName
	}
	c.Dataset.File = file
	in := experiment.NewInputs(c)
	if err := in.LoadDay(); err != nil {
		return nil, input.Bad(err)
	}
	return in.Day, nil
}

// checkNew refuses to replace a file that has content, unless force says so: it may be a day that was
// measured and cannot be written again. Devices and pipes are not replaced.
func checkNew(file string, force bool) error {
	info, err := os.Stat(file)
	if force || file == input.Stdin || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // writing the file reports any other error
	}
	return input.Badf("%s: exists, expected the name of a new file; --force replaces it", file)
}

// writeDay writes a day to a file, which appears only when it is complete. The file "-" is standard
// output.
func writeDay(s *terminal.Streams, file string, day *datasets.Day, format datasets.DayFormat) error {
	switch file {
	case "":
		return input.ErrNoName
	case "-":
		return datasets.WriteDay(s.Data(), day, format)
	}
	return resultdir.WriteFile(file, func(plain io.Writer) error {
		w, err := datasets.Compressor(plain, file)
		if err != nil {
			return err
		}
		return errors.Join(datasets.WriteDay(w, day, format), w.Close())
	})
}
