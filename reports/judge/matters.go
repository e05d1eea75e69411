package judge

import (
	"math"

	"mmsim/reports/outcome"
)

// MattersList has the differences that matter to a user (report.matters), in place of those that
// the metrics declare.
type MattersList []MattersFor

// MattersFor is the smallest difference that matters in all metrics that match a pattern.
type MattersFor struct {
	Pattern string // name of a metric, in which a star matches any text
	outcome.Matters
}

// of returns the smallest difference that matters in a metric. Of several patterns that match, the
// longest wins, because it says most about the metric.
func (l MattersList) of(m outcome.Metric) outcome.Matters {
	longest, matters := -1, m.Matters
	for _, entry := range l {
		if len(entry.Pattern) >= longest && outcome.MatchesPattern(entry.Pattern, m.Name) {
			longest, matters = len(entry.Pattern), entry.Matters
		}
	}
	return matters
}

// least returns the smallest absolute difference from the sample that matters.
func (l MattersList) least(from *metricSample, valueOf func(name string) float64) float64 {
	before := from.moments.Mean
	if math.IsNaN(before) {
		before = 0
	}
	return l.of(from.Metric).Least(before, valueOf)
}

// meanOf returns the mean of a metric, or NaN if the sample does not have it.
func meanOf(f *metricSample) float64 {
	if f == nil {
		return math.NaN()
	}
	return f.moments.Mean
}
