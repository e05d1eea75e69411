package judge

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A Sweep has the results of simulating every combination of the values of its settings.
type Sweep struct {
	Settings []string    // keys of the configuration
	Metrics  []string    // names of metrics; SweepHeadline if empty
	Guard    []Limit     // how much worse than the best point a point may be and still be good; each limits a change
	Matters  MattersList // report.matters of the configuration
	Points   []SweepPoint
	Dropped  []string // values that are not simulated, with the reason

	table *SweepTable // nil until it is asked for
}

// SweepPoint is one combination of values, with its runs. Runs with the same number use the same
// random numbers at all points.
type SweepPoint struct {
	Values []string // by setting; the name of Set instead of its datacenters
	Runs   []*outcome.Summary
	Set    *SiteSet // value of the setting UseKey if mmsim chose its values, otherwise nil
}

// SweepHeadline lists the metrics of a sweep that does not name any.
var SweepHeadline = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", "rtt_ms.p95", "players.failed", "ccu.peak"}

// Estimate is the mean of a metric over the runs that have it, with its 95 % interval (Student's
// t). There is no interval if any run lacks the metric, or if there is only one run.
type Estimate struct {
	Mean, Low, High float64
	Runs, Of        int // runs that have the metric, and all runs
}

// Comparable reports whether every run has the metric. The runs that lack it do so for a reason:
// a wait of the few runs in which anybody found a match is no wait of that combination.
func (e *Estimate) Comparable() bool { return e.Runs > 0 && e.Runs == e.Of }

// estimateOf returns the mean of a metric over the given number of runs. f is nil if none has the
// metric.
func estimateOf(f *metricSample, runs int) Estimate {
	if f == nil {
		return Estimate{math.NaN(), math.NaN(), math.NaN(), 0, runs}
	}
	mean := estimate.Single(f.moments, f.precision, estimate.Level)
	return Estimate{mean.Difference, mean.Low, mean.High, mean.N, runs}
}

// SweepTable has every metric of a sweep at every point.
type SweepTable struct {
	Measures
	Estimates [][]Estimate // by metric and point
	Beyond    [][]string   // by point: the guarded metrics in which it is worse than the guard allows

	goals     int               // number of the sweep's own metrics; only these have a best point or a front
	guarded   []int             // metrics that a point must have to be the best
	samples   [][]*metricSample // by metric and point; nil if no run has the metric
	least     [][]float64       // by metric and point: the smallest difference from the point that matters
	pairs     []pair            // of the runs of any two points
	quantiles map[int]float64   // of Student's t, by degrees of freedom
}

// Table estimates the mean of every metric at every point of the sweep. It does so once, because it
// takes 1.5 ms for each run; the sweep must not change afterwards.
func (s *Sweep) Table() *SweepTable {
	if s.table == nil {
		s.table = s.newTable()
	}
	return s.table
}

func (s *Sweep) newTable() *SweepTable {
	goals := s.Metrics
	if len(goals) == 0 {
		goals = SweepHeadline
	}
	t := &SweepTable{Measures: measuresOf(goals, s.Guard), Beyond: make([][]string, len(s.Points)), goals: len(goals)}
	n := len(t.Metrics)
	t.Estimates, t.samples, t.least = make([][]Estimate, n), make([][]*metricSample, n), make([][]float64, n)
	for run := range s.Points[0].Runs {
		t.pairs = append(t.pairs, pair{run, run})
	}
	for _, point := range s.Points {
		_, known := metricsOf(point.Runs)
		t.findUnits(known)
		for i, name := range t.Metrics {
			e, f, least := estimateOf(known[name], len(point.Runs)), known[name], 0.0
			if f != nil {
				least = s.Matters.least(f, func(name string) float64 { return meanOf(known[name]) })
			}
			t.Estimates[i], t.samples[i], t.least[i] = append(t.Estimates[i], e), append(t.samples[i], f), append(t.least[i], least)
		}
	}
	for i := range s.Guard {
		t.guard(&s.Guard[i])
	}
	return t
}

// guard marks the points that are worse than the best point by more than the limit allows. A point
// that already leaves more players without a match cannot be the best: it would set a standard
// for the others that only a chosen few of its players meet.
func (t *SweepTable) guard(l *Limit) {
	metric := slices.Index(t.Metrics, l.Name)
	best := math.NaN()
	for i, e := range t.Estimates[metric] {
		if e.Comparable() && !slices.Contains(t.Beyond[i], Unmatched) && (math.IsNaN(best) || (e.Mean < best) == (l.Kind == LimitMaxIncrease)) {
			best = e.Mean
		}
	}
	if math.IsNaN(best) {
		return // no point has the metric, so none is worse
	}
	t.guarded = append(t.guarded, metric)
	for i, e := range t.Estimates[metric] {
		if !math.IsNaN(e.Mean) && l.excess(e.Mean, best) > 0 {
			t.Beyond[i] = append(t.Beyond[i], l.Name)
		}
	}
}

// Admits reports whether a point may be the best of a metric or on its front: all of its runs have
// the metric and the guarded ones, and it is not worse than the guard allows.
func (t *SweepTable) Admits(metric, point int) bool {
	if len(t.Beyond[point]) > 0 || !t.Estimates[metric][point].Comparable() {
		return false
	}
	return !slices.ContainsFunc(t.guarded, func(m int) bool { return !t.Estimates[m][point].Comparable() })
}

// Admitted lists the points that Admits admits for all of the metrics.
func (t *SweepTable) Admitted(metrics ...int) []int {
	return slices.DeleteFunc(t.EveryPoint(), func(i int) bool {
		return slices.ContainsFunc(metrics, func(m int) bool { return !t.Admits(m, i) })
	})
}

// Measured reports whether a run of any point has the metric.
func (t *SweepTable) Measured(metric int) bool {
	return slices.ContainsFunc(t.Estimates[metric], func(e Estimate) bool { return e.Runs > 0 })
}

// EveryPoint lists the numbers of all points.
func (t *SweepTable) EveryPoint() []int {
	list := make([]int, len(t.Beyond))
	for i := range list {
		list[i] = i
	}
	return list
}

// BeyondGuard implements [Choices].
func (t *SweepTable) BeyondGuard(point int) []string { return t.Beyond[point] }

// Estimate implements [Choices].
func (t *SweepTable) Estimate(name string, point int) *Estimate {
	return &t.Estimates[slices.Index(t.Metrics, name)][point]
}

// NotComparable lists the metrics with a better direction that some runs of a point have, but not
// all, or that no run of it has although runs of other points do.
func (t *SweepTable) NotComparable(point int) []string {
	list := []string{}
	for m, name := range t.Metrics {
		if t.Measured(m) && outcome.BetterOf(name) != outcome.BetterNot && !t.Estimates[m][point].Comparable() {
			list = append(list, name)
		}
	}
	return list
}

// WriteCSV writes a row for every point: its values, the number of runs, the mean and 95 %
// interval of every metric with the number of runs that have it, and why the point cannot be the
// best, in the words of marks. The mean is empty if the metric describes no player.
func (s *Sweep) WriteCSV(w io.Writer, marks func(all Choices, choice int) []string) error {
	return s.writeCSV(w, marks, nil, func(int) []string { return nil })
}

// writeCSV is WriteCSV with further columns at the end.
func (s *Sweep) writeCSV(w io.Writer, marks func(all Choices, choice int) []string, more []string, cellsOf func(point int) []string) error {
	t := s.Table()
	settings, cells := s.valueColumns()
	head := append(slices.Clone(settings), "runs")
	for _, name := range t.Metrics {
		head = append(head, name, name+".low", name+".high", name+".runs")
	}
	rows := [][]string{append(append(head, "marks"), more...)}
	for i, point := range s.Points {
		row := append(slices.Clone(cells(i)), strconv.Itoa(len(point.Runs)))
		for m := range t.Metrics {
			e := t.Estimates[m][i]
			row = append(row, cell(e.Mean), cell(e.Low), cell(e.High), strconv.Itoa(e.Runs))
		}
		rows = append(rows, append(append(row, strings.Join(marks(t, i), "; ")), cellsOf(i)...))
	}
	return words.WriteTable(w, rows)
}

// SweepSchema is the version of a Sweep's JSON form.
const SweepSchema = 1

// sweepDocument is the JSON form of a Sweep.
type sweepDocument struct {
	Schema     int             `json:"schema"`
	Settings   []string        `json:"settings"`
	Guard      []Limit         `json:"guard"`      // how much worse than the best point a good one may be
	Runs       int             `json:"runs"`       // number of runs at every point
	Confidence float64         `json:"confidence"` // level of the intervals
	Points     []pointDocument `json:"points"`
	Dropped    []string        `json:"dropped,omitempty"`
}

type pointDocument struct {
	Values  outcome.Object[setting]          `json:"values"`
	Set     *SiteSet                         `json:"set,omitempty"`
	Metrics outcome.Object[estimateDocument] `json:"metrics"`

	BeyondGuard   []string `json:"beyond_guard"`   // guarded metrics in which the point is worse than the guard allows
	NotComparable []string `json:"not_comparable"` // metrics that not every run has
}

type estimateDocument struct {
	Name string   `json:"-"`
	Unit string   `json:"unit,omitempty"` // shares are fractions of 1
	Mean Optional `json:"mean"`           // null if the metric describes no player
	Low  Optional `json:"low"`            // Low and High are null if there is only one run, or if any run lacks the metric
	High Optional `json:"high"`
	Runs int      `json:"runs"` // that have the metric
}

// Write writes the table of the sweep as JSON.
func (s *Sweep) Write(w io.Writer) error { return outcome.WriteJSON(w, s.document()) }

func (s *Sweep) document() sweepDocument {
	t := s.Table()
	document := sweepDocument{Schema: SweepSchema, Settings: s.Settings, Guard: append([]Limit{}, s.Guard...), Confidence: estimate.Confidence, Dropped: s.Dropped}
	for i, point := range s.Points {
		p := pointDocument{Values: settingsOf(s.Settings, point.Values), Set: point.Set, BeyondGuard: append([]string{}, t.Beyond[i]...), NotComparable: t.NotComparable(i)}
		for m, name := range t.Metrics {
			e := t.Estimates[m][i]
			p.Metrics = append(p.Metrics, estimateDocument{name, t.Units[m].Sign(), Optional(e.Mean), Optional(e.Low), Optional(e.High), e.Runs})
		}
		document.Runs, document.Points = len(point.Runs), append(document.Points, p)
	}
	return document
}

// cell formats a number with 6 digits for a CSV file. It returns "" for NaN.
func cell(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(float64(outcome.RoundValue(x)), 'f', -1, 64)
}
