package judge

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// ParseComparison parses the output of Comparison.Write. file is the name that begins errors.
func ParseComparison(file string, text []byte) (*Comparison, error) {
	c, err := outcome.ReadForm[Comparison](file, text, ComparisonSchema)
	if err != nil {
		return nil, err
	}
	findUnits(c.Metrics)
	return c, nil
}

// findUnits sets In, the unit of each difference. It looks up the metric, because the JSON form
// does not contain the unit of shares.
func findUnits(list Differences) {
	for i := range list {
		list[i].In = unitNamed(list[i].Name, list[i].Unit)
	}
}

// unitNamed returns the unit of the metric with this name. For a metric that this version does
// not know, it returns sign.
func unitNamed(name, sign string) outcome.Unit {
	if m, is := outcome.Find(name); is {
		return m.Unit
	}
	return outcome.Unit(sign)
}

// ParseGate parses the output of GateResult.Write. file is the name that begins errors.
func ParseGate(file string, text []byte) (*GateResult, error) {
	g, err := outcome.ReadForm[GateResult](file, text, GateSchema)
	if err != nil {
		return nil, err
	}
	for i := range g.Limits {
		if g.Limits[i].In = unitNamed(g.Limits[i].Metric, ""); g.Limits[i].Kind == LimitMaxDistance {
			g.Limits[i].In = outcome.UnitShare
		}
	}
	findUnits(g.Unmatched)
	return g, nil
}

// ParseTuning parses the output of Tuning.Write. file is the name that begins errors.
func ParseTuning(file string, text []byte) (*Tuning, error) {
	d, err := outcome.ReadForm[tuningDocument](file, text, TuningSchema)
	if err != nil {
		return nil, err
	}
	t := &Tuning{
		Search: d.Search, AtEnd: d.AtEnd, Front: d.Front, Best: d.Best,
		Complete: d.Complete, Command: d.Command, Budget: d.Budget, Samples: d.Samples, Warnings: d.Warnings,
	}
	t.Units = words.Each(t.Metrics, func(name string) outcome.Unit { return unitNamed(name, "") })
	for i := range t.Trials {
		trial := &t.Trials[i]
		for k, x := range trial.Means {
			e := Estimate{float64(x), math.NaN(), math.NaN(), 0, trial.Runs}
			if k < len(trial.Measured) {
				e.Runs = trial.Measured[k]
			}
			if k < min(len(trial.Low), len(trial.High)) {
				e.Low, e.High = float64(trial.Low[k]), float64(trial.High[k])
			}
			trial.Figures = append(trial.Figures, e)
		}
		trial.columns = columns{}
	}
	if h := d.Holdout; h != nil {
		t.Holdout = &Comparison{RunsB: h.Runs, Pairs: h.Pairs, Confidence: h.Confidence, Joins: h.Joins, Metrics: h.Metrics}
		findUnits(t.Holdout.Metrics)
		t.Checked, t.Worse = h.Limits, h.Worse
		for i := range t.Checked {
			t.Checked[i].In = unitNamed(t.Checked[i].Metric, "")
		}
	}
	if err := t.fault(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// fault returns an error if no search can have written the tuning.
func (t *Tuning) fault() error {
	switch {
	case len(t.Trials) == 0 || len(t.Goals) == 0 || len(t.Metrics) < len(t.Goals):
		return fmt.Errorf("\"search\" has %d trials, %d goals and %d metrics, expected those of a search", len(t.Trials), len(t.Goals), len(t.Metrics))
	case t.Best < 0 || t.Best >= len(t.Trials) || t.Best > 0 && !slices.Contains(t.Front, t.Best):
		return fmt.Errorf("\"best\" is %d, expected a trial of the front, or 0", t.Best)
	}
	for _, i := range t.Front {
		if i < 1 || i >= len(t.Trials) || t.Trials[i].Refused != "" {
			return fmt.Errorf("\"front\" has %d, expected numbers of trials", i)
		}
	}
	for _, l := range slices.Concat(t.Bounds, t.Guard) {
		if !slices.Contains(t.Metrics, l.Name) {
			return fmt.Errorf("\"constraints\" has %q, expected a name of \"metrics\"", l.Name)
		}
	}
	for i := range t.Trials {
		trial := &t.Trials[i]
		if len(trial.Values) != len(t.Settings) || len(trial.Figures) != len(t.Metrics) && trial.Refused == "" || math.IsInf(float64(trial.Violation), 0) {
			return fmt.Errorf("trial %d has %d values and %d means, expected those of %d settings and %d metrics", i, len(trial.Values), len(trial.Figures), len(t.Settings), len(t.Metrics))
		}
	}
	return nil
}
