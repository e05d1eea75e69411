package judge

import (
	"math"
	"slices"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
)

// Range says how much a metric differs between single runs. All of it but the mean is NaN for fewer than
// two runs that have the metric.
type Range struct {
	outcome.Metric
	Mean      float64
	Low, High float64 // a further run is between them with a chance of 95 %, if runs are normal
	Noise     float64 // how far one run is from the mean of the others, at most, in 95 % of the runs
}

// Ranges returns the range of every metric that a run of the sample has, by name.
func (s *Sample) Ranges() map[string]Range {
	_, metrics := metricsOf(s.Runs)
	ranges := make(map[string]Range, len(metrics))
	for name, f := range metrics {
		ranges[name] = f.rangeOfRun()
	}
	return ranges
}

// rangeOfRun returns the range of the metric.
func (f *metricSample) rangeOfRun() Range {
	m, nothing := f.moments, math.NaN()
	r := Range{Metric: f.Metric, Mean: m.Mean, Low: nothing, High: nothing, Noise: nothing}
	if m.N < 2 {
		return r
	}
	n := float64(m.N)
	sd := max(m.SD, f.precision.Step/math.Sqrt(12)) // see estimate.Precision.Variance
	margin := estimate.Quantile(n-1, estimate.Level) * sd * math.Sqrt(1+1/n)
	r.Low, r.High = f.within(m.Mean-margin), f.within(m.Mean+margin)
	var apart []float64
	for _, x := range slices.DeleteFunc(slices.Clone(f.runs), math.IsNaN) {
		apart = append(apart, math.Abs(x-m.Mean)*n/(n-1)) // x - (n·mean - x)/(n - 1)
	}
	r.Noise = percentile95(apart)
	return r
}

// Outside reports whether a value is outside the range.
func (r *Range) Outside(x float64) bool {
	slack := tolerance(x)
	return x < r.Low-slack || x > r.High+slack
}

// Graver reports whether a verdict is graver than another.
func Graver(v, than LimitVerdict) bool {
	return slices.Index(LimitVerdicts, v) < slices.Index(LimitVerdicts, than)
}
