package results

import (
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/outcome"
)

// Kind describes the directories that mmsim run writes. Do not add names to Unlisted: it has the
// files of versions that did not list the files that they wrote.
var Kind = resultdir.Kind{
	Command: "run", Marker: outcome.SummaryFile, Keys: []string{"run", "players", "wait_s", "rtt_ms", "matches"},
	Unlisted: resultdir.Unlisted(`(runs/[0-9]+/)?`, `(summary\.json|config\.yaml|report\.html|records\.(csv\.gz|parquet)|timelapse\.csv\.gz)`,
		`(timeseries|percentiles|distributions|map|load|datacenters|continents|hours|servers)\.csv`,
		`(wait-time|rtt|ccu|states|rules(-[0-9]+)?|quality|datacenters|map|servers|signals)\.(png|svg)`),
}
