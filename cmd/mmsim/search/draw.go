package search

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// SweepKind describes the result directories that a sweep or a site search writes.
var SweepKind = results.Decision{
	Kind: resultdir.Kind{
		Command: "sweep", Marker: PlanFile, Keys: []string{"settings", "points"},
	},
	Files: []string{results.ConfigFile, results.PageFile, pointsFile},
	Draw:  drawSweep,
}

// draw writes the page and pictures of a sweep.
func (p *plan) draw(found *found, create result.Create) error {
	from := &decision.Sources{Command: p.Command}
	if p.Config != "" {
		from.Listings = []present.Listing{{Title: results.ConfigFile + ", of the first combination", Text: p.Config, Closed: true}}
	}
	return results.DrawPage(found.page(from, p.setLine), create)
}

// setLine returns the command that simulates one point alone.
func (p *plan) setLine(point int) string {
	words := []string{"mmsim", "run", "--config", results.ConfigFile}
	if p.Site != nil {
		words[3] = configName(p.Points[point].Set)
	} else {
		for i, value := range p.Points[point].Values {
			words = append(words, "--set", p.Settings[i]+"="+value)
		}
	}
	return input.ShellCommand(append(words, "--runs", strconv.Itoa(len(p.Points[0].Jobs))))
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
	if plan.Site != nil && plan.Site.Removals != nil {
		if found.cells, err = result.LoadMap(input.Folder(folder)); err != nil {
			return input.Badf("%s%c%w", folder, filepath.Separator, err)
		}
	}
	return plan.draw(found, create)
}
