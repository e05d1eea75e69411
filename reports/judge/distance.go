package judge

import (
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// checkDistance judges a limit on the distance between the distribution of a measure, such as
// wait_first_s, and that of the baseline. of are the metrics of the sample, and before those of the baseline.
func (l *Limit) checkDistance(s, baseline *Sample, of, before map[string]*metricSample) LimitResult {
	own, base := s.Bins(l.Name), baseline.Bins(l.Name)
	r := l.result(result.Distance(result.Pooled(own...), result.Pooled(base...)), outcome.UnitShare)
	if players := DistancePlayers(l.Name); l.skips(&r, of[players], before[players]) {
		return r
	}
	switch {
	case s.Distributions == nil || baseline.Distributions == nil:
		return r.unmeasured("the distributions are not known")
	case len(result.Pooled(own...)) == 0:
		return r.unmeasured("not measured")
	case len(result.Pooled(base...)) == 0:
		return r.unmeasured("not measured in the baseline")
	}
	if noise := NoiseOf(own); !math.IsNaN(noise) {
		r.Noise = (*Optional)(&noise)
	}
	if r.Excess = r.Value - r.Bound; float64(r.Excess) > tolerance(1) {
		r.Verdict = LimitBroken
	}
	return r
}

// DistancePlayers returns the name of the metric that counts the players in a distribution.
func DistancePlayers(distribution string) string { return outcome.PlayersOf(distribution + ".mean") }

// Bins returns the distribution with a name in each run. There is none if it is not known.
func (s *Sample) Bins(name string) [][]result.Bin {
	return words.Each(s.Distributions, func(list []result.Distribution) []result.Bin {
		if i := slices.IndexFunc(list, func(d result.Distribution) bool { return d.Name() == name }); i >= 0 {
			return list[i].Bins
		}
		return nil
	})
}

// NoiseOf returns the 95th percentile (nearest rank), over the runs, of the distance of one run from all
// the others. It is NaN if no two runs have players.
func NoiseOf(runs [][]result.Bin) float64 {
	var distances []float64
	for i := range runs {
		others := slices.Delete(slices.Clone(runs), i, i+1)
		if d := result.Distance(runs[i], result.Pooled(others...)); !math.IsNaN(d) {
			distances = append(distances, d)
		}
	}
	return percentile95(distances)
}

// percentile95 returns the 95th percentile of values (nearest rank), which it sorts, or NaN without any.
func percentile95(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[(95*len(values)+99)/100-1]
}
