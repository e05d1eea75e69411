package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mmsim/reports"
)

// Files of a search, beside its plot.
const (
	tuneFile    = "tune.json"
	trialsFile  = "trials.csv"
	bestFile    = "best.yaml"
	frontFolder = "front"
	tuneSchema  = 1
)

// tuneMarker is tune.json: what was found, for machines.
type tuneMarker struct {
	Schema   int               `json:"schema"`
	Complete bool              `json:"complete"`
	Trials   int               `json:"trials"`
	Best     int               `json:"best"` // 0: nothing keeps the constraints
	Settings map[string]string `json:"settings,omitempty"`
	Front    []int             `json:"front,omitempty"`
}

// writeMarker writes tune.json, which shows that the folder is a search's.
func (s *tuneSearch) writeMarker(complete bool) error {
	m := tuneMarker{Schema: tuneSchema, Complete: complete, Trials: len(s.found.Trials), Best: s.found.Best, Front: s.found.Front}
	if m.Best > 0 {
		m.Settings = map[string]string{}
		for i, key := range s.found.Settings {
			m.Settings[key] = s.found.Trials[m.Best].Values[i]
		}
	}
	return replacing(s.dir).File(tuneFile, func(w io.Writer) error {
		text, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
}

// conclude writes what was found. After an interruption it writes what is known, and
// leaves the proof out.
func (s *tuneSearch) conclude(ctx context.Context) error {
	if len(s.found.Trials) == 0 {
		return nil // interrupted before the first trial was finished
	}
	s.rank()
	if ctx.Err() == nil && s.found.Best > 0 {
		if err := s.prove(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if err := removeAll(s.dir, "progress.*", "front.*", frontFolder, bestFile); err != nil {
		return err
	}
	create := replacing(s.dir)
	if err := create.File(trialsFile, s.found.WriteCSV); err != nil {
		return err
	}
	if err := s.found.WritePlots(create); err != nil {
		return err
	}
	if err := s.writeConfigs(create); err != nil {
		return err
	}
	if err := s.writeMarker(ctx.Err() == nil); err != nil {
		return err
	}
	s.progress.finish()
	if s.quiet {
		return nil
	}
	_, err := io.WriteString(s.out, s.found.Text(s.colour()))
	fmt.Fprintf(s.err, "results in %s\n", s.dir)
	return err
}

// prove compares the best settings with those of before in runs that the search did not
// see: the best of many is partly luck.
func (s *tuneSearch) prove(ctx context.Context) error {
	best, _, err := s.configAt(s.trials[s.found.Best-1].Point)
	if err != nil {
		return err
	}
	runs, err := s.simulate(ctx, []*config{s.base.config, best}, s.worlds[s.spec.runs:])
	if err != nil {
		return err
	}
	s.found.Proof = reports.Compare(&reports.Sample{Name: "before", Runs: runs[0]}, &reports.Sample{Name: "best", Runs: runs[1]},
		settingPairs(s.base.config, best))
	return nil
}

// writeConfigs writes the best settings as a configuration, and those of a front of
// several in a folder.
func (s *tuneSearch) writeConfigs(create reports.Create) error {
	if s.found.Best == 0 {
		return nil
	}
	if err := s.writeConfig(create, bestFile, s.found.Best); err != nil || len(s.found.Goals) == 1 {
		return err
	}
	if err := os.MkdirAll(filepath.Join(s.dir, frontFolder), 0o777); err != nil {
		return err
	}
	for _, trial := range s.found.Front {
		if err := s.writeConfig(create, filepath.Join(frontFolder, fmt.Sprintf("%d.yaml", trial)), trial); err != nil {
			return err
		}
	}
	return nil
}

// writeConfig writes the configuration of a trial.
func (s *tuneSearch) writeConfig(create reports.Create, name string, trial int) error {
	c, _, err := s.configAt(s.trials[trial-1].Point)
	if err != nil {
		return err
	}
	text, err := c.resolvedYAML()
	if err != nil {
		return err
	}
	return create.File(name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "# trial %d of mmsim tune\n%s", trial, text)
		return err
	})
}
