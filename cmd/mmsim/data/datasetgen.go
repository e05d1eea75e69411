package data

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

func newGenCommand(s *terminal.Streams) *cobra.Command {
	d := &dayWriter{Streams: s}
	var out string
	c := &cobra.Command{
		Use:   "gen [flags]",
		Short: "Write the built-in day",
		Long: `Write the built-in day, a file of player joins in CSV. The players join from cities around the
world. The number of joins from a city depends on its online population and the local time of day.
If FILE in --out ends in .gz or .zst, the output is compressed. gen does not replace an existing file
without --force.

"mmsim run" without --dataset simulates the same day. It has no flags for the preset, the number of
joins and the date. Set their keys instead:

  mmsim run --set dataset.builtin.preset=sa --set dataset.builtin.joins=50000 \
            --set dataset.builtin.date=2026-07-01 --seed 3`,
		Example: `  mmsim dataset gen --out day.csv.gz
  mmsim dataset gen --preset sa --joins 50000 --date 2026-07-01 --seed 3 > day.csv
  mmsim dataset gen --set dataset.builtin.spike='{hour: 18, factor: 5}' --out launch.csv`,
		RunE: func(*cobra.Command, []string) error {
			return d.write(out, func(c *config.Config) (*datasets.Day, error) {
				c.Dataset.File = "" // the other settings of a configuration with a file can still configure the built-in day
				in := experiment.NewInputs(c)
				if err := in.LoadCountries(); err != nil {
					return nil, err
				}
				return in.BuiltinDay(uint64(c.Run))
			})
		},
	}
	d.flags.Add(c, "preset", "joins", "dataset.builtin.date", "seed")
	cli.Under(c, cli.GroupOutput).File(&out, cli.WritesFile, "out", "-", "output file, or \"-\" for standard output", "csv", "gz", "zst")
	d.add(c)
	return c
}
