package judge

import (
	"io"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/guard"
	"mmsim/reports/outcome"
)

// A Sweep has the results of simulating every combination of the values of its settings.
type Sweep struct {
	Settings []string // keys of the configuration
	Metrics  []string // names of metrics; SweepHeadline if empty
	Points   []SweepPoint
}

// SweepPoint is one combination of values, with its runs. Runs with the same number use the same
// random numbers at all points.
type SweepPoint struct {
	Values []string // by setting
	Runs   []*outcome.Summary
}

// SweepHeadline lists the metrics of a sweep that does not name any.
var SweepHeadline = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", "rtt_ms.p95", "players.failed", "ccu.peak"}

// Estimate is the mean of a metric over runs, with its 95 % interval (Student's t).
type Estimate struct{ Mean, Low, High float64 }

// SweepTable has every metric of a sweep at every point.
type SweepTable struct {
	Metrics   []string
	Units     []outcome.Unit
	Estimates [][]Estimate // by metric and point

	runs      [][][]float64   // by metric, point and run; the list of runs is nil if none has the metric
	quantiles map[int]float64 // of Student's t, by degrees of freedom
}

// Table estimates the mean of every metric at every point of the sweep.
func (s *Sweep) Table() *SweepTable {
	t := &SweepTable{Metrics: s.Metrics}
	if len(t.Metrics) == 0 {
		t.Metrics = SweepHeadline
	}
	t.Units, t.Estimates, t.runs = make([]outcome.Unit, len(t.Metrics)), make([][]Estimate, len(t.Metrics)), make([][][]float64, len(t.Metrics))
	for _, point := range s.Points {
		_, known := metricsOf(point.Runs)
		for i, name := range t.Metrics {
			e, runs := Estimate{math.NaN(), math.NaN(), math.NaN()}, []float64(nil)
			if f := known[name]; f != nil {
				t.Units[i] = f.Unit
				mean := single(f.moments, f.precision, level)
				e, runs = Estimate{mean.difference, mean.low, mean.high}, f.runs
			}
			t.Estimates[i], t.runs[i] = append(t.Estimates[i], e), append(t.runs[i], runs)
		}
	}
	return t
}

// WriteCSV writes a row for every point: its values, the number of runs, and the mean and 95 %
// interval of every metric. The mean is empty if the metric describes no player. The interval is
// empty if fewer than two runs have the metric.
func (s *Sweep) WriteCSV(w io.Writer) error {
	t := s.Table()
	out := guard.NewTable(w)
	head := append(slices.Clone(s.Settings), "runs")
	for _, name := range t.Metrics {
		head = append(head, name, name+".low", name+".high")
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i, point := range s.Points {
		row := append(slices.Clone(point.Values), strconv.Itoa(len(point.Runs)))
		for m := range t.Metrics {
			e := t.Estimates[m][i]
			for _, x := range []float64{e.Mean, e.Low, e.High} {
				row = append(row, cell(x))
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// SweepSchema is the version of a Sweep's JSON form.
const SweepSchema = 1

// sweepDocument is the JSON form of a Sweep.
type sweepDocument struct {
	Schema     int             `json:"schema"`
	Settings   []string        `json:"settings"`
	Runs       int             `json:"runs"`       // number of runs at every point
	Confidence float64         `json:"confidence"` // level of the intervals
	Points     []pointDocument `json:"points"`
}

type pointDocument struct {
	Values  map[string]string                `json:"values"` // by setting
	Metrics outcome.Object[estimateDocument] `json:"metrics"`
}

type estimateDocument struct {
	Name string   `json:"-"`
	Unit string   `json:"unit,omitempty"` // shares are fractions of 1
	Mean Optional `json:"mean"`           // null if the metric describes no player
	Low  Optional `json:"low"`            // Low and High are null if fewer than two runs have the metric
	High Optional `json:"high"`
}

// Member implements the [outcome.Member] interface.
func (e *estimateDocument) Member() (*string, any) { return &e.Name, e }

// Write writes the table of the sweep as JSON.
func (s *Sweep) Write(w io.Writer) error {
	t := s.Table()
	document := sweepDocument{Schema: SweepSchema, Settings: s.Settings, Confidence: confidence}
	for i, point := range s.Points {
		p := pointDocument{Values: map[string]string{}}
		for k, setting := range s.Settings {
			p.Values[setting] = point.Values[k]
		}
		for m, name := range t.Metrics {
			e := t.Estimates[m][i]
			p.Metrics = append(p.Metrics, estimateDocument{name, t.Units[m].Sign(), Optional(e.Mean), Optional(e.Low), Optional(e.High)})
		}
		document.Runs, document.Points = len(point.Runs), append(document.Points, p)
	}
	return outcome.WriteJSON(w, document)
}

// cell formats a number with 6 digits for a CSV file. It returns "" for NaN.
func cell(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(float64(outcome.RoundValue(x)), 'f', -1, 64)
}
