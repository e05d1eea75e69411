package reports

import (
	"io"
	"math"
	"slices"
	"strconv"
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

	names []string // of the figures: goals, then numbers that are bounded
	units []Unit
}

// Goal is a number that is made small, or large.
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

// Figures are the means of the goals, in their order, and of the bounded numbers over
// some runs. The first call decides which figures there are.
func (t *Tuning) Figures(runs []*Summary) []float64 {
	_, known := figures(runs)
	if t.names == nil {
		t.choose(known)
	}
	list := make([]float64, len(t.names))
	for i, name := range t.names {
		list[i] = math.NaN()
		if f := known[name]; f != nil {
			list[i] = f.moments.mean
		}
	}
	return list
}

// choose lists the figures, each once.
func (t *Tuning) choose(known map[string]*figure) {
	for _, goal := range t.Goals {
		t.names = append(t.names, goal.Name)
	}
	for _, bound := range t.Bounds {
		if !slices.Contains(t.names, bound.Name) {
			t.names = append(t.names, bound.Name)
		}
	}
	t.units = make([]Unit, len(t.names))
	for i, name := range t.names {
		if f := known[name]; f != nil {
			t.units[i] = f.unit
		}
	}
}

// Violation is how far figures lie beyond the bounds, in units of each, summed; 0 where
// all hold. before are the figures of what was there before, over the same share of the
// day: bounds relative to a baseline are measured from them.
func (t *Tuning) Violation(figures, before []float64) float64 {
	sum := 0.0
	for i := range t.Bounds {
		at := slices.Index(t.names, t.Bounds[i].Name)
		sum += t.Bounds[i].excess(figures[at], before[at])
	}
	return sum
}

// excess is how far a number lies beyond a limit, in units of the limit; 0 within. As
// in a gate, a number that describes nobody breaks the limit unless a star chose it or
// it has no direction.
func (l *Limit) excess(x, before float64) float64 {
	bound, sign := l.Bound, 1.0
	if l.Kind == LimitMin || l.Kind == LimitMaxDecrease {
		sign = -1
	}
	switch {
	case math.IsNaN(x) && (l.Pattern != l.Name || BetterOf(l.Name) == BetterNot):
		return 0
	case math.IsNaN(x):
		return 1
	case l.Kind.needsBaseline() && math.IsNaN(before):
		return 0
	case l.Kind.needsBaseline() && l.Relative:
		bound = before + sign*l.Bound*math.Abs(before)
	case l.Kind.needsBaseline():
		bound = before + sign*l.Bound
	}
	beyond := sign * (x - bound)
	if beyond <= 1e-9*math.Abs(bound) {
		return 0
	}
	return beyond / max(math.Abs(bound), 1e-9)
}

// WriteCSV writes a row for every trial: its settings, the means of its figures, how far
// it is beyond the bounds and whether it is on the front.
func (t *Tuning) WriteCSV(w io.Writer) error {
	out := newGuardedTable(w)
	head := append([]string{"trial", "phase", "share", "runs"}, t.Settings...)
	if err := out.Write(append(append(head, t.names...), "violation", "front", "refused")); err != nil {
		return err
	}
	for i := range t.Trials {
		trial := &t.Trials[i]
		row := append([]string{strconv.Itoa(i), trial.Phase, strconv.FormatFloat(trial.Share, 'f', -1, 64), strconv.Itoa(trial.Runs)}, trial.Values...)
		for k := range t.names {
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
