package data

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/atlas"
)

func newDatacentersCommand(s *terminal.Streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "datacenters [flags] [PROVIDER]",
		Short: "List the regions of providers, which --datacenters can name",
		Long: `List the public regions of a provider, or of all providers, with their city and its position.
--datacenters and the key datacenters.file take the name of a provider for all of its regions, or
some of its regions:

  mmsim run --datacenters aws
  mmsim run --datacenters aws:us-east-1,eu-west-1
  mmsim run --datacenters mine.csv+gcp:europe-west4

A run uses up to 64 datacenters. If two providers have the same name for a region, its name is
PROVIDER/NAME, such as aws/us-east-1.

The position is that of the city, not of the buildings. Where a provider's documentation names only a
state or a country, the city is the one in or near which the region is commonly reported to be.
Regions that need an account of their own (China, governments, sovereign clouds) are left out.`,
		Example: `  mmsim dataset datacenters aws
  mmsim dataset datacenters --json | jq -r '.[].regions[].city'`,
		ValidArgs: atlas.ProviderNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			list := atlas.Providers()
			if len(args) > 0 {
				p := atlas.FindProvider(args[0])
				if p == nil {
					return input.Badf("%q is no provider%s, expected %s", args[0], input.DidYouMean(args[0], atlas.ProviderNames()), input.Either(atlas.ProviderNames()))
				}
				list = []atlas.Provider{*p}
			}
			if asJSON {
				return cli.WriteJSON(s.Out, list)
			}
			return printProviders(s.Out, list)
		},
	}
	cli.Under(c, cli.GroupOutput).Bool(&asJSON, "json", "print JSON instead of text")
	return c
}

// printProviders prints one line for each region, and then the sources.
func printProviders(out io.Writer, list []atlas.Provider) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "provider\tname\tcity\tcountry\tlatitude\tlongitude")
	for _, p := range list {
		for _, r := range p.Regions {
			fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%.2f\t%.2f\n", p.Name, r.Name, r.City, r.Country, r.Lat, r.Lon)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, p := range list {
		fmt.Fprintf(out, "%s: %s of %s, as of %s: %s\n", p.Name, input.Counted(len(p.Regions), "region"), p.Title, p.Date, p.Source)
	}
	_, err := fmt.Fprintln(out, "Positions are those of the cities, not of buildings.")
	return err
}
