package main

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports"
)

// The kinds of directories that commands write. Their names are those that any version has
// written: in a directory without a list of its files they are mmsim's, everything else is the
// user's. A file that a command writes now needs no entry: lists know it.
var (
	runKind = resultdir.Kind{
		Command: "run", Marker: reports.SummaryFile, Keys: []string{"run", "players", "wait_s", "rtt_ms", "matches"},
		Names: resultdir.Names(`(runs/[0-9]+/)?`, `(summary\.json|config\.yaml|report\.html|records\.(csv\.gz|parquet)|timelapse\.csv\.gz)`,
			`(timeseries|percentiles|distributions|map|load|datacenters|continents|hours|servers)\.csv`,
			`(wait-time|rtt|ccu|states|rules(-[0-9]+)?|quality|datacenters|map|servers|signals)\.(png|svg)`),
	}
	comparisonKind = resultdir.Kind{
		Command: "compare", Marker: comparisonFile, Keys: []string{"a", "b", "pairs", "settings", "metrics"},
		Names: resultdir.Names("", `comparison\.(json|md)`, `differences\.(png|svg)`),
	}
	mapsKind = resultdir.Kind{
		Command: "latency build", Marker: mapsFile, Keys: []string{"maps", "samples", "dropped", "min_count"},
		Names: resultdir.Names("", `latency\.json`, `(png/)?datacenters\.csv`, `(latency|counts)_[^/]+\.bin`, `(png/)?(latency|counts)_[^/]+\.png`),
	}
)

// files lists what the configuration of the flags reads: its own file too.
func (f *configFlags) files(c *config.Config) []string { return append(c.Files(), f.file) }
