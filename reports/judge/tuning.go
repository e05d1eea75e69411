package judge

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/guard"
	"mmsim/reports/outcome"
)

// A Tuning is a search for better settings: what it tried, and what it found.
type Tuning struct {
	Settings []string // keys of the configuration
	Goals    []Goal
	Bounds   []Limit       // constraints: limits that the metrics of a good trial must meet
	Trials   []TuningTrial // in the order in which they were tried; the first is the initial settings
	Front    []int         // trials that no other trial beats; with a single goal, only the best one
	Best     int           // one of Front, or 0 if no trial meets the bounds
	Holdout  *Comparison   // compares the best trial with the initial settings in runs that the search did not use; may be nil

	Names []string // metrics: goals, then bounded ones
	Units []outcome.Unit

	Complete bool     // false if the search was interrupted
	Command  string   // the command that repeats the search
	Budget   string   // says how much of its budget the search used
	Samples  []Origin // runs of the initial settings
	Warnings []string
}

// Goal is a metric to minimise or maximise.
type Goal struct {
	Name     string
	Maximise bool
}

// TuningTrial is a combination of settings that the search tried.
type TuningTrial struct {
	Phase     string
	Share     float64  // fraction of the day that was simulated
	Values    []string // by setting
	Runs      int
	Figures   []float64 // means over the runs, by metric; NaN if the metric describes no player
	Violation float64   // sum over the bounds of the excess over each bound, as a fraction of that bound; 0 if all bounds are met
	Refused   string    // why the settings are invalid together; if not empty, there are no runs
}

// Figures returns the means of the metrics over runs: the goals in their order, then the bounded
// metrics. The first call determines Names and Units.
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

// choose sets Names and Units, without repeating a metric.
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

// Violation returns how far figures exceed the bounds, as a sum over all bounds. It is 0 if all
// bounds are met. before has the means of the initial settings over the same part of the day,
// which relative bounds refer to.
func (t *Tuning) Violation(figures, before []float64) float64 {
	sum := 0.0
	for i := range t.Bounds {
		at := slices.Index(t.Names, t.Bounds[i].Name)
		sum += t.Bounds[i].excess(figures[at], before[at])
	}
	return sum
}

// Holds returns LimitHeld if a trial meets a bound, and LimitBroken otherwise.
func (t *Tuning) Holds(l *Limit, trial int) LimitVerdict {
	at := slices.Index(t.Names, l.Name)
	if l.excess(t.Trials[trial].Figures[at], t.Trials[0].Figures[at]) > 0 {
		return LimitBroken
	}
	return LimitHeld
}

// excess returns how far x is beyond the limit, as a fraction of the limit. It returns 0 if x is
// within the limit, or if the limit is relative to a baseline and before, the value there, is NaN.
// If x is NaN, the metric describes no player and breaks the limit, as in a gate: excess returns 1,
// or 0 if a star matched the metric or the metric has no better direction.
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

// WriteCSV writes a row for every trial: its settings, the means of its metrics, how far it
// exceeds the bounds, and whether it is on the front.
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

// nearestMax is the number of trials to show if no trial meets the bounds.
const nearestMax = 3

// Shown returns the trials to show: the initial settings and the front. If no trial meets the
// bounds, the trials over the whole day that come closest replace the front.
func (t *Tuning) Shown() []int {
	if len(t.Trials) == 0 {
		return nil
	}
	if len(t.Front) > 0 {
		return append([]int{0}, t.Front...)
	}
	var nearest []int
	for i := range t.Trials[1:] {
		if trial := &t.Trials[1+i]; trial.Share == 1 && trial.Refused == "" {
			nearest = append(nearest, 1+i)
		}
	}
	slices.SortStableFunc(nearest, func(a, b int) int { return cmp.Compare(t.Trials[a].Violation, t.Trials[b].Violation) })
	return append([]int{0}, nearest[:min(nearestMax, len(nearest))]...)
}

// Refused returns the number of trials whose settings are invalid together.
func (t *Tuning) Refused() int {
	n := 0
	for i := range t.Trials {
		if t.Trials[i].Refused != "" {
			n++
		}
	}
	return n
}

// TuningSchema is the version of a Tuning's JSON form.
const TuningSchema = 1

// tuningDocument is the JSON form of a Tuning.
type tuningDocument struct {
	Schema   int               `json:"schema"`
	Complete bool              `json:"complete"`
	Command  string            `json:"command,omitempty"`
	Budget   string            `json:"budget,omitempty"`
	Samples  []Origin          `json:"samples,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
	Trials   int               `json:"trials"`
	Best     int               `json:"best"`               // 0 if no trial meets the bounds
	Settings map[string]string `json:"settings,omitempty"` // of the best trial
	Front    []int             `json:"front,omitempty"`
	Refused  int               `json:"refused"` // number of trials whose settings are invalid together
	Choices  []choiceDocument  `json:"choices,omitempty"`
	Holdout  *holdoutDocument  `json:"holdout,omitempty"`
	Search   searchDocument    `json:"search"`
}

// searchDocument has everything that was tried.
type searchDocument struct {
	Settings []string        `json:"settings"`
	Goals    []goalDocument  `json:"goals"`
	Bounds   []boundDocument `json:"constraints"`
	Metrics  []string        `json:"metrics"` // goals, then bounded metrics
	Trials   []trialDocument `json:"trials"`
}

type goalDocument struct {
	Metric   string `json:"metric"`
	Maximise bool   `json:"maximise"`
}

type boundDocument struct {
	Metric   string    `json:"metric"`
	Pattern  string    `json:"pattern"`
	Kind     LimitKind `json:"kind"`
	Bound    Optional  `json:"bound"`
	Relative bool      `json:"relative"`
}

type trialDocument struct {
	Phase     string     `json:"phase"`
	Share     float64    `json:"share"`
	Values    []string   `json:"values"` // by setting
	Runs      int        `json:"runs"`
	Figures   []Optional `json:"means"` // by metric; null if the metric describes no player
	Violation Optional   `json:"violation"`
	Refused   string     `json:"refused,omitempty"`
}

// choiceDocument is one of the trials that Shown returns.
type choiceDocument struct {
	Trial     int                            `json:"trial"` // 0 for the initial settings
	Settings  map[string]string              `json:"settings"`
	Metrics   outcome.Object[figureDocument] `json:"metrics"`   // goals, then bounded metrics
	Violation Optional                       `json:"violation"` // see TuningTrial.Violation
}

type figureDocument struct {
	Name string   `json:"-"`
	Unit string   `json:"unit,omitempty"` // shares are fractions of 1
	Mean Optional `json:"mean"`           // null if the metric describes no player
}

// Member implements the [outcome.Member] interface.
func (f *figureDocument) Member() (*string, any) { return &f.Name, f }

// holdoutDocument compares the best trial (B) with the initial settings (A) in runs that the
// search did not use.
type holdoutDocument struct {
	Runs       int         `json:"runs"`
	Pairs      int         `json:"pairs"`
	Confidence float64     `json:"confidence"`
	Metrics    Differences `json:"metrics"`
}

// Write writes the tuning as JSON.
func (t *Tuning) Write(w io.Writer) error {
	d := tuningDocument{
		Schema: TuningSchema, Complete: t.Complete, Command: t.Command, Budget: t.Budget, Samples: t.Samples, Warnings: t.Warnings,
		Trials: len(t.Trials), Best: t.Best, Front: t.Front, Refused: t.Refused(), Search: t.search(),
	}
	if t.Best > 0 {
		d.Settings = t.settingsOf(t.Best)
	}
	for _, i := range t.Shown() {
		trial := &t.Trials[i]
		c := choiceDocument{Trial: i, Settings: t.settingsOf(i), Violation: Optional(trial.Violation)}
		for k, name := range t.Names {
			c.Metrics = append(c.Metrics, figureDocument{name, t.Units[k].Sign(), Optional(trial.Figures[k])})
		}
		d.Choices = append(d.Choices, c)
	}
	if t.Holdout != nil {
		d.Holdout = &holdoutDocument{t.Holdout.RunsB, t.Holdout.Pairs, t.Holdout.Confidence, t.HoldoutMetrics()}
	}
	return outcome.WriteJSON(w, d)
}

// search returns everything that was tried.
func (t *Tuning) search() searchDocument {
	d := searchDocument{Settings: t.Settings, Goals: []goalDocument{}, Bounds: []boundDocument{}, Metrics: t.Names, Trials: []trialDocument{}}
	for _, goal := range t.Goals {
		d.Goals = append(d.Goals, goalDocument{goal.Name, goal.Maximise})
	}
	for _, l := range t.Bounds {
		d.Bounds = append(d.Bounds, boundDocument{l.Name, l.Pattern, l.Kind, Optional(l.Bound), l.Relative})
	}
	for i := range t.Trials {
		trial := &t.Trials[i]
		of := trialDocument{trial.Phase, trial.Share, trial.Values, trial.Runs, []Optional{}, Optional(trial.Violation), trial.Refused}
		for _, x := range trial.Figures {
			of.Figures = append(of.Figures, Optional(x))
		}
		d.Trials = append(d.Trials, of)
	}
	return d
}

// settingsOf returns the values of a trial's settings by key.
func (t *Tuning) settingsOf(trial int) map[string]string {
	settings := map[string]string{}
	for i, key := range t.Settings {
		settings[key] = t.Trials[trial].Values[i]
	}
	return settings
}

// HoldoutMetrics returns the holdout's differences in the goals and bounded metrics.
func (t *Tuning) HoldoutMetrics() Differences {
	var list Differences
	for _, name := range t.Names {
		for _, d := range t.Holdout.Metrics {
			if d.Name == name {
				list = append(list, d)
			}
		}
	}
	return list
}
