package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/latencymap"
)

func newLatencyCommand(s *terminal.Streams) *cobra.Command {
	group := &cobra.Command{
		Use:   "latency",
		Short: "Build, draw and compare latency maps",
		Long:  "Work with latency maps and the built-in latency model.",
		Example: `  mmsim latency build --datacenters datacenters.csv --out maps pings.csv.gz
  mmsim latency lookup frankfurt 52.52 13.40
  mmsim latency lookup --latency-maps maps/ --raw sydney -33.87 151.21`,
	}
	group.AddCommand(newBuildCommand(s), newRenderCommand(s), newLookupCommand(s), newDiffCommand(s), newConvertMapCommand(s))
	asGroup(group)
	return group
}

// lookupCommand is `mmsim latency lookup`.
type lookupCommand struct {
	*terminal.Streams
	flags configFlags
	raw   bool
}

func newLookupCommand(s *terminal.Streams) *cobra.Command {
	l := &lookupCommand{Streams: s}
	c := &cobra.Command{
		Use:   "lookup [flags] DATACENTER LAT LON",
		Short: "Look up one round-trip time",
		Long: `Print the RTT in milliseconds from a position (degrees, north and east positive) to a
datacenter, and its source: map, model, line or fibre. --raw prints the sample of the map's
cell, or none.

The positions of datacenters come from --datacenters, from datacenters.csv in the folder of
the maps, or from the built-in list, in this order.`,
		Example: `  mmsim latency lookup frankfurt 52.52 13.40
  mmsim latency lookup --latency-maps maps/ saopaulo -12.05 -77.04
  mmsim latency lookup --latency-maps maps/ --raw saopaulo -12.05 -77.04
  mmsim latency lookup --set latency.fallback=fibre london 40.71 -74.01`,
		Args:        exactArgs("DATACENTER", "LAT", "LON"),
		Annotations: map[string]string{negativeNumbers: ""},
		RunE:        func(_ *cobra.Command, args []string) error { return l.run(args[0], args[1], args[2]) },
	}
	l.flags.add(c, "latency-maps", "datacenters")
	c.Flags().BoolVar(&l.raw, "raw", false, "the sample of the map's own cell, 3 decimals, or none")
	grouped(c.Flags(), groupOutput, "raw")
	return c
}

func (l *lookupCommand) run(name, latitude, longitude string) error {
	lat, err := degrees("LAT", latitude, 90)
	if err != nil {
		return err
	}
	lon, err := degrees("LON", longitude, 180)
	if err != nil {
		return err
	}
	c, err := l.flags.read()
	if err != nil {
		return err
	}
	if err := preferOwnDatacenters(c); err != nil {
		return err
	}
	in := experiment.NewInputs(c)
	list, err := in.LoadDatacenters()
	if err != nil {
		return input.Bad(err)
	}
	dc, err := datacenterNamed(list, name)
	if err != nil {
		return err
	}
	set, _, err := experiment.OpenMaps(c, list)
	if err != nil {
		return input.Bad(err)
	}
	return l.print(set, dc, lat, lon)
}

func (l *lookupCommand) print(set *latencymap.Set, dc int, lat, lon float64) error {
	text := "none"
	if l.raw {
		if ms, ok := set.Raw(dc, lat, lon); ok {
			text = fmt.Sprintf("%.3f", ms)
		}
	} else {
		ms, source := set.Lookup(dc, lat, lon)
		text = fmt.Sprintf("%.3f %s", ms, source)
	}
	_, err := fmt.Fprintln(l.Out, text)
	return err
}

// preferOwnDatacenters uses the list of datacenters beside the maps if no list is given: its
// names are those of the maps.
func preferOwnDatacenters(c *config.Config) error {
	if c.Datacenters != "" || c.Latency.Maps == "" {
		return nil
	}
	beside := filepath.Join(c.Latency.Maps, "datacenters.csv")
	switch err := input.CheckRegular(input.Shown(beside)); {
	case err == nil:
		c.Datacenters = beside
	case !errors.Is(err, fs.ErrNotExist):
		return input.Bad(err)
	}
	return nil
}

// datacenterNamed finds a datacenter by name.
func datacenterNamed(list []datasets.Datacenter, name string) (int, error) {
	var names []string
	for i, dc := range list {
		if dc.Name == name {
			return i, nil
		}
		names = append(names, dc.Name)
	}
	return 0, terminal.Hinted(input.Badf("unknown datacenter %q%s", name, input.DidYouMean(name, names)), "known: %s", strings.Join(names, ", "))
}

// degrees reads a latitude or longitude.
func degrees(what, text string, limit float64) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !value.IsDecimal(strings.TrimSpace(text)) || x < -limit || x > limit {
		return 0, input.Badf("%s: got %q, expected degrees from -%v to %v", what, text, limit, limit)
	}
	return x, nil
}
