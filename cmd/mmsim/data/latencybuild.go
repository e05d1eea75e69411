package data

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/result"
)

// buildCommand holds the flags of "mmsim latency build".
type buildCommand struct {
	*terminal.Streams
	flags    cli.ConfigFlags
	dir      string // result directory
	list     string // file with the list of datacenters; empty for the built-in list
	from, to string
	format   string
	options  latencymap.BuildOptions
	json     bool
}

func newBuildCommand(s *terminal.Streams) *cobra.Command {
	b := &buildCommand{Streams: s}
	c := &cobra.Command{
		Use:   "build [flags] FILE...",
		Short: "Build latency maps from measured samples",
		Long: `Build a folder of latency maps from measured round-trip times (RTT). A latency map has the RTT to
one datacenter from every cell of one degree of latitude by one degree of longitude.

FILE is a CSV file, either plain or compressed with gzip or zstd, or - for standard input. Its
header names the columns, in any order:

  datacenter             name of a datacenter in the list of --datacenters
  latitude, longitude    position of the player, in degrees
  rtt_ms                 measured RTT
  time or timestamp      optional: 2026-03-14T15:04:05Z, or seconds or milliseconds since 1970
  weight                 optional: number of measurements that the row represents

A row that cannot be read, or whose datacenter is not in the list, is malformed. Malformed rows end
the build with an error, unless --max-bad-rows allows them.

The RTT of a cell is the mean of the middle half of its rows (the interquartile mean), so a few
outliers do not change it. The following rows are left out, and the output counts them:

  - failed measurements: the RTT is absent, NaN, 0 or negative
  - timeouts: the RTT is above 4000 ms (values such as 5000 or 9999 usually mark a timeout)
  - impossible values: the position is latitude 0, longitude 0, or the RTT is faster than light;
    --set latency.clean=false keeps these rows

The folder contains

  latency_<datacenter>.bin    the map (.png with --format png)
  counts_<datacenter>.bin     the number of measurements in each cell (0 if --fill filled the cell)
  datacenters.csv             the list of datacenters
  latency.json                the printed statistics
  png/                        with --format both, the same maps and counts as .png

The folder appears only when all maps are complete. A later build replaces the maps of an earlier
build, and keeps files that mmsim did not write.`,
		Example: `  mmsim latency build --datacenters datacenters.csv --out maps pings.csv.gz
  mmsim latency build --from 2026-03-01 --to 2026-03-15 --min-count 5 --fill 2 march/*.csv
  zcat old.gz | mmsim latency build --format both --out maps -
  mmsim run --datacenters maps/datacenters.csv --latency-maps maps`,
		RunE: func(_ *cobra.Command, args []string) error { return b.run(args) },
	}
	b.flags.Add(c, "datacenters")
	in, out := cli.Under(c, cli.GroupInput), cli.Under(c, cli.GroupOutput)
	in.Text(&b.from, "from", "TIME", "", "use only rows at or after this time: a date, or 2026-03-14T15:04:05Z")
	in.Text(&b.to, "to", "TIME", "", "use only rows before this time, written like --from")
	in.Whole(&b.options.MaxBadRows, "max-bad-rows", "N", 0, 0, cli.Unlimited, "number of malformed rows to skip with a warning; if there are more, the build fails (default 0)")
	in.Whole(&b.options.MinCount, "min-count", "N", 1, 1, cli.Unlimited, "leave cells with fewer than N measurements empty")
	in.Whole(&b.options.Fill, "fill", "CELLS", 0, 0, latencymap.FillMax, fmt.Sprintf("fill an empty cell from its neighbours if a measured cell is at most this many cells away (0 to %d; default 0: fill no cells)", latencymap.FillMax))
	out.File(&b.dir, cli.WritesFolder, "out", "maps", "folder for the maps", "/")
	out.Word(&b.format, "format", "WORD", mapFormatWords[0], "output format: bin (float32), png (8-bit greyscale, up to 255 ms) or both", mapFormatWords)
	out.Bool(&b.json, "json", "print "+mapsFile+" instead of text")
	return c
}

func (b *buildCommand) run(files []string) error {
	builder, list, err := b.builder()
	if err != nil {
		return err
	}
	out, err := resultdir.Claim(b.dir, mapsKind, append([]string{b.list, b.flags.File}, files...)...)
	if err != nil {
		return err
	}
	p := terminal.NewReading(b.Streams, false, input.TotalSize(files))
	defer p.Finish()
	for _, file := range files {
		if err := b.read(builder, file, p); err != nil {
			return input.Bad(err)
		}
	}
	p.Finish()
	built := builder.Maps()
	if len(built) == 0 {
		cli.WriteWarnings(b.Streams, jsontree.Unplaced(builder.Warnings()...))
		return input.Badf("%s: no usable samples, expected at least one", strings.Join(files, ", "))
	}
	d := &mapsDescription{1, true, b.options, builder.Stats(), built, append([]string{}, builder.Warnings()...)}
	if err := writeMaps(out, mapFormats[b.format], list, d); err != nil {
		return err
	}
	cli.WriteWarnings(b.Streams, jsontree.Unplaced(d.Warnings...))
	if b.json {
		return cli.WriteJSON(b.Out, d)
	}
	return d.print(b.Out)
}

// builder returns an empty builder and its list of datacenters.
func (b *buildCommand) builder() (*latencymap.Builder, []datasets.Datacenter, error) {
	c, err := b.flags.Read()
	if err != nil {
		return nil, nil, err
	}
	in := experiment.NewInputs(c)
	if err := in.LoadDatacenters(); err != nil {
		return nil, nil, input.Bad(err)
	}
	list := in.Datacenters
	b.list = c.Datacenters.Shown()
	o := &b.options
	o.Clean = c.Latency.Clean
	o.Datacenters = experiment.Sites(list)
	for _, window := range []struct {
		flag, text string
		to         *time.Time
	}{{"from", b.from, &o.From}, {"to", b.to, &o.To}} {
		if window.text == "" {
			continue
		}
		if *window.to, err = latencymap.ParseInstant(window.text); err != nil {
			return nil, nil, input.Badf("--%s: %w", window.flag, err)
		}
	}
	builder, err := latencymap.NewBuilder(*o)
	return builder, list, input.Bad(err)
}

// read reads one file of samples, or standard input.
func (b *buildCommand) read(builder *latencymap.Builder, file string, p *terminal.Progress) error {
	name, from := file, b.In
	switch file {
	case "":
		return input.ErrNoName
	case "-":
		name = "standard input"
	default:
		f, err := os.Open(file)
		if err != nil {
			return input.Error(file, err)
		}
		defer f.Close()
		from = f
	}
	plain, err := joinfile.Decompress(p.Reader(from))
	if err != nil {
		return input.ReaderError(name, fmt.Errorf("%s:1:1: %w", name, err))
	}
	defer plain.Close()
	return input.ReaderError(name, builder.Read(plain, name))
}

// mapsFile is the file that describes a folder of latency maps. Its presence marks the folder as a
// result of "mmsim latency build".
const mapsFile = "latency.json"

// mapFolder is a subfolder and the extension of the maps in it. Each format has a folder of its own,
// because a folder must not contain two maps of one datacenter.
type mapFolder struct{ name, extension string }

// mapFormats maps the words of --format to folders.
var mapFormats = map[string][]mapFolder{
	"bin": {{"", ".bin"}}, "png": {{"", ".png"}}, "both": {{"", ".bin"}, {"png", ".png"}},
}

// mapFormatWords lists the keys of mapFormats in the order of the help, the default first.
var mapFormatWords = []string{"bin", "png", "both"}

// writeMaps writes the result directory. It appears only when it is complete.
func writeMaps(out *resultdir.Dir, folders []mapFolder, list []datasets.Datacenter, d *mapsDescription) error {
	_, err := out.Write(func(temp string) (bool, error) {
		for _, folder := range folders {
			if err := writeMapFolder(filepath.Join(temp, folder.name), folder.extension, d.Maps, list); err != nil {
				return false, err
			}
		}
		return true, result.Create(resultdir.In(temp)).File(mapsFile, func(w io.Writer) error { return cli.WriteJSON(w, d) })
	})
	return err
}

// writeMapFolder writes maps, counts and datacenters into one folder.
func writeMapFolder(folder, extension string, built []*latencymap.BuiltMap, list []datasets.Datacenter) error {
	create := result.Create(resultdir.In(folder))
	for _, m := range built {
		name := latencymap.MapName(m.Datacenter) + extension
		if err := create.File("latency_"+name, func(w io.Writer) error { return latencymap.WriteMap(w, name, m.Grid) }); err != nil {
			return err
		}
		writeCounts := m.Counts.WriteBin
		if extension == ".png" {
			writeCounts = m.Counts.WritePNG
		}
		if err := create.File("counts_"+name, writeCounts); err != nil {
			return err
		}
	}
	return create.File("datacenters.csv", func(w io.Writer) error { return datasets.WriteDatacenters(w, list) })
}

// mapsDescription is the content of latency.json.
type mapsDescription struct {
	Schema   int  `json:"schema"`
	Complete bool `json:"complete"`
	latencymap.BuildOptions
	latencymap.BuildStats
	Maps     []*latencymap.BuiltMap `json:"maps"`
	Warnings []string               `json:"warnings"`
}

// print writes the statistics as text.
func (d *mapsDescription) print(w io.Writer) error {
	terminal.PrintTo(w, "%s, %d measurements in %s", input.Counted(d.Rows, "row"), d.Samples, input.Counted(len(d.Maps), "map"))
	if !d.First.IsZero() {
		terminal.PrintTo(w, ", %s to %s", d.First.Format(time.RFC3339), d.Last.Format(time.RFC3339))
	}
	terminal.PrintTo(w, "\nleft out: %s, %s outside the window; measurements: %d without an RTT, %d timed out, %d at latitude 0 and longitude 0, %d faster than light, %d in cells with fewer than --min-count\n\n",
		input.Counted(d.BadRows, "malformed row"), input.Counted(d.OutsideWindow, "row"), d.Dropped.NaN, d.TimedOut, d.Dropped.NullIsland, d.Dropped.FasterThanLight, d.BelowMinCount)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "cells\tmeasurements\tper cell\ttoo few\tfilled\t datacenter")
	for _, m := range d.Maps {
		terminal.PrintTo(table, "%d\t%d\t%.1f\t%d\t%d\t %s\n", m.Cells, m.Samples, float64(m.Samples)/float64(m.Cells), m.TooFew, m.Filled, m.Datacenter)
	}
	return table.Flush()
}

// mapsKind describes the result directory of "mmsim latency build".
var mapsKind = resultdir.Kind{
	Command: "latency build", Marker: mapsFile, Keys: []string{"maps", "samples", "dropped", "min_count"},
}
