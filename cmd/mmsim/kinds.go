package main

import (
	"regexp"
	"strings"

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
		Names: names(`(runs/[0-9]+/)?`, `(summary\.json|config\.yaml|report\.html|records\.(csv\.gz|parquet)|timelapse\.csv\.gz)`,
			`(timeseries|percentiles|distributions|map|load|datacenters|continents|hours|servers)\.csv`,
			`(wait-time|rtt|ccu|states|rules(-[0-9]+)?|quality|datacenters|map|servers|signals)\.(png|svg)`),
	}
	comparisonKind = resultdir.Kind{
		Command: "compare", Marker: comparisonFile, Keys: []string{"a", "b", "pairs", "settings", "metrics"},
		Names: names("", `comparison\.(json|md)`, `differences\.(png|svg)`),
	}
	mapsKind = resultdir.Kind{
		Command: "latency build", Marker: mapsFile, Keys: []string{"maps", "samples", "dropped", "min_count"},
		Names: names("", `latency\.json`, `(png/)?datacenters\.csv`, `(latency|counts)_[^/]+\.bin`, `(png/)?(latency|counts)_[^/]+\.png`),
	}
	sweepKind = resultdir.Kind{
		Command: "sweep", Marker: planFile, Keys: []string{"settings", "points"},
		Names: names("", `sweep\.json`, `results\.csv`, `(curves|trade-off|heat-`+summaryKeys+`-[^/]+)\.(png|svg)`),
	}
	tuneKind = resultdir.Kind{
		Command: "tune", Marker: tuneFile, Keys: []string{"trials", "best"},
		Names: names("", `tune\.json`, `trials\.csv`, `best\.yaml`, `(progress|front)\.(png|svg)`, `front/[0-9]+\.yaml`),
	}
)

// summaryKeys are the keys of summary.json that numbers stand under.
const summaryKeys = `(players|wait_s|wait_first_s|wait_repeat_s|failed_wait_s|bots_wait_s|rtt_ms|rtt_estimate_ms|delta_rtt_ms|` +
	`latency|matches|ccu|states|attributes|overlaps|rules|queue_statistics|servers|queues|by_[a-z_]+)`

// names matches one of several forms of a file's name, in some folder.
func names(folder string, forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`^` + folder + `(` + strings.Join(forms, "|") + `)$`)
}

// files lists what the configuration of the flags reads: its own file too.
func (f *configFlags) files(c *config.Config) []string { return append(c.Files(), f.file) }
