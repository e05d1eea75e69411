package judge

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// A Sample is the runs of one configuration, or only their aggregate if the runs are not
// available.
type Sample struct {
	Name string
	Runs []*outcome.Summary // by run number; or a single aggregate

	// Distributions has the distributions of each of Runs. It is nil if they are not known, and needed
	// only for limits on distances.
	Distributions [][]result.Distribution

	Matters MattersList // report.matters of the configuration
}

// Replications returns the number of runs. For an aggregate, these are the runs that it averages.
func (s *Sample) Replications() int {
	if s.isAggregate() {
		return s.Runs[0].Replications.Runs
	}
	return len(s.Runs)
}

// Metrics returns the metrics that at least one run of the sample has, in the order in which they
// first appear. Some groups may be in some runs only.
func (s *Sample) Metrics() []outcome.Metric {
	names, metrics := metricsOf(s.Runs)
	return words.Each(names, func(name string) outcome.Metric { return metrics[name].Metric })
}

func (s *Sample) isAggregate() bool { return len(s.Runs) == 1 && s.Runs[0].Replications != nil }

// isProduction reports whether a production log reports the sample. It has one run without random numbers,
// and so without noise: intervals are those of the sample that it is compared with.
func (s *Sample) isProduction() bool { return s.Runs[0].Run.Production }

// withProduction reports whether one of two samples is production and the other is simulated.
func withProduction(a, b *Sample) bool { return a.isProduction() != b.isProduction() }

// A pair has the indices of two runs, one of each sample, that use the same random numbers.
type pair struct{ a, b int }

// pairRuns pairs the runs of two samples that have the same seed and run number, because they use
// the same random numbers. It returns no pairs if the seeds differ or a sample is an aggregate.
func pairRuns(a, b *Sample) (pairs []pair, warnings []string) {
	switch {
	case withProduction(a, b):
		return nil, nil
	case a.isAggregate() || b.isAggregate():
		return nil, []string{"the single runs of an aggregate are not known: they cannot be paired, so intervals are wider than necessary"}
	case a.Runs[0].Run.Seed != b.Runs[0].Run.Seed:
		return nil, []string{fmt.Sprintf("the seeds differ (%d and %d): the runs use different random numbers and cannot be paired, so intervals are wider than necessary",
			a.Runs[0].Run.Seed, b.Runs[0].Run.Seed)}
	}
	for i, run := range a.Runs {
		j := slices.IndexFunc(b.Runs, func(other *outcome.Summary) bool { return other.Run.Run == run.Run.Run })
		if j >= 0 {
			pairs = append(pairs, pair{i, j})
		}
	}
	if alone := len(a.Runs) + len(b.Runs) - 2*len(pairs); alone > 0 {
		warnings = append(warnings, fmt.Sprintf("%s without a partner: no run of the other sample has the same number", words.Plural(alone, "run")))
	}
	return pairs, warnings
}

// differing returns a warning for each of the version of mmsim, the duration, the warm-up period and
// the dataset in which two samples differ. Such differences may explain why metrics differ.
func differing(a, b *Sample, pairs []pair) []string {
	var warnings []string
	say := func(format string, values ...any) { warnings = append(warnings, fmt.Sprintf(format, values...)) }
	first, second := &a.Runs[0].Run, &b.Runs[0].Run
	if first.Version != second.Version && !withProduction(a, b) {
		say("the versions of mmsim differ: %s and %s", first.Version, second.Version)
	}
	if first.Duration != second.Duration {
		say("the durations differ (%s and %s): counts cannot be compared", words.Span(first.Duration), words.Span(second.Duration))
	}
	if withProduction(a, b) {
		return warnings
	}
	if first.Warmup != second.Warmup {
		say("the warm-up periods differ: %s and %s", words.Span(first.Warmup), words.Span(second.Warmup))
	}
	if len(pairs) == 0 && first.Seed == second.Seed && first.Run == second.Run {
		pairs = []pair{{}} // compare the first runs, because an aggregate has the dataset of its first run
	}
	other := func(p pair) bool { return a.Runs[p.a].Run.DatasetSHA256 != b.Runs[p.b].Run.DatasetSHA256 }
	if slices.ContainsFunc(pairs, other) {
		say("the datasets differ, and so do the players")
	}
	return warnings
}

// pairWarnings returns a warning if there are too few runs for a conclusion.
func pairWarnings(pairs []pair, a, b *Sample) []string {
	n, noun, rest := min(a.Replications(), b.Replications()), "run", " of each"
	switch {
	case len(pairs) > 0:
		n, noun, rest = len(pairs), "pair", " of runs"
	case withProduction(a, b):
		n, rest = max(a.Replications(), b.Replications()), " compared with production"
	}
	subject := words.Plural(n, noun) + rest
	switch {
	case n < 2:
		return []string{subject + ": with only one, a difference cannot be distinguished from chance, and there are no intervals (--runs)"}
	case n < 5:
		return []string{subject + ": intervals are wide; use 5 or more (--runs)"}
	}
	return nil
}

// runWarnings returns the warnings of the first run of each sample. A warning that only one of
// the two has begins with the sample's name. The other runs have the same warnings with other
// numbers, so they are omitted.
func runWarnings(a, b *Sample) []string {
	var warnings []string
	first, second := a.Runs[0].Warnings, b.Runs[0].Warnings
	for _, warning := range first {
		if !slices.Contains(second, warning) {
			warning = "A: " + warning
		}
		warnings = append(warnings, warning)
	}
	for _, warning := range second {
		if !slices.Contains(first, warning) {
			warnings = append(warnings, "B: "+warning)
		}
	}
	return warnings
}

// difference estimates b - factor*a for one metric. miss is the chance that the interval does not
// contain the true value.
func difference(a, b *metricSample, pairs []pair, factor, miss float64) estimate.Interval {
	both := precisionOf(a, b)
	if a.production != b.production {
		return besideProduction(a, b, factor, both, miss)
	}
	if len(pairs) == 0 {
		return estimate.Unpaired(a.moments, b.moments, factor, both, miss)
	}
	differences := make([]float64, len(pairs))
	for i, p := range pairs {
		differences[i] = b.runs[p.b] - float64(factor*a.runs[p.a])
	}
	return estimate.Paired(differences, both, miss)
}

// precisionOf returns the precision of differences between two samples.
func precisionOf(a, b *metricSample) estimate.Precision {
	return estimate.Precision{Step: max(a.precision.Step, b.precision.Step), Resampled: a.precision.Resampled || b.precision.Resampled}
}

// besideProduction is difference for two samples of which one is production.
func besideProduction(a, b *metricSample, factor float64, p estimate.Precision, miss float64) estimate.Interval {
	m := b.moments // of the simulated sample
	if b.production {
		m = a.moments
		m.SD *= factor
	}
	if m.Mean = b.moments.Mean - float64(factor*a.moments.Mean); a.moments.N == 0 || b.moments.N == 0 {
		m.N = 0
	}
	return estimate.Single(m, p, miss)
}

// means returns the means of both samples over the pairs in which both runs have the metric, or
// over all runs if there are no pairs.
func means(a, b *metricSample, pairs []pair) (meanA, meanB float64) {
	if len(pairs) == 0 {
		return a.moments.Mean, b.moments.Mean
	}
	n, sumA, sumB := 0.0, 0.0, 0.0
	for _, p := range pairs {
		if x, y := a.runs[p.a], b.runs[p.b]; !math.IsNaN(x) && !math.IsNaN(y) {
			n, sumA, sumB = n+1, sumA+x, sumB+y
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return sumA / n, sumB / n
}
