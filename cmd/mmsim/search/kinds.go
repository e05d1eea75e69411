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
		},
		Files: []string{results.ConfigFile, results.PageFile, pointsFile},
		Draw:  drawSweep,
	}
	TuneKind = results.Decision{
		Kind: resultdir.Kind{
			Command: "tune", Marker: TuneFile, Keys: []string{"trials", "best"},
		},
		Files: []string{TrialsFile, BestFile, results.PageFile},
		Draw:  drawTuning,
	}
)
