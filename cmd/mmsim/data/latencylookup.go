package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
)

func newLookupCommand(s *terminal.Streams) *cobra.Command {
	var flags cli.ConfigFlags
	var raw bool
	c := &cobra.Command{
		Use:   "lookup [flags] DATACENTER LAT LON",
		Short: "Look up one round-trip time",
		Long: `Print the round-trip time (RTT) from a position to a datacenter in milliseconds, and its source:

  map      the value of the latency map
  model    an estimate from cable routes, because no latency map has a value at this position
  line     an estimate as a linear function of the distance; use --set latency.fallback=line
  fibre    an estimate from the speed of light in fibre; use --set latency.fallback=fibre

LAT and LON are latitude and longitude in degrees; north and east are positive.`,
		Example: `  mmsim latency lookup frankfurt 52.52 13.40
  mmsim latency lookup --latency-maps maps/ saopaulo -12.05 -77.04
  mmsim latency lookup --latency-maps maps/ --raw saopaulo -12.05 -77.04
  mmsim latency lookup --set latency.fallback=fibre london 40.71 -74.01`,
		Annotations: map[string]string{cli.NegativeNumbers: ""},
		RunE:        func(_ *cobra.Command, args []string) error { return lookUp(s, &flags, raw, args[0], args[1], args[2]) },
	}
	flags.Add(c, "latency-maps", "datacenters")
	cli.DatacentersBesideMaps(c)
	cli.Under(c, cli.GroupOutput).Bool(&raw, "raw", "print only the value of the latency map, or the word none if the map has no value there")
	return c
}

// lookUp prints the RTT from a position to a datacenter; with raw, only that of its latency map.
func lookUp(s *terminal.Streams, flags *cli.ConfigFlags, raw bool, name, latitude, longitude string) error {
	lat, err := parseDegrees("LAT", latitude, 90)
	if err != nil {
		return err
	}
	lon, err := parseDegrees("LON", longitude, 180)
	if err != nil {
		return err
	}
	in, err := inputs(flags, func(*config.Config) {})
	if err != nil {
		return err
	}
	dc, err := datacenterNamed(in.Datacenters, name)
	if err != nil {
		return err
	}
	set, _, err := experiment.OpenMaps(in.Config, in.Datacenters)
	if err != nil {
		return input.Bad(err)
	}
	ms, source := set.Lookup(dc, lat, lon)
	text := fmt.Sprintf("%.3f %s", ms, source)
	if raw {
		text = "none"
		if ms, ok := set.Raw(dc, lat, lon); ok {
			text = fmt.Sprintf("%.3f", ms)
		}
	}
	_, err = fmt.Fprintln(s.Out, text)
	return err
}

// datacenterNamed returns the index of a datacenter in a list.
func datacenterNamed(list []datasets.Datacenter, name string) (int, error) {
	names := datasets.DatacenterNames(list)
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, terminal.Hinted(input.Badf("unknown datacenter %q%s", name, input.DidYouMean(name, names)), "known: %s", strings.Join(names, ", "))
}

// parseDegrees reads a latitude or longitude. name is the name of the argument, for errors.
func parseDegrees(name, text string, limit float64) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !yamltree.IsDecimal(strings.TrimSpace(text)) || x < -limit || x > limit {
		return 0, input.Badf("%s: got %q, expected degrees from -%v to %v", name, text, limit, limit)
	}
	return x, nil
}
