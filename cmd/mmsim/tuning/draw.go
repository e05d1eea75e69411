package tuning

import (
	"fmt"

	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Kind describes the result directories that a tuning writes.
var Kind = results.Decision{
	Kind: resultdir.Kind{
		Command: "tune", Marker: File, Keys: []string{"trials", "best"},
	},
	Files: []string{TrialsFile, BestFile, results.PageFile},
	Draw:  drawTuning,
}

// drawTuning is the Draw of Kind.
func drawTuning(folder string, create result.Create, _ func(message string)) error {
	t, err := results.ReadMarker(folder, File, judge.ParseTuning)
	if err != nil {
		return err
	}
	choices, err := choicesIn(folder, t)
	if err != nil {
		return err
	}
	return results.DrawPage(decision.Tuning(t, choices, &decision.Sources{Command: t.Command}), create)
}

// choicesIn reads the configurations of the trials on the Pareto front. It skips missing files.
func choicesIn(folder string, t *judge.Tuning) ([]decision.Choice, error) {
	var choices []decision.Choice
	for _, trial := range t.Front {
		name := BestFile
		if len(t.Goals) > 1 {
			name = frontName(trial)
		}
		listings, err := results.Listings(folder, name)
		if err != nil {
			return nil, err
		}
		for _, l := range listings {
			choices = append(choices, decision.Choice{Trial: trial, File: name, Text: l.Text})
		}
	}
	return choices, nil
}

// frontName returns the file name for the configuration of a trial on the Pareto front.
func frontName(trial int) string { return fmt.Sprintf("%s/%d.yaml", frontFolder, trial) }
