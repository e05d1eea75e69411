package calibrate

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/fidelity"
	"mmsim/reports/judge"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Files of a result, in addition to the page and the folders of [trial].
const (
	dayFile         = "day.csv.gz"
	prodFile        = "prod.yaml"
	limitsFile      = "fidelity.yaml"
	calibrationFile = "calibration.json"
)

// Kind describes the result directories of the command. The page is drawn from the folders of production
// and of the simulation, and from limitsFile, so that it shows what they have at the time.
var Kind = results.Decision{
	Kind:  resultdir.Kind{Command: "calibrate", Marker: calibrationFile, Keys: []string{"format", "joins", "estimates", "kaplan_meier"}},
	Files: []string{dayFile, prodFile, limitsFile, calibrationFile, results.PageFile},
	Draw: func(folder string, create result.Create, _ func(message string)) error {
		return draw(folder, create, config.Output{Plots: true, HTML: true})
	},
}

// draw writes the page and the pictures that o asks for.
func draw(folder string, create result.Create, o config.Output) error {
	p, err := pageOf(folder)
	if err != nil {
		return err
	}
	return results.DrawWanted(p, create, o)
}

// pageOf returns the page about the result in a folder.
func pageOf(folder string) (*present.Page, error) {
	c, err := results.ReadMarker(folder, calibrationFile, fidelity.Parse)
	if err != nil {
		return nil, err
	}
	listings, err := results.Listings(folder, prodFile, limitsFile)
	if err != nil {
		return nil, err
	}
	from := &decision.Sources{Command: c.Command, Listings: listings}
	if _, err := os.Stat(filepath.Join(folder, simulationFolder)); errors.Is(err, fs.ErrNotExist) {
		return decision.Calibration(c, nil, nil, from), nil
	}
	production, simulation, err := samplesIn(folder)
	if err != nil {
		return nil, err
	}
	limits, err := limitsIn(folder, simulation)
	if err != nil {
		return nil, err
	}
	settings, err := notEstimated(filepath.Join(folder, simulationFolder), c)
	if err != nil {
		return nil, err
	}
	return decision.Calibration(c, fidelity.Judge(production, simulation, limits), settings, from), nil
}

// samplesIn reads production and the simulation, with their distributions.
func samplesIn(folder string) (production, simulation *judge.Sample, err error) {
	var samples [2]*judge.Sample
	for i, part := range []string{productionFolder, simulationFolder} {
		dir := filepath.Join(folder, part)
		var warnings []string
		if samples[i], warnings, err = results.LoadSample(dir); err != nil {
			return nil, nil, err
		}
		if err := results.LoadDistributions(dir, samples[i]); err != nil {
			return nil, nil, err
		}
		samples[i].Name = part // wherever the result is
		samples[i].Runs[0].Warnings = append(samples[i].Runs[0].Warnings, warnings...)
	}
	return samples[0], samples[1], nil
}

// limitsIn reads limitsFile. There are no limits without it.
func limitsIn(folder string, simulation *judge.Sample) ([]judge.Limit, error) {
	name := filepath.Join(folder, limitsFile)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	file, err := gate.Read(name)
	if err != nil {
		return nil, err
	}
	return file.Limits(simulation.Metrics(), true)
}

// notEstimated says which settings of the simulation in a folder are outside the intervals of their
// estimates. Times are written in whole ms, and players.give_up_after is whole ticks.
func notEstimated(folder string, c *fidelity.Calibration) (list []string, err error) {
	s, err := config.Read(filepath.Join(folder, results.ConfigFile), nil)
	if err != nil {
		return nil, err
	}
	for _, e := range c.Estimates {
		value, slack := math.NaN(), 0.001
		switch e.Name {
		case keyPlayAgain:
			value, slack = s.Players.PlayAgain, 1-playAgainMax
		case keyBetween:
			value = s.Players.BetweenMatches.Seconds()
		case keyLength:
			value = s.Match.Length.Mean.Seconds()
		case keyLengthSD:
			value = s.Match.Length.SD.Seconds()
		case keyGiveUp:
			value, slack = s.Players.GiveUpAfter.Seconds(), s.Clock.Tick.Seconds()
		}
		if value < e.Low-slack || value > e.High+slack {
			list = append(list, fmt.Sprintf("%s is %g in the simulation, and %g (%g to %g) in production", e.Name, value, e.Value, e.Low, e.High))
		}
	}
	return list, nil
}
