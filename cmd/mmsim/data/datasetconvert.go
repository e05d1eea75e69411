package data

import (
	"errors"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

func newDatasetConvertCommand(s *terminal.Streams) *cobra.Command {
	var flags cli.ConfigFlags
	var format string
	var force bool
	c := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Check a file of joins and write it as CSV",
		Long: `Check a file of joins in any format (see "mmsim dataset --help") and write it as CSV, sorted by
time. If OUT ends in .gz or .zst, the output is compressed. If OUT is "-", the output goes to
standard output. convert does not replace an existing file without --force.`,
		Example: `  mmsim dataset convert day.csv day.csv.gz
  mmsim dataset convert --format article telemetry.csv.zst -
  mmsim dataset convert --set dataset.columns.build=text in.csv out.csv    # build 1.10 stays 1.10`,
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := flags.Read()
			if err != nil {
				return err
			}
			if err := checkNew(args[1], force); err != nil {
				return err
			}
			day, err := readDay(c, args[0])
			if err != nil {
				return err
			}
			cli.WriteWarnings(s, experiment.DayWarnings(day))
			if err = writeDay(s, args[1], day, formats[format]); errors.Is(err, datasets.ErrSeveralDays) {
				return input.Bad(err)
			}
			return err
		},
	}
	flags.Add(c, cli.JoinFlags...)
	addFormat(c, &format)
	addForce(c, &force)
	return c
}
