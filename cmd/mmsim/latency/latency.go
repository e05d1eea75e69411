// Package latency is the command "mmsim latency": it builds, converts, compares and draws latency
// maps, and looks up single round-trip times.
package latency

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/terminal"
)

// NewCommand returns "mmsim latency" and its subcommands.
func NewCommand(s *terminal.Streams) *cobra.Command {
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
	group.AddCommand(newBuildCommand(s), newRenderCommand(s), newLookupCommand(s), newDiffCommand(s), newConvertCommand(s))
	cli.AsGroup(group)
	return group
}
