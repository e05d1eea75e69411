package search

import (
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
)

// SweepKind and TuneKind describe the result directories that a sweep and a tuning write.
var (
	SweepKind = results.Decision{
		Kind: resultdir.Kind{
			Command: "sweep", Marker: PlanFile, Keys: []string{"settings", "points"},
			Unlisted: resultdir.Unlisted("", `sweep\.json`, `results\.csv`, `(curves|trade-off|heat-`+summaryKeys+`-[^/]+)\.(png|svg)`),
		},
		Files: []string{results.ConfigFile, results.PageFile, pointsFile},
		Draw:  drawSweep,
	}
	TuneKind = results.Decision{
		Kind: resultdir.Kind{
			Command: "tune", Marker: TuneFile, Keys: []string{"trials", "best"},
			Unlisted: resultdir.Unlisted("", `tune\.json`, `trials\.csv`, `best\.yaml`, `(progress|front)\.(png|svg)`, `front/[0-9]+\.yaml`),
		},
		Files: []string{TrialsFile, BestFile, results.PageFile},
		Draw:  drawTuning,
	}
)

// summaryKeys matches the keys of numbers in the summary.json of versions that did not list the
// files that they wrote. Do not add keys: no such version drew a picture of them.
const summaryKeys = `(players|wait_s|wait_first_s|wait_repeat_s|failed_wait_s|bots_wait_s|rtt_ms|rtt_estimate_ms|delta_rtt_ms|` +
	`latency|matches|ccu|states|attributes|overlaps|rules|queue_statistics|servers|queues|by_[a-z_]+)`
