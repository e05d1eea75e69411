package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/atlas"
)

func newAboutCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "about",
		Aliases: []string{"version"},
		Short:   "Version, and credits of the data inside",
		Long:    "Print the version and the origin and licence of the data inside the program.",
		Example: "  mmsim about",
		Args:    exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.Out, "mmsim %s, %s %s/%s\n\nData inside, with thanks:\n",
				experiment.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, credit := range atlas.Credits() {
				fmt.Fprintf(s.Out, "  %s\n      %s; %s\n", credit.Data, credit.Source, credit.Licence)
			}
			fmt.Fprintf(s.Out, "  %s\n      %s\n", "uPlot, which draws the curves of report.html", "Leon Sorokin, github.com/leeoniya/uPlot; MIT licence")
			_, err := fmt.Fprintf(s.Out, "  %s\n      %s\n", "datacenters, cable routes and latency model",
				"compiled and fitted for mmsim")
			return err
		},
	}
}
