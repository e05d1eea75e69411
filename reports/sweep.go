package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// A Sweep is what became of every combination of values of some settings.
type Sweep struct {
	Settings []string // keys of the configuration
	Metrics  []string // names of numbers; none: those of the headline
	Points   []SweepPoint
}

// SweepPoint is one combination of values and its replications, which share their
// draws with those of the same number at all other points.
type SweepPoint struct {
	Values []string // by setting
	Runs   []*Summary
}

// sweepHeadline are the metrics of a sweep that names none.
var sweepHeadline = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", "rtt_ms.p95", "players.failed", "ccu.peak"}

// estimate is a mean over replications with its 95 % interval (Student's t).
type estimate struct{ mean, low, high float64 }

// sweepTable is a sweep in numbers: what every metric is at every point.
type sweepTable struct {
	metrics   []string
	units     []Unit
	estimates [][]estimate // by metric and point
}

// table estimates the metrics of all points.
func (s *Sweep) table() *sweepTable {
	t := &sweepTable{metrics: s.Metrics}
	if len(t.metrics) == 0 {
		t.metrics = sweepHeadline
	}
	t.units, t.estimates = make([]Unit, len(t.metrics)), make([][]estimate, len(t.metrics))
	for _, point := range s.Points {
		_, known := figures(point.Runs)
		for i, name := range t.metrics {
			e := estimate{math.NaN(), math.NaN(), math.NaN()}
			if f := known[name]; f != nil {
				t.units[i] = f.unit
				mean := paired(f.runs, level)
				e = estimate{mean.difference, mean.low, mean.high}
			}
			t.estimates[i] = append(t.estimates[i], e)
		}
	}
	return t
}

// WriteCSV writes a row for every point: its values, the replications, and mean and 95 %
// interval of every metric; empty where a metric describes nobody, or without a second
// replication.
func (s *Sweep) WriteCSV(w io.Writer) error {
	t := s.table()
	out := newGuardedTable(w)
	head := append(slices.Clone(s.Settings), "runs")
	for _, name := range t.metrics {
		head = append(head, name, name+".low", name+".high")
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i, point := range s.Points {
		row := append(slices.Clone(point.Values), strconv.Itoa(len(point.Runs)))
		for m := range t.metrics {
			e := t.estimates[m][i]
			for _, x := range []float64{e.mean, e.low, e.high} {
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

// cell writes a number for machines, with 6 digits; nothing where there is none.
func cell(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(float64(value(x)), 'f', -1, 64)
}

// Text returns the sweep as a table, means with the half of their 95 % interval.
func (s *Sweep) Text() string {
	t := s.table()
	table := &textTable{head: append(slices.Clone(s.Settings), t.metrics...)}
	for i := range s.Settings {
		table.left = append(table.left, i)
	}
	for i, point := range s.Points {
		row := slices.Clone(point.Values)
		for m := range t.metrics {
			row = append(row, t.estimates[m][i].text(t.units[m]))
		}
		table.rows = append(table.rows, row)
	}
	runs := len(s.Points[0].Runs)
	return fmt.Sprintf("%s\nMeans of %s each%s.\n", table.text(nil), plural(runs, "run"), s.ifSeveral(", with 95 % intervals"))
}

// text writes an estimate with as many decimals as it is sure of.
func (e estimate) text(u Unit) string {
	margin := (e.high - e.low) / 2
	if !(margin > 0) {
		return u.quantity(e.mean, u.decimals(math.Abs(e.mean)/100), false)
	}
	decimals := u.decimals(margin)
	return u.number(e.mean, decimals, false) + " ± " + u.quantity(margin, decimals, false)
}
