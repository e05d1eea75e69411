package judge

import (
	"math"
	"slices"

	"mmsim/reports/outcome"
)

// metricSample has one metric of a sample.
type metricSample struct {
	outcome.Metric
	runs    []float64 // value of each run, or NaN if the metric describes no player there; empty for an aggregate
	moments moments   // over the runs that have the metric
}

// moments summarises the values of a metric over runs. An aggregate has moments even though the
// values of its runs are unknown.
type moments struct {
	n        int
	mean, sd float64 // sd is 0 for a single value
}

// metricsOf collects the metrics of runs. names lists them in the order in which they first
// appear. If runs is a single aggregate, the moments of each metric come from its replications.
func metricsOf(runs []*outcome.Summary) (names []string, byName map[string]*metricSample) {
	byName = map[string]*metricSample{}
	for i, run := range runs {
		for _, v := range run.MetricValues() {
			f := byName[v.Name]
			if f == nil {
				f = &metricSample{Metric: v.Metric, runs: slices.Repeat([]float64{math.NaN()}, len(runs))}
				if f.Whole != "" {
					clear(f.runs)
				}
				byName[v.Name] = f
				names = append(names, v.Name)
			}
			f.runs[i] = v.Value
		}
	}
	for _, f := range byName {
		f.moments = momentsOf(f.runs)
	}
	if len(runs) == 1 && runs[0].Replications != nil {
		for _, f := range byName {
			f.runs, f.moments = nil, moments{mean: math.NaN()}
		}
		for _, m := range runs[0].Replications.Metrics {
			if f := byName[m.Name]; f != nil {
				f.moments = moments{m.Runs, float64(m.Mean), float64(m.SD)}
			}
		}
	}
	return names, byName
}

// fillParts adds to own, the metrics of the sample, the parts that only the other sample has. They
// get the value 0. It omits a part if the sample does not have the whole to which the part belongs.
func (s *Sample) fillParts(own, others map[string]*metricSample) {
	has := blocksOf(own)
	for name, other := range others {
		if own[name] != nil || other.Whole == "" || !has[other.Whole] {
			continue
		}
		f := &metricSample{Metric: other.Metric, moments: moments{n: s.Replications()}}
		if !s.isAggregate() {
			f.runs = make([]float64, len(s.Runs))
		}
		own[name] = f
	}
}

// blocksOf returns the names of the blocks and groups that contain metrics. The whole is the block
// "".
func blocksOf(metrics map[string]*metricSample) map[string]bool {
	has := map[string]bool{"": true}
	for name := range metrics {
		for i, c := range name {
			if c == '.' {
				has[name[:i]] = true
			}
		}
	}
	return has
}
