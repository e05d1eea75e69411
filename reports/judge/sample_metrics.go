package judge

import (
	"math"
	"slices"
	"strings"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
)

// metricSample has one metric of a sample.
type metricSample struct {
	outcome.Metric
	runs       []float64        // value of each run, or NaN if the metric describes no player there; empty for an aggregate
	moments    estimate.Moments // over the runs that have the metric
	precision  estimate.Precision
	production bool // see Sample.isProduction
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
		f.moments = estimate.MomentsOf(f.runs)
	}
	if len(runs) == 1 && runs[0].Replications != nil {
		for _, f := range byName {
			f.runs, f.moments = nil, estimate.Moments{Of: runs[0].Replications.Runs, Mean: math.NaN()}
		}
		for _, m := range runs[0].Replications.Metrics {
			if f := byName[m.Name]; f != nil {
				f.moments = estimate.Moments{N: m.Runs, Of: runs[0].Replications.Runs, Mean: float64(m.Mean), SD: float64(m.SD)}
			}
		}
	}
	for _, f := range byName { // there is a first run, because it has the metric
		f.precision = estimate.Precision{Step: f.resolution(byName, float64(runs[0].Run.Tick)), Resampled: runs[0].Run.Resample}
		f.production = runs[0].Run.Production
	}
	return names, byName
}

// resolution returns the smallest amount by which a value of the metric can change. all are the
// metrics of the sample, and tick is the time between two passes, in s.
func (f *metricSample) resolution(all map[string]*metricSample, tick float64) float64 {
	step := f.Step.Amount
	switch {
	case f.Step.Ticks && tick > 0 && f.inTicks(tick):
		step = tick
	case f.Unit == outcome.UnitShare: // one player more or less
		if base := baseOf(f.Base, all); base > 0 {
			step = max(step, 1/base)
		}
	case step == 0 && !math.IsNaN(f.moments.Mean): // 6 significant digits
		step = math.Abs(f.moments.Mean) * 1e-5
	}
	return step
}

// within returns x, or the nearest possible value of the metric: times and counts are not negative,
// and shares are at most 1. The ends of the interval of a few runs can be impossible values.
func (f *metricSample) within(x float64) float64 {
	if math.IsNaN(x) || f.Step.Amount == 0 { // of a number with an unknown unit, every value is possible
		return x
	}
	if f.Unit == outcome.UnitShare {
		x = min(x, max(1, f.moments.Mean))
	}
	return max(x, min(0, f.moments.Mean))
}

// inTicks reports whether the metric is a whole number of ticks in every run. Waits of players who
// return after a match are. First searches begin between two ticks, so that their percentiles
// rarely are.
func (f *metricSample) inTicks(tick float64) bool {
	values := f.runs
	if len(values) == 0 { // of an aggregate, only the mean is known
		values = []float64{f.moments.Mean}
	}
	for _, x := range values {
		if ticks := x / tick; !math.IsNaN(x) && math.Abs(ticks-math.Round(ticks)) > 1e-6 {
			return false
		}
	}
	return true
}

// baseOf returns the mean number of players that a base counts. base is a name, or a difference of
// two names.
func baseOf(base string, all map[string]*metricSample) float64 {
	first, second, _ := strings.Cut(base, " - ")
	n := 0.0
	if f := all[first]; f != nil {
		n = f.moments.Mean
	}
	if f := all[second]; f != nil {
		n -= f.moments.Mean
	}
	return n
}

// fillParts adds to own, the metrics of the sample, the parts that only the other sample has. They
// get the value 0. It omits a part if the sample does not have the whole to which the part belongs.
func (s *Sample) fillParts(own, others map[string]*metricSample) {
	has := blocksOf(own)
	for name, other := range others {
		if own[name] != nil || other.Whole == "" || !has[other.Whole] {
			continue
		}
		f := &metricSample{Metric: other.Metric, moments: estimate.Moments{N: s.Replications(), Of: s.Replications()}, precision: other.precision, production: s.isProduction()}
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
