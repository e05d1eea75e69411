package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
)

func newDatasetCommand(s *terminal.Streams) *cobra.Command {
	group := &cobra.Command{
		Use:   "dataset",
		Short: "Generate, describe and convert days of joins",
		Long:  "Create, describe and convert the files of joins that \"mmsim run --dataset\" reads.\n\n" + joinfile.Help,
		Example: `  mmsim dataset gen --preset eu --joins 100000 --out day.csv.gz
  mmsim dataset info day.csv.gz
  mmsim dataset convert day.csv day.csv.zst`,
	}
	group.AddCommand(newGenCommand(s), newInfoCommand(s), newConvertCommand(s))
	asGroup(group)
	return group
}

// formats are the formats in which a day can be written.
var formats = map[string]joinfile.Format{"headed": joinfile.Headed, "article": joinfile.Article}

// formatWords are the keys of formats in the order of help texts.
var formatWords = []string{"headed", "article"}

// addFormat registers --format.
func addFormat(c *cobra.Command, p *string) {
	c.Flags().StringVar(p, "format", "headed",
		"`WORD`: headed (with a header and all columns) or article (HH:MM:SS,lat,long alone)")
	grouped(c.Flags(), groupOutput, "format")
	complete(c, "format", formatWords)
}

func parseFormat(word string) (joinfile.Format, error) {
	format, ok := formats[word]
	if !ok {
		return 0, input.Badf("--format: got %q%s, expected %s",
			word, input.DidYouMean(word, formatWords), strings.Join(formatWords, " or "))
	}
	return format, nil
}

func newGenCommand(s *terminal.Streams) *cobra.Command {
	var flags configFlags
	var format, out string
	c := &cobra.Command{
		Use:   "gen [flags]",
		Short: "Write a synthetic day",
		Long: `Write the built-in day as CSV: joins from cities, in proportion to their people online,
by the hours of local time. "mmsim run" with the same settings simulates this day. The name
of --out selects the compression (.gz, .zst).`,
		Example: `  mmsim dataset gen --out day.csv.gz
  mmsim dataset gen --preset sa --joins 50000 --date 2026-07-01 --seed 3 > day.csv
  mmsim dataset gen --set dataset.builtin.spike='{hour: 18, factor: 5}' --out launch.csv`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			form, err := parseFormat(format)
			if err != nil {
				return err
			}
			c, err := flags.read()
			if err != nil {
				return err
			}
			c.Dataset.File = "" // the other settings of a configuration with a file can still configure the built-in day
			in := experiment.NewInputs(c)
			if err := in.LoadCountries(); err != nil {
				return input.Bad(err)
			}
			day, err := in.BuiltinDay(uint64(c.Run))
			if err != nil {
				return input.Bad(err)
			}
			return writeDay(s, out, day, form)
		},
	}
	flags.add(c, "preset", "joins", "dataset.builtin.date", "seed")
	c.Flags().StringVar(&out, "out", "-", "write to `FILE`; - is standard output")
	grouped(c.Flags(), groupOutput, "out")
	must(c.MarkFlagFilename("out", "csv", "gz", "zst"))
	addFormat(c, &format)
	return c
}

func newConvertCommand(s *terminal.Streams) *cobra.Command {
	var flags configFlags
	var format string
	c := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Check a day and write it in another format",
		Long: `Read joins in any format (see "mmsim dataset --help"), check them all, and write them as
CSV in order of time. The name of OUT selects the compression (.gz, .zst); - means standard
output.`,
		Example: `  mmsim dataset convert day.csv day.csv.gz
  mmsim dataset convert --format article telemetry.csv.zst -
  mmsim dataset convert --set dataset.columns.build=text in.csv out.csv`,
		Args: exactArgs("IN", "OUT"),
		RunE: func(_ *cobra.Command, args []string) error {
			form, err := parseFormat(format)
			if err != nil {
				return err
			}
			day, err := readDay(&flags, args[0])
			if err != nil {
				return err
			}
			writeWarnings(s, experiment.DayWarnings(day))
			if err = writeDay(s, args[1], day, form); errors.Is(err, joinfile.ErrSeveralDays) {
				return input.Bad(err)
			}
			return err
		},
	}
	flags.add(c, joinFlags...)
	addFormat(c, &format)
	return c
}

// readDay reads a day for a command that does not simulate. Columns of measured RTTs may name
// any datacenters, because there is no list of datacenters.
func readDay(flags *configFlags, file string) (*datasets.Day, error) {
	if file == "" {
		return nil, input.ErrNoName
	}
	c, err := flags.read()
	if err != nil {
		return nil, err
	}
	c.Dataset.File = file
	in := experiment.NewInputs(c)
	if err := in.LoadDay(); err != nil {
		return nil, input.Bad(err)
	}
	return in.Day, nil
}

// writeDay writes a day to a file or, for "-", to standard output. The file appears only when
// it is complete.
func writeDay(s *terminal.Streams, file string, day *datasets.Day, format joinfile.Format) error {
	switch file {
	case "":
		return input.ErrNoName
	case "-":
		return joinfile.WriteCSV(s.Data(), day, format)
	}
	return resultdir.WriteFile(file, func(plain io.Writer) error {
		w, err := joinfile.Compressor(plain, file)
		if err != nil {
			return err
		}
		return errors.Join(joinfile.WriteCSV(w, day, format), w.Close())
	})
}
