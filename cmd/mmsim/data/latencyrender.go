package data

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/outcome"
)

func newRenderCommand(s *terminal.Streams) *cobra.Command {
	var flags cli.ConfigFlags
	var file string
	c := &cobra.Command{
		Use:   "render [flags] [DATACENTER]",
		Short: "Draw a latency map",
		Long: `Draw a world map of the RTT from each place to DATACENTER. Without DATACENTER, draw the RTT to the
best datacenter of each place, with borders where the best one changes.

The RTTs are those that a run would use. Where a latency map has no value, or without
--latency-maps, they are estimates (see the key latency.fallback in "mmsim help config"). Estimates
are drawn in pale colours, and only on land. The keys report.limits.rtt.good and
report.limits.rtt.fair set the limits of the colours.`,
		Example: `  mmsim latency render --latency-maps maps/
  mmsim latency render --latency-maps maps/ --out frankfurt.svg frankfurt
  mmsim latency render --set states.ideal.rtt=30ms --out model.png`,
		RunE: func(_ *cobra.Command, args []string) error { return render(s, &flags, file, args) },
	}
	flags.Add(c, "latency-maps", "datacenters")
	cli.DatacentersBesideMaps(c)
	addPicture(c, &file, "latency.png")
	return c
}

// addPicture registers --out for a picture.
func addPicture(c *cobra.Command, file *string, standard string) {
	cli.Under(c, cli.GroupOutput).File(file, cli.WritesFile, "out", standard, "name of the picture, which ends in .png or .svg", "png", "svg")
}

// render draws the RTTs to the datacenter in args, or to the best one.
func render(s *terminal.Streams, flags *cli.ConfigFlags, file string, args []string) error {
	if err := checkPicture(file); err != nil {
		return err
	}
	in, err := inputs(flags, func(*config.Config) {})
	if err != nil {
		return err
	}
	only := -1
	if len(args) > 0 {
		if only, err = datacenterNamed(in.Datacenters, args[0]); err != nil {
			return err
		}
	}
	if in.Latency, _, err = experiment.OpenMaps(in.Config, in.Datacenters); err != nil {
		return input.Bad(err)
	}
	cli.WriteWarnings(s, jsontree.Unplaced(in.LatencyWarnings(nil)...))
	return writePicture(file, figure.PlotLatency(latencyPicture(in, only), results.Coast()))
}

// latencyPicture looks up the RTT of every cell to the datacenter with the index only. If only is
// negative, it looks up the RTT to the best datacenter of each cell.
func latencyPicture(in *experiment.Inputs, only int) *figure.LatencyMap {
	l := &figure.LatencyMap{
		Name:     "latency",
		RTT:      make([]float32, latencymap.Cells),
		Measured: make([]bool, latencymap.Cells),
		Limits:   in.Config.RTTLimits(),
	}
	if only < 0 {
		l.Best = make([]int, latencymap.Cells)
	}
	for i, dc := range in.Datacenters {
		if only < 0 || only == i {
			l.Datacenters = append(l.Datacenters, outcome.Datacenter{Name: dc.Name, Latitude: outcome.RoundDegrees(dc.Lat), Longitude: outcome.RoundDegrees(dc.Lon)})
		}
	}
	table := in.Latency.Table(latencymap.CellCentres(), nil)
	for cell := range latencymap.Cells {
		best := max(only, 0)
		row := table.Row(cell)
		for dc, rtt := range row {
			if only < 0 && rtt < row[best] {
				best = dc
			}
		}
		l.RTT[cell] = float32(latencymap.Milliseconds(row[best]))
		l.Measured[cell] = table.FromMap[cell]>>best&1 != 0
		if only < 0 {
			l.Best[cell] = best
		}
	}
	return l
}

// checkPicture checks the name of a picture before the work begins.
func checkPicture(file string) error {
	if ext := filepath.Ext(file); ext != ".png" && ext != ".svg" {
		return input.Badf("--out: got %q, expected a file named .png or .svg", file)
	}
	return resultdir.CheckFile(file)
}

// writePicture draws a picture in the format of the file's extension. The file appears only
// when it is complete.
func writePicture(file string, p chart.Plot) error {
	write := p.WritePNG
	if strings.HasSuffix(file, ".svg") {
		write = p.WriteSVG
	}
	return resultdir.WriteFile(file, write)
}
