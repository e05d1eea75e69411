package data

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
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
