package results

import (
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/outcome"
)

// Kind describes the directories that mmsim run writes.
var Kind = resultdir.Kind{
	Command: "run", Marker: outcome.SummaryFile, Keys: []string{"run", "players", "wait_s", "rtt_ms", "matches"},
}
