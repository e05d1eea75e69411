package judge

import (
	"io"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/guard"
	"mmsim/reports/outcome"
)

// A Tuning is what a search for better settings tried, and what it found.
type Tuning struct {
	Settings []string // keys of the configuration
	Goals    []Goal
	Bounds   []Limit       // that must hold
	Trials   []TuningTrial // in the order in which they were tried; the first is what was there before
	Front    []int         // trials that no other one beats; the best one alone where there is one goal
	Best     int           // of the front; 0: nothing keeps the bounds
	Proof    *Comparison   // of the best with what was before, in runs that the search did not see; nil: not made

	Names []string // goals, then bounded metrics
	Units []outcome.Unit
}

// Goal is a metric that is made small, or large.
type Goal struct {
	Name     string
	Maximise bool
}

// TuningTrial is one choice of settings.
type TuningTrial struct {
	Phase     string
	Share     float64  // of the day that was simulated
	Values    []string // by setting
	Runs      int
	Figures   []float64 // means over the runs; NaN: nobody to describe
	Violation float64   // how far beyond the bounds, in units of each, summed; 0: all hold
	Refused   string    // why the settings do not go together; then there are no runs
}

// Figures are the means of the goals, in their order, and of the bounded metrics over
// some runs. The first call decides which metrics there are.
func (t *Tuning) Figures(runs []*outcome.Summary) []float64 {
	_, known := metricsOf(runs)
	if t.Names == nil {
		t.choose(known)
	}
	list := make([]float64, len(t.Names))
	for i, name := range t.Names {
		list[i] = math.NaN()
		if f := known[name]; f != nil {
			list[i] = f.moments.mean
		}
	}
	return list
}

// choose lists the metrics, each once.
func (t *Tuning) choose(known map[string]*metricSample) {
	for _, goal := range t.Goals {
		t.Names = append(t.Names, goal.Name)
	}
	for _, bound := range t.Bounds {
		if !slices.Contains(t.Names, bound.Name) {
			t.Names = append(t.Names, bound.Name)
		}
	}
	t.Units = make([]outcome.Unit, len(t.Names))
	for i, name := range t.Names {
		if f := known[name]; f != nil {
			t.Units[i] = f.Unit
		}
	}
}

// Violation is how far figures lie beyond the bounds, in units of each, summed; 0 where
// all hold. before are the means of the settings before, over the same share of the
// day: bounds relative to a baseline are measured from them.
func (t *Tuning) Violation(figures, before []float64) float64 {
	sum := 0.0
	for i := range t.Bounds {
		at := slices.Index(t.Names, t.Bounds[i].Name)
		sum += t.Bounds[i].excess(figures[at], before[at])
	}
	return sum
}

// excess is how far a metric lies beyond a limit, in units of the limit; 0 within. As
// in a gate, a metric that describes nobody breaks the limit unless a star chose it or
// it has no direction.
func (l *Limit) excess(x, before float64) float64 {
	bound, sign := l.Bound, 1.0
	if l.Kind == LimitMin || l.Kind == LimitMaxDecrease {
		sign = -1
	}
	switch {
	case math.IsNaN(x) && (l.Pattern != l.Name || outcome.BetterOf(l.Name) == outcome.BetterNot):
		return 0
	case math.IsNaN(x):
		return 1
	case l.Kind.NeedsBaseline() && math.IsNaN(before):
		return 0
	case l.Kind.NeedsBaseline() && l.Relative:
		bound = before + sign*l.Bound*math.Abs(before)
	case l.Kind.NeedsBaseline():
		bound = before + sign*l.Bound
	}
	beyond := sign * (x - bound)
	if beyond <= 1e-9*math.Abs(bound) {
		return 0
	}
	return beyond / max(math.Abs(bound), 1e-9)
}

// WriteCSV writes a row for every trial: its settings, the means of its metrics, how far
// it is beyond the bounds and whether it is on the front.
func (t *Tuning) WriteCSV(w io.Writer) error {
	out := guard.NewTable(w)
	head := append([]string{"trial", "phase", "share", "runs"}, t.Settings...)
	if err := out.Write(append(append(head, t.Names...), "violation", "front", "refused")); err != nil {
		return err
	}
	for i := range t.Trials {
		trial := &t.Trials[i]
		row := append([]string{strconv.Itoa(i), trial.Phase, strconv.FormatFloat(trial.Share, 'f', -1, 64), strconv.Itoa(trial.Runs)}, trial.Values...)
		for k := range t.Names {
			x := math.NaN()
			if trial.Refused == "" {
				x = trial.Figures[k]
			}
			row = append(row, cell(x))
		}
		violation, front := "", ""
		if trial.Refused == "" {
			violation = cell(trial.Violation)
		}
		if slices.Contains(t.Front, i) {
			front = "yes"
		}
		if err := out.Write(append(row, violation, front, trial.Refused)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
