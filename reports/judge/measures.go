package judge

import (
	"slices"

	"mmsim/reports/outcome"
)

// Measures are the metrics in which a sweep or a tuning compares choices of settings.
type Measures struct {
	Metrics []string       `json:"metrics"` // goals, then bounded and guarded metrics, and Unmatched
	Units   []outcome.Unit `json:"-"`       // by metric
}

// Choices are the points of a sweep or the trials of a tuning, by number.
type Choices interface {
	BeyondGuard(choice int) []string   // guarded metrics in which it is worse than the guard allows
	NotComparable(choice int) []string // metrics that some runs lack, so that it cannot be the best
	Estimate(name string, choice int) *Estimate
}

// measuresOf lists goals and the metrics of limits, each metric of a limit once.
func measuresOf(goals []string, limits []Limit) Measures {
	list := slices.Clone(goals)
	for _, l := range slices.Concat(limits, []Limit{{Name: Unmatched}}) {
		if !slices.Contains(list, l.Name) {
			list = append(list, l.Name)
		}
	}
	return Measures{list, make([]outcome.Unit, len(list))}
}

// findUnits sets the units of the metrics that are known.
func (m *Measures) findUnits(known map[string]*metricSample) {
	for i, name := range m.Metrics {
		if f := known[name]; f != nil {
			m.Units[i] = f.Unit
		}
	}
}
