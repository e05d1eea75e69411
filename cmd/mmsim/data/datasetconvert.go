package data

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

func newDatasetConvertCommand(s *terminal.Streams) *cobra.Command {
	d := &dayWriter{Streams: s}
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
			return d.write(args[1], func(c *config.Config) (*datasets.Day, error) { return readDay(c, args[0]) })
		},
	}
	d.flags.Add(c, cli.JoinFlags...)
	d.add(c)
	return c
}
