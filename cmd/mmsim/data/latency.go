package data

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// NewLatencyCommand returns "mmsim latency" and its subcommands.
func NewLatencyCommand(s *terminal.Streams) *cobra.Command {
	group := &cobra.Command{
		Use:   "latency",
		Short: "Build, draw, compare and query latency maps",
		Long: `Work with latency maps. A latency map has the measured round-trip times (RTT) to one datacenter
from the whole world, in cells of one degree of latitude by one degree of longitude. If a cell has
no value, mmsim estimates the RTT with a model of cable routes.`,
		Example: `  mmsim latency build --datacenters datacenters.csv --out maps pings.csv.gz
  mmsim latency lookup frankfurt 52.52 13.40
  mmsim latency lookup --latency-maps maps/ --raw sydney -33.87 151.21`,
	}
	group.AddCommand(newBuildCommand(s), newRenderCommand(s), newLookupCommand(s), newDiffCommand(s), newLatencyConvertCommand(s))
	cli.AsGroup(group)
	return group
}

// inputs reads the configuration that the flags describe, changes it, and loads its datacenters. Unless it
// names a list of datacenters, they are those in the folder of its latency maps.
func inputs(flags *cli.ConfigFlags, change func(*config.Config)) (*experiment.Inputs, error) {
	c, err := flags.Read()
	if err != nil {
		return nil, err
	}
	change(c)
	if err := experiment.PreferOwnDatacenters(c); err != nil {
		return nil, err
	}
	in := experiment.NewInputs(c)
	return in, input.Bad(in.LoadDatacenters())
}
