package judge

import (
	"io"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/guard"
	"mmsim/reports/outcome"
)

// A Sweep holds the results of every combination of values of some settings.
type Sweep struct {
	Settings []string // keys of the configuration
	Metrics  []string // names of metrics; none: those of the headline
	Points   []SweepPoint
}

// SweepPoint is one combination of values with its replications. Replications with the same
// number use the same random numbers at all points.
type SweepPoint struct {
	Values []string // by setting
	Runs   []*outcome.Summary
}

// SweepHeadline lists the metrics of a sweep that names none.
var SweepHeadline = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", "rtt_ms.p95", "players.failed", "ccu.peak"}

// Estimate is a mean over replications with its 95 % interval (Student's t).
type Estimate struct{ Mean, Low, High float64 }

// SweepTable holds every metric of a sweep at every point.
type SweepTable struct {
	Metrics   []string
	Units     []outcome.Unit
	Estimates [][]Estimate // by metric and point

	runs      [][][]float64   // by metric, point and run; nil: no run has the metric
	quantiles map[int]float64 // of Student's t, by degrees of freedom
}

// Table estimates the metrics of all points.
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
				mean := paired(f.runs, level)
				e, runs = Estimate{mean.difference, mean.low, mean.high}, f.runs
			}
			t.Estimates[i], t.runs[i] = append(t.Estimates[i], e), append(t.runs[i], runs)
		}
	}
	return t
}

// WriteCSV writes a row for every point: its values, the number of replications, and the mean
// and 95 % interval of every metric. Means are empty if the metric describes no player, and
// intervals also if there is only one replication.
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

// SweepSchema is the version of the JSON form of a Sweep.
const SweepSchema = 1

// sweepDocument is the JSON form of a sweep.
type sweepDocument struct {
	Schema     int             `json:"schema"`
	Settings   []string        `json:"settings"`
	Runs       int             `json:"runs"`       // replications of every point
	Confidence float64         `json:"confidence"` // of the intervals
	Points     []pointDocument `json:"points"`
}

type pointDocument struct {
	Values  map[string]string                `json:"values"` // by setting
	Metrics outcome.Object[estimateDocument] `json:"metrics"`
}

type estimateDocument struct {
	Name string   `json:"-"`
	Unit string   `json:"unit,omitempty"` // shares are fractions of 1
	Mean Optional `json:"mean"`           // null: no player to describe
	Low  Optional `json:"low"`            // null: fewer than two runs have the metric
	High Optional `json:"high"`
}

// Member implements the interface of items of an [outcome.Object].
func (e *estimateDocument) Member() (*string, any) { return &e.Name, e }

// Write writes the sweep as JSON: the values of the table with all digits.
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

// cell formats a number for machines, with 6 digits; "" for NaN.
func cell(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(float64(outcome.RoundValue(x)), 'f', -1, 64)
}
