package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/latencymap"
	"mmsim/reports/figure"
)

// diffCommand holds the flags of "mmsim latency diff".
type diffCommand struct {
	*terminal.Streams
	datacenter string
	limit      float64
	top        int
	json       bool
	file       string
}

func newDiffCommand(s *terminal.Streams) *cobra.Command {
	d := &diffCommand{Streams: s}
	c := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Compare two folders of latency maps",
		Long: `Compare the latency maps in two folders, A and B, datacenter by datacenter. For each datacenter, the
output counts the cells that have a value in both maps, only in A or only in B. If a cell has a
value in both, its difference is the value in B minus the value in A. bias is the mean of these
differences, and mean, median and p95 describe their absolute values.

diff also compares impossible values, which a run drops (see the key latency.clean). A PNG file
cannot store RTTs above 255 ms. If one of the two maps is a PNG file, diff therefore counts higher
RTTs in the other as 255 ms.

--out draws the differences on a world map. With several datacenters, the map shows the mean
difference.`,
		Example: `  mmsim latency diff maps-february/ maps-march/
  mmsim latency diff --limit 20 --json old/ new/
  mmsim latency diff --datacenter saopaulo --out saopaulo.png old/ new/`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return d.run(args[0], args[1]) },
	}
	out := cli.Under(c, cli.GroupOutput)
	cli.Under(c, cli.GroupInput).Text(&d.datacenter, "datacenter", "NAME", "", "compare only the maps of this datacenter")
	c.Flags().Float64Var(&d.limit, "limit", 5, "difference in ms above which a cell counts as changed")
	out.Place("limit", "MS", cli.Neither)
	out.Whole(&d.top, "top", "N", 1, 0, cli.Unlimited, "number of biggest differences to list for each datacenter")
	out.Bool(&d.json, "json", "print JSON instead of text")
	addPicture(c, &d.file, "")
	return c
}

// comparedMaps are the maps of one datacenter in both folders.
type comparedMaps struct {
	datacenter string
	a, b       *latencymap.Grid
	latencymap.Difference
}

func (d *diffCommand) run(a, b string) error {
	if !(d.limit > 0 && d.limit <= latencymap.SampleMaxMS) {
		return input.Badf("--limit: got %v, expected milliseconds above 0 and at most %d", d.limit, latencymap.SampleMaxMS)
	}
	if d.file != "" {
		if err := checkPicture(d.file); err != nil {
			return err
		}
	}
	r, pairs, err := d.compare(a, b)
	if err != nil {
		return err
	}
	if d.file != "" {
		if err := d.draw(r, pairs); err != nil {
			return err
		}
	}
	if d.json {
		return cli.WriteJSON(d.Out, r)
	}
	return r.print(d.Out)
}

// compare compares the maps that both folders have.
func (d *diffCommand) compare(a, b string) (*diffReport, []comparedMaps, error) {
	mapsA, err := readMapFolder(a)
	if err != nil {
		return nil, nil, err
	}
	mapsB, err := readMapFolder(b)
	if err != nil {
		return nil, nil, err
	}
	r := &diffReport{A: a, B: b, Limit: d.limit, OnlyA: []string{}, OnlyB: []string{}}
	inB := make(map[string]*latencymap.Grid)
	for _, m := range mapsB {
		inB[m.Datacenter] = m.Grid
	}
	var pairs []comparedMaps
	for _, m := range mapsA {
		if other, ok := inB[m.Datacenter]; ok {
			pairs = append(pairs, comparedMaps{m.Datacenter, m.Grid, other, latencymap.Compare(m.Grid, other)})
			delete(inB, m.Datacenter)
		} else {
			r.OnlyA = append(r.OnlyA, m.Datacenter)
		}
	}
	for _, m := range mapsB {
		if _, alone := inB[m.Datacenter]; alone {
			r.OnlyB = append(r.OnlyB, m.Datacenter)
		}
	}
	if pairs, err = d.wanted(pairs); err != nil {
		return nil, nil, err
	}
	if len(pairs) == 0 {
		return nil, nil, input.Badf("%s and %s have no latency map of the same datacenter, expected latency_<datacenter>.bin or .png in both", a, b)
	}
	r.collect(pairs, d.top)
	return r, pairs, nil
}

// wanted returns the pair of maps of --datacenter, or all pairs without that flag.
func (d *diffCommand) wanted(pairs []comparedMaps) ([]comparedMaps, error) {
	if d.datacenter == "" {
		return pairs, nil
	}
	var names []string
	for i, p := range pairs {
		if p.datacenter == d.datacenter {
			return pairs[i : i+1], nil
		}
		names = append(names, p.datacenter)
	}
	return nil, input.Badf("--datacenter: got %q%s, expected a datacenter with a map in both folders: %s",
		d.datacenter, input.DidYouMean(d.datacenter, names), strings.Join(names, ", "))
}

// readMapFolder reads all maps in a folder.
func readMapFolder(folder string) ([]latencymap.NamedGrid, error) {
	if info, err := os.Stat(folder); err != nil {
		return nil, input.Bad(input.Error(folder, err))
	} else if !info.IsDir() {
		return nil, input.Badf("%s: a file, expected a folder of latency maps", folder)
	}
	maps, err := latencymap.ReadMaps(input.Folder(folder), folder)
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		return nil, input.Bad(input.Error(filepath.Join(folder, detail.Path), err))
	}
	return maps, input.Bad(err)
}

// diffReport is the output of --json.
type diffReport struct {
	A           string           `json:"a"`
	B           string           `json:"b"`
	Limit       float64          `json:"limit_ms"`
	OnlyA       []string         `json:"only_a"` // datacenters without a map in B
	OnlyB       []string         `json:"only_b"`
	All         diffFigures      `json:"all"`
	Datacenters []diffDatacenter `json:"datacenters"`
}

// diffFigures are the statistics of one datacenter, or of all.
type diffFigures struct {
	Cells   int     `json:"cells"` // in both maps
	OnlyA   int     `json:"only_a"`
	OnlyB   int     `json:"only_b"`
	Changed int     `json:"changed"`
	Bias    float64 `json:"bias_ms"`
	Mean    float64 `json:"mean_ms"`
	Median  float64 `json:"median_ms"`
	P95     float64 `json:"p95_ms"`
}

type diffDatacenter struct {
	Datacenter string `json:"datacenter"`
	diffFigures
	Largest []diffCell `json:"largest"`
}

// diffCell is a cell, given by its centre.
type diffCell struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Near      string  `json:"near"` // the nearest large city and its country
	A         float64 `json:"a_ms"`
	B         float64 `json:"b_ms"`
	Delta     float64 `json:"delta_ms"`
}

// collect adds up the statistics of every pair of maps, and of all pairs.
func (r *diffReport) collect(pairs []comparedMaps, top int) {
	cities := experiment.NewLocator()
	var all latencymap.Difference
	for _, p := range pairs {
		all.Add(p.Difference)
		one := diffDatacenter{p.datacenter, r.figures(&p.Difference), []diffCell{}}
		for _, c := range p.Largest(top) {
			centre := latencymap.CellCentre(c.Cell)
			city := cities.City(centre.Lat, centre.Lon)
			one.Largest = append(one.Largest, diffCell{centre.Lat, centre.Lon, fmt.Sprintf("%s, %s", city.Name, city.Country),
				rounded(c.A), rounded(c.B), rounded(c.Delta())})
		}
		r.Datacenters = append(r.Datacenters, one)
	}
	r.All = r.figures(&all)
}

func (r *diffReport) figures(d *latencymap.Difference) diffFigures {
	f := d.Figures(r.Limit)
	return diffFigures{len(d.Cells), d.OnlyA, d.OnlyB, f.Changed, rounded(f.Bias), rounded(f.Mean), rounded(f.Median), rounded(f.P95)}
}

// rounded rounds milliseconds to 3 decimal places.
func rounded(ms float64) float64 { return math.Round(ms*1000) / 1000 }

// print writes the report as text.
func (r *diffReport) print(w io.Writer) error {
	terminal.PrintTo(w, "A is %s, B is %s; ms, B minus A\n\n", r.A, r.B)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	terminal.PrintTo(table, "in both\tonly A\tonly B\t> %g ms\tbias\tmean\tmedian\tp95\t datacenter\n", r.Limit)
	row := func(name string, f *diffFigures) {
		terminal.PrintTo(table, "%d\t%d\t%d\t%d\t%+.2f\t%.2f\t%.2f\t%.2f\t %s\n",
			f.Cells, f.OnlyA, f.OnlyB, f.Changed, f.Bias, f.Mean, f.Median, f.P95, name)
	}
	for i := range r.Datacenters {
		row(r.Datacenters[i].Datacenter, &r.Datacenters[i].diffFigures)
	}
	if len(r.Datacenters) > 1 {
		row("(all)", &r.All)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	r.printLargest(w)
	for _, alone := range []struct {
		set   string
		names []string
	}{{"A", r.OnlyA}, {"B", r.OnlyB}} {
		if len(alone.names) > 0 {
			terminal.PrintTo(w, "\nonly %s has maps of: %s\n", alone.set, strings.Join(alone.names, ", "))
		}
	}
	return nil
}

// printLargest lists the largest differences.
func (r *diffReport) printLargest(w io.Writer) {
	if !slices.ContainsFunc(r.Datacenters, func(d diffDatacenter) bool { return len(d.Largest) > 0 }) {
		return
	}
	fmt.Fprint(w, "\nBiggest differences\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "A\tB\tB minus A\tlatitude\tlongitude\t datacenter, nearest city")
	for _, d := range r.Datacenters {
		for _, c := range d.Largest {
			terminal.PrintTo(table, "%.2f\t%.2f\t%+.2f\t%.1f\t%.1f\t %s, %s\n", c.A, c.B, c.Delta, c.Latitude, c.Longitude, d.Datacenter, c.Near)
		}
	}
	table.Flush()
}

// draw draws a map of the differences. The difference of a cell is the mean over the datacenters
// that have the cell in both folders. If no datacenter has it in both, the cell is drawn as one that
// only A or only B has.
func (d *diffCommand) draw(r *diffReport, pairs []comparedMaps) error {
	p := &figure.LatencyDifference{
		Name: "difference", A: r.A, B: r.B, Limit: r.Limit,
		Of:    pairs[0].datacenter,
		Delta: make([]float32, latencymap.Cells),
		OnlyA: make([]bool, latencymap.Cells), OnlyB: make([]bool, latencymap.Cells),
	}
	if len(pairs) > 1 {
		p.Of = fmt.Sprintf("mean of %d datacenters", len(pairs))
	}
	sums, counts := make([]float64, latencymap.Cells), make([]float64, latencymap.Cells)
	for _, pair := range pairs {
		for _, c := range pair.Cells {
			sums[c.Cell] += c.Delta()
			counts[c.Cell]++
		}
	}
	for cell := range latencymap.Cells {
		p.Delta[cell] = float32(math.NaN())
		if counts[cell] > 0 {
			p.Delta[cell] = float32(sums[cell] / counts[cell])
			continue
		}
		for _, pair := range pairs {
			_, inA := pair.a.At(cell)
			_, inB := pair.b.At(cell)
			p.OnlyA[cell] = p.OnlyA[cell] || inA
			p.OnlyB[cell] = p.OnlyB[cell] || inB && !p.OnlyA[cell]
		}
	}
	return writePicture(d.file, figure.PlotLatencyDifference(p, results.Coast()))
}
