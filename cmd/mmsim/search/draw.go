package search

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/judge"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// draw writes the page and pictures of a sweep.
func (p *plan) draw(found *found, create result.Create) error {
	from := &decision.Sources{Command: p.Command}
	if p.Config != "" {
		from.Listings = []present.Listing{{Title: results.ConfigFile + ", of the first combination", Text: p.Config, Closed: true}}
	}
	return results.DrawPage(found.page(from, func(point int) string {
		words := []string{"mmsim", "run", "--config", results.ConfigFile}
		for i, value := range p.Points[point].Values {
			words = append(words, "--set", p.Settings[i]+"="+value)
		}
		return input.ShellCommand(append(words, "--runs", strconv.Itoa(len(p.Points[0].Jobs))))
	}), create)
}

// drawSweep is the Draw of SweepKind. The sweep must be complete.
func drawSweep(folder string, create result.Create, warn func(message string)) error {
	plan, err := readPlanFile(filepath.Join(folder, PlanFile))
	if err != nil {
		return err
	}
	jobs := experiment.Folder{Dir: folder, Warn: warn}
	missing, all, err := plan.missing(jobs)
	if err != nil {
		return err
	}
	found, err := plan.found(context.Background(), jobs)
	if broken := (*brokenJobs)(nil); missing == 0 && errors.As(err, &broken) {
		missing = len(broken.jobs)
	}
	if !plan.Complete || missing > 0 {
		return input.Badf("%s: %d of %d jobs are missing, expected a complete sweep; run mmsim %s to do them", folder, missing, all, plan.command())
	}
	if err != nil {
		return err
	}
	return plan.draw(found, create)
}

// drawTuning is the Draw of TuneKind.
func drawTuning(folder string, create result.Create, _ func(message string)) error {
	t, err := results.ReadMarker(folder, TuneFile, judge.ParseTuning)
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
