package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/reports"
)

// mapsFile describes and marks a folder of latency maps that build made.
const mapsFile = "latency.json"

// mapFolder is a folder below that of the maps, and the extension of the maps in
// it: two forms of one map must not stand in one folder.
type mapFolder struct{ name, extension string }

// mapFormats are what the words of --format stand for.
var mapFormats = map[string][]mapFolder{
	"bin": {{"", ".bin"}}, "png": {{"", ".png"}}, "both": {{"", ".bin"}, {"png", ".png"}},
}

// mapFormatWords are the keys of mapFormats in the order of the help.
var mapFormatWords = []string{"bin", "png", "both"}

func parseMapFormat(word string) ([]mapFolder, error) {
	folders, ok := mapFormats[word]
	if !ok {
		return nil, input.Badf("--format: got %q%s, expected %s",
			word, input.DidYouMean(word, mapFormatWords), strings.Join(mapFormatWords, ", "))
	}
	return folders, nil
}

// writeMaps writes a folder of maps, which appears when it is whole.
func writeMaps(out *resultdir.Dir, folders []mapFolder, built []*latencymap.BuiltMap, list []datasets.Datacenter, d *mapsDescription) error {
	if err := out.Begin(); err != nil {
		return err
	}
	defer out.Discard()
	for _, folder := range folders {
		if err := writeMapFolder(filepath.Join(out.Temp(), folder.name), folder.extension, built, list); err != nil {
			return out.Fail(err)
		}
	}
	if err := reports.Create(resultdir.In(out.Temp())).File(mapsFile, func(w io.Writer) error { return writeJSON(w, d) }); err != nil {
		return out.Fail(err)
	}
	_, err := out.Commit(true)
	return err
}

// writeMapFolder writes maps, counts and datacenters into one folder.
func writeMapFolder(folder, extension string, built []*latencymap.BuiltMap, list []datasets.Datacenter) error {
	create := reports.Create(resultdir.In(folder))
	for _, m := range built {
		name := m.Datacenter + extension
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

// mapsDescription is what latency.json holds.
type mapsDescription struct {
	Schema        int              `json:"schema"`
	Complete      bool             `json:"complete"`
	From          *time.Time       `json:"from,omitempty"`
	To            *time.Time       `json:"to,omitempty"`
	Clean         bool             `json:"clean"`
	MinCount      int              `json:"min_count"`
	Fill          int              `json:"fill"`
	Rows          int              `json:"rows"`
	BadRows       int              `json:"bad_rows"`
	OutsideWindow int              `json:"outside_window"`
	First         *time.Time       `json:"first,omitempty"`
	Last          *time.Time       `json:"last,omitempty"`
	Samples       uint64           `json:"samples"`
	Dropped       cleanedCounts    `json:"dropped"`
	Maps          []mapDescription `json:"maps"`
	Warnings      []string         `json:"warnings"`
}

// mapDescription is one map in it. Samples and what was dropped count measurements:
// a row as often as its weight says.
type mapDescription struct {
	Datacenter string        `json:"datacenter"`
	Samples    uint64        `json:"samples"`
	Cells      int           `json:"cells"`
	TooFew     int           `json:"too_few"`
	Filled     int           `json:"filled"`
	Dropped    cleanedCounts `json:"dropped"`
}

// cleanedCounts has the keys of summary.json.
type cleanedCounts struct {
	NullIsland      int `json:"null_island"`
	FasterThanLight int `json:"faster_than_light"`
	NaN             int `json:"nan"`
}

// describe collects the figures of a build.
func (b *buildCommand) describe(builder *latencymap.Builder, built []*latencymap.BuiltMap) *mapsDescription {
	stats, o := builder.Stats(), &b.options
	instant := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	d := &mapsDescription{
		Schema: 1, Complete: true,
		From: instant(o.From), To: instant(o.To), Clean: o.Clean, MinCount: o.MinCount, Fill: o.Fill,
		Rows: stats.Rows, BadRows: stats.BadRows, OutsideWindow: stats.OutsideWindow,
		First: instant(stats.First), Last: instant(stats.Last),
		Dropped: cleanedCounts(stats.Dropped), Warnings: append([]string{}, builder.Warnings()...),
	}
	for _, m := range built {
		d.Samples += m.Samples
		d.Maps = append(d.Maps, mapDescription{m.Datacenter, m.Samples, m.Cells, m.TooFew, m.Filled, cleanedCounts(m.Dropped)})
	}
	return d
}

// print writes the figures for people.
func (d *mapsDescription) print(w io.Writer) error {
	terminal.PrintTo(w, "%s, %d measurements in %s", input.Counted(d.Rows, "row"), d.Samples, input.Counted(len(d.Maps), "map"))
	if d.First != nil {
		terminal.PrintTo(w, ", %s to %s", d.First.Format(time.RFC3339), d.Last.Format(time.RFC3339))
	}
	terminal.PrintTo(w, "\nleft out: %s, %s outside the window; measurements that measured nothing %d, at null island %d, faster than light %d\n\n",
		input.Counted(d.BadRows, "malformed row"), input.Counted(d.OutsideWindow, "row"), d.Dropped.NaN, d.Dropped.NullIsland, d.Dropped.FasterThanLight)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "cells\tmeasurements\tper cell\ttoo few\tfilled\t datacenter")
	for _, m := range d.Maps {
		terminal.PrintTo(table, "%d\t%d\t%.1f\t%d\t%d\t %s\n", m.Cells, m.Samples, float64(m.Samples)/float64(m.Cells), m.TooFew, m.Filled, m.Datacenter)
	}
	return table.Flush()
}

// writeJSON writes a value for machines.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
