package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/latencymap"
)

// buildCommand is `mmsim latency build`.
type buildCommand struct {
	*terminal.Streams
	flags    configFlags
	dir      string // to write
	list     string // file of the datacenters; "": the built-in ones
	from, to string
	format   string
	options  latencymap.BuildOptions
	json     bool
}

func newBuildCommand(s *terminal.Streams) *cobra.Command {
	b := &buildCommand{Streams: s}
	c := &cobra.Command{
		Use:   "build [flags] FILE...",
		Short: "Make latency maps of measured samples",
		Long: `Make a folder of latency maps of measured round-trip times: CSV, plain or compressed
with gzip or zstd, with a header that names the columns in any order:

  datacenter, latitude, longitude, rtt_ms    and, if there are any,
  time or timestamp    2026-03-14T15:04:05Z, or seconds or milliseconds since 1970
  weight               how many measurements the row stands for

FILE - is standard input. The RTT of a cell of one degree is the interquartile mean
of its samples, the mean of their middle half: up to a quarter of them may be wild.
Rows without an RTT, or with one of 0, below 0 or NaN, measured nothing. Samples at
latitude 0, longitude 0 and those faster than light are dropped, by the rules of
latency.clean and unless that is off. All of these are counted.

Written are latency_<datacenter> and, as a map of how many measurements each cell
has, counts_<datacenter>; with --format both the pictures stand in a folder png. A
cell filled from its neighbours counts 0. datacenters.csv and latency.json, which
holds the figures that are printed, stand beside them. The folder appears when it is
whole. In one that build made before, its files are replaced and yours stay.`,
		Example: `  mmsim latency build --datacenters datacenters.csv --out maps pings.csv.gz
  mmsim latency build --from 2026-03-01 --to 2026-03-15 --min-count 5 --fill 2 march/*.csv
  zcat old.gz | mmsim latency build --format both --out maps -
  mmsim run --datacenters maps/datacenters.csv --latency-maps maps`,
		Args: atLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return b.run(args) },
	}
	b.flags.add(c, "datacenters")
	flags := c.Flags()
	flags.StringVar(&b.from, "from", "", "count samples from `INSTANT` on, a date or 2026-03-14T15:04:05Z")
	flags.StringVar(&b.to, "to", "", "count samples before `INSTANT`")
	flags.IntVar(&b.options.MaxBadRows, "max-bad-rows", 0, "leave up to `N` malformed rows out, with a warning")
	flags.IntVar(&b.options.MinCount, "min-count", 1, "leave cells with fewer than `N` measurements empty")
	flags.IntVar(&b.options.Fill, "fill", 0, fmt.Sprintf("fill holes up to `CELLS` (at most %d) away from measured cells", latencymap.FillMax))
	flags.StringVar(&b.dir, "out", "maps", "write the folder `DIR`")
	flags.StringVar(&b.format, "format", "bin", "`WORD`: bin (float32), png (8-bit greyscale, up to 255 ms) or both")
	flags.BoolVar(&b.json, "json", false, "print "+mapsFile)
	grouped(flags, groupInput, "from", "to", "max-bad-rows", "min-count", "fill")
	grouped(flags, groupOutput, "out", "format", "json")
	must(c.MarkFlagDirname("out"))
	complete(c, "format", mapFormatWords)
	return c
}

func (b *buildCommand) run(files []string) error {
	folders, err := parseMapFormat(b.format)
	if err != nil {
		return err
	}
	builder, list, err := b.builder()
	if err != nil {
		return err
	}
	if b.dir == "" {
		return input.ErrNoName
	}
	out, err := resultdir.Claim(b.dir, mapsKind, append([]string{b.list, b.flags.file}, files...)...)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := b.read(builder, file); err != nil {
			return input.Bad(err)
		}
	}
	built := builder.Maps()
	if len(built) == 0 {
		writeWarnings(b.Streams, builder.Warnings())
		return input.Badf("%s: no samples that make a map, expected some", strings.Join(files, ", "))
	}
	d := b.describe(builder, built)
	if err := writeMaps(out, folders, built, list, d); err != nil {
		return err
	}
	writeWarnings(b.Streams, d.Warnings)
	if b.json {
		return writeJSON(b.Out, d)
	}
	return d.print(b.Out)
}

// builder returns an empty builder, and the datacenters that it knows.
func (b *buildCommand) builder() (*latencymap.Builder, []datasets.Datacenter, error) {
	c, err := b.flags.read()
	if err != nil {
		return nil, nil, err
	}
	in := experiment.NewInputs(c)
	list, err := in.LoadDatacenters()
	if err != nil {
		return nil, nil, input.Bad(err)
	}
	b.list = input.Shown(c.Datacenters)
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
	for _, limit := range []struct {
		flag        string
		value, from int
	}{{"max-bad-rows", o.MaxBadRows, 0}, {"min-count", o.MinCount, 1}} {
		if limit.value < limit.from {
			return nil, nil, input.Badf("--%s: got %d, expected a whole number from %d", limit.flag, limit.value, limit.from)
		}
	}
	if o.Fill < 0 || o.Fill > latencymap.FillMax {
		return nil, nil, input.Badf("--fill: got %d, expected 0 to %d cells", o.Fill, latencymap.FillMax)
	}
	builder, err := latencymap.NewBuilder(*o)
	return builder, list, input.Bad(err)
}

// read reads one file of samples, or standard input.
func (b *buildCommand) read(builder *latencymap.Builder, file string) error {
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
	plain, err := datasets.Decompress(from)
	if err != nil {
		return input.ReaderError(name, fmt.Errorf("%s:1:1: %w", name, err))
	}
	defer plain.Close()
	return input.ReaderError(name, builder.Read(plain, name))
}
