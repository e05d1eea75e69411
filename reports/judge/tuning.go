package judge

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A Tuning is a search for better settings: what it tried, and what it found.
type Tuning struct {
	Search
	Front []int      // trials that no other trial beats; with a single goal, only the best one
	Best  int        // one of Front, or 0 if no trial meets the bounds
	AtEnd []RangeEnd // settings whose best value is at the end of what the search could try

	Holdout *Comparison   // compares the best trial with the initial settings in runs that the search did not use; may be nil
	Checked []LimitResult // Bounds and Guard in those runs
	Worse   []string      // metrics that are worse in those runs than before, and are no goals

	Complete bool     // false if the search was interrupted
	Command  string   // the command that repeats the search
	Budget   string   // says how much of its budget the search used
	Samples  []Origin // runs of the initial settings
	Warnings []string
}

// Search is everything that a tuning tried.
type Search struct {
	Settings []string `json:"settings"` // keys of the configuration
	Goals    []Goal   `json:"goals"`
	Bounds   []Limit  `json:"constraints"` // limits that the metrics of a good trial must meet
	Guard    []Limit  `json:"guard"`       // how much worse than before a good trial may be; each limits a change
	Measures
	Trials []TuningTrial `json:"trials"` // in the order in which they were tried; the first is the initial settings
}

// Goal is a metric to minimise or maximise.
type Goal struct {
	Name     string `json:"metric"`
	Maximise bool   `json:"maximise"`
}

// RangeEnd says that the best value of a setting is at the end of its range or list, so that the
// search does not know whether a value beyond it would be better.
type RangeEnd struct {
	Setting string `json:"setting"`
	Value   string `json:"value"` // the end
	Of      string `json:"of"`    // "range" or "list"
}

// TuningTrial is a combination of settings that the search tried.
type TuningTrial struct {
	Phase     string     `json:"phase"`
	Share     float64    `json:"share"`  // fraction of the day that was simulated
	Values    []string   `json:"values"` // by setting
	Runs      int        `json:"runs"`
	Figures   []Estimate `json:"-"` // by metric
	columns              // Figures in the JSON form
	Beyond    []string   `json:"beyond_guard,omitempty"` // guarded metrics in which the trial is worse than the guard allows
	Violation Optional   `json:"violation"`              // sum of the excess over each bound and guard, as a fraction of that limit; 0 if all are met
	Refused   string     `json:"refused,omitempty"`      // why the settings are invalid together; if not empty, there are no runs
}

// Figures estimates the metrics from runs, in the order of Metrics. The first call determines Metrics
// and Units.
func (t *Tuning) Figures(runs []*outcome.Summary) []Estimate {
	_, known := metricsOf(runs)
	if t.Metrics == nil {
		t.Measures = measuresOf(words.Each(t.Goals, func(g Goal) string { return g.Name }), slices.Concat(t.Bounds, t.Guard))
		t.findUnits(known)
	}
	return words.Each(t.Metrics, func(name string) Estimate { return estimateOf(known[name], len(runs)) })
}

// Judge sets how far a trial exceeds the bounds and the guard. Both are judged by the means of its
// runs. before has the means of the initial settings over the same part of the day, which relative
// bounds and the guard refer to.
func (t *Tuning) Judge(trial *TuningTrial, before []Estimate) {
	trial.Violation, trial.Beyond = 0, nil
	for i := range t.Bounds {
		at := slices.Index(t.Metrics, t.Bounds[i].Name)
		trial.Violation += Optional(t.Bounds[i].excess(trial.Figures[at].Mean, before[at].Mean))
	}
	for i := range t.Guard {
		at := slices.Index(t.Metrics, t.Guard[i].Name)
		if !before[at].Comparable() {
			continue // there is nothing to compare with
		}
		excess := 1.0 // as excess returns for a metric that was not measured
		if trial.Figures[at].Comparable() {
			excess = t.Guard[i].excess(trial.Figures[at].Mean, before[at].Mean)
		}
		if excess > 0 {
			trial.Violation += Optional(excess)
			trial.Beyond = append(trial.Beyond, t.Guard[i].Name)
		}
	}
}

// Holds returns whether a trial over the whole day meets a bound or the guard, by the means of its
// runs.
func (t *Tuning) Holds(l *Limit, trial int) LimitVerdict {
	if l.excess(t.Estimate(l.Name, trial).Mean, t.Estimate(l.Name, 0).Mean) > 0 {
		return LimitBroken
	}
	return LimitHeld
}

// BeyondGuard implements [Choices].
func (t *Tuning) BeyondGuard(trial int) []string { return t.Trials[trial].Beyond }

// Estimate implements [Choices].
func (t *Tuning) Estimate(name string, trial int) *Estimate {
	return &t.Trials[trial].Figures[slices.Index(t.Metrics, name)]
}

// NotComparable lists the goals that not every run of a trial has.
func (t *Tuning) NotComparable(trial int) []string {
	list := []string{}
	for k, goal := range t.Goals {
		if of := &t.Trials[trial]; of.Refused == "" && !of.Figures[k].Comparable() {
			list = append(list, goal.Name)
		}
	}
	return list
}

// WholeTrials returns the trials that simulated the whole day and can be compared in all goals. It
// omits trial 0, the initial settings.
func WholeTrials(t *Tuning) []int {
	var list []int
	for i := range t.Trials {
		trial := &t.Trials[i]
		if i > 0 && trial.Share == 1 && trial.Refused == "" && len(t.NotComparable(i)) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// Validate compares the best trial with the initial settings in runs that the search did not use,
// and checks the constraints and the guard there as a gate does.
func (t *Tuning) Validate(before, best *Sample, settings []SettingPair) {
	t.Holdout = Compare(before, best, settings)
	_, known := metricsOf(best.Runs)
	limits := slices.DeleteFunc(slices.Concat(t.Bounds, t.Guard), func(l Limit) bool { return known[l.Name] == nil })
	t.Checked = CheckGate(best, before, limits).Limits
	t.Worse = nil
	for _, d := range Headlines(t.Holdout) {
		if d.Verdict == VerdictWorse && !slices.ContainsFunc(t.Goals, func(g Goal) bool { return g.Name == d.Name }) {
			t.Worse = append(t.Worse, d.Name)
		}
	}
}

// Confirmed reports whether the holdout shows that the best trial is better in a goal than the
// initial settings.
func (g Goal) Confirmed(d *Difference) bool {
	return d.Verdict.Shown() && (d.Difference > 0) == g.Maximise
}

// excess returns how far x is beyond the limit, as a fraction of the limit. It returns 0 if x is
// within the limit, or if the limit is relative to a baseline and before, the value there, is NaN.
// If x is NaN, the metric describes no player and breaks the limit, as in a gate: excess returns 1,
// or 0 if a star matched the metric or the metric has no better direction.
func (l *Limit) excess(x, before float64) float64 {
	bound, sign := float64(l.Bound), 1.0
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
		bound = before + float64(sign*bound*math.Abs(before))
	case l.Kind.NeedsBaseline():
		bound = before + float64(sign*bound)
	}
	beyond := sign * (x - bound)
	if beyond <= 1e-9*math.Abs(bound) {
		return 0
	}
	return beyond / max(math.Abs(bound), 1e-9)
}

// WriteCSV writes a row for every trial: its settings, the means of its metrics with the number of
// runs that have them, how far it exceeds the bounds and the guard, whether it is on the front, and
// why it cannot be the best, in the words of marks.
func (t *Tuning) WriteCSV(w io.Writer, marks func(all Choices, choice int) []string) error {
	head := append([]string{"trial", "phase", "share", "runs"}, t.Settings...)
	for _, name := range t.Metrics {
		head = append(head, name, name+".runs")
	}
	rows := [][]string{append(head, "violation", "front", "refused", "marks")}
	for i := range t.Trials {
		trial := &t.Trials[i]
		row := append([]string{strconv.Itoa(i), trial.Phase, strconv.FormatFloat(trial.Share, 'f', -1, 64), strconv.Itoa(trial.Runs)}, trial.Values...)
		for k := range t.Metrics {
			if trial.Refused != "" {
				row = append(row, "", "")
				continue
			}
			row = append(row, cell(trial.Figures[k].Mean), strconv.Itoa(trial.Figures[k].Runs))
		}
		violation, front := "", ""
		if trial.Refused == "" {
			violation = cell(float64(trial.Violation))
		}
		if slices.Contains(t.Front, i) {
			front = "yes"
		}
		rows = append(rows, append(row, violation, front, trial.Refused, strings.Join(marks(t, i), "; ")))
	}
	return words.WriteTable(w, rows)
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
	Schema   int                     `json:"schema"`
	Complete bool                    `json:"complete"`
	Command  string                  `json:"command,omitempty"`
	Budget   string                  `json:"budget,omitempty"`
	Samples  []Origin                `json:"samples,omitempty"`
	Warnings []string                `json:"warnings,omitempty"`
	Trials   int                     `json:"trials"`
	Best     int                     `json:"best"`               // 0 if no trial meets the bounds
	Settings outcome.Object[setting] `json:"settings,omitempty"` // of the best trial
	Front    []int                   `json:"front,omitempty"`
	Refused  int                     `json:"refused"`          // number of trials whose settings are invalid together
	AtEnd    []RangeEnd              `json:"at_end,omitempty"` // settings whose best value is at the end of their range or list
	Choices  []choiceDocument        `json:"choices,omitempty"`
	Holdout  *holdoutDocument        `json:"holdout,omitempty"`
	Search   Search                  `json:"search"`
}

// columns has a trial's estimates, by metric. Only documents have it.
type columns struct {
	Means    []Optional `json:"means"`          // null if the metric describes no player
	Low      []Optional `json:"low,omitempty"`  // Low to High: 95 % intervals; null if any run lacks the metric, absent for a single run
	High     []Optional `json:"high,omitempty"` //
	Measured []int      `json:"measured"`       // runs that have it
}

// choiceDocument is one of the trials that Shown returns.
type choiceDocument struct {
	Trial     int                            `json:"trial"` // 0 for the initial settings
	Settings  outcome.Object[setting]        `json:"settings"`
	Metrics   outcome.Object[figureDocument] `json:"metrics"`   // in the order of Measures.Metrics
	Violation Optional                       `json:"violation"` // see TuningTrial.Violation
}

// setting is a key of the configuration with its value.
type setting struct{ key, value string }

// Member implements the [outcome.Member] interface.
func (s *setting) Member() (*string, any) { return &s.key, &s.value }

type figureDocument struct {
	Name string   `json:"-"`
	Unit string   `json:"unit,omitempty"` // shares are fractions of 1
	Mean Optional `json:"mean"`           // null if the metric describes no player
	Runs int      `json:"runs"`           // that have the metric
}

// holdoutDocument compares the best trial (B) with the initial settings (A) in runs that the
// search did not use.
type holdoutDocument struct {
	Runs       int         `json:"runs"`
	Pairs      int         `json:"pairs"`
	Confidence float64     `json:"confidence"`
	Metrics    Differences `json:"metrics"`

	Joins  outcome.Joins `json:"joins,omitempty"` // see Comparison.Joins
	Limits []LimitResult `json:"constraints"`     // constraints, then the guard
	Worse  []string      `json:"worse"`           // metrics that got worse and are no goals
}

// Write writes the tuning as JSON.
func (t *Tuning) Write(w io.Writer) error {
	d := tuningDocument{
		Schema: TuningSchema, Complete: t.Complete, Command: t.Command, Budget: t.Budget, Samples: t.Samples, Warnings: t.Warnings,
		Trials: len(t.Trials), Best: t.Best, Front: t.Front, Refused: t.Refused(), AtEnd: t.AtEnd, Search: t.written(),
	}
	if t.Best > 0 {
		d.Settings = settingsOf(t.Settings, t.Trials[t.Best].Values)
	}
	for _, i := range t.Shown() {
		trial := &t.Trials[i]
		c := choiceDocument{Trial: i, Settings: settingsOf(t.Settings, trial.Values), Violation: trial.Violation}
		for k, name := range t.Metrics {
			c.Metrics = append(c.Metrics, figureDocument{name, t.Units[k].Sign(), Optional(trial.Figures[k].Mean), trial.Figures[k].Runs})
		}
		d.Choices = append(d.Choices, c)
	}
	if t.Holdout != nil {
		d.Holdout = &holdoutDocument{
			t.Holdout.RunsB, t.Holdout.Pairs, t.Holdout.Confidence, t.holdoutMetrics(slices.Concat(t.Metrics, t.Worse)),
			t.Holdout.Joins, append([]LimitResult{}, t.Checked...), append([]string{}, t.Worse...),
		}
	}
	return outcome.WriteJSON(w, d)
}

// written returns the search with its lists as documents have them: empty ones instead of none, and columns.
func (s Search) written() Search {
	s.Goals, s.Bounds, s.Guard = append([]Goal{}, s.Goals...), append([]Limit{}, s.Bounds...), append([]Limit{}, s.Guard...)
	s.Trials = append([]TuningTrial{}, s.Trials...)
	for i := range s.Trials {
		trial := &s.Trials[i]
		trial.columns = columns{Means: []Optional{}, Measured: []int{}}
		for _, e := range trial.Figures {
			trial.Means, trial.Measured = append(trial.Means, Optional(e.Mean)), append(trial.Measured, e.Runs)
			if trial.Runs > 1 {
				trial.Low, trial.High = append(trial.Low, Optional(e.Low)), append(trial.High, Optional(e.High))
			}
		}
	}
	return s
}

// settingsOf returns the settings of a choice, sorted by key.
func settingsOf(keys, values []string) outcome.Object[setting] {
	var list outcome.Object[setting]
	for i, key := range keys {
		list = append(list, setting{key, values[i]})
	}
	slices.SortFunc(list, func(a, b setting) int { return cmp.Compare(a.key, b.key) })
	return list
}

// HoldoutMetrics returns the holdout's differences in the metrics of the search.
func (t *Tuning) HoldoutMetrics() Differences { return t.holdoutMetrics(t.Metrics) }

// HoldoutWorse returns the holdout's differences in the metrics that got worse and are no goals.
func (t *Tuning) HoldoutWorse() Differences { return t.holdoutMetrics(t.Worse) }

func (t *Tuning) holdoutMetrics(names []string) Differences {
	var list Differences
	for i, name := range names {
		for _, d := range t.Holdout.Metrics {
			if d.Name == name && !slices.Contains(names[:i], name) {
				list = append(list, d)
			}
		}
	}
	return list
}
