package judge

import (
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// checkDistance judges a limit on the distance between the distribution of a measure, such as
// wait_first_s, and that of the baseline. of are the metrics of the sample.
func (l *Limit) checkDistance(s, baseline *Sample, of map[string]*metricSample) LimitResult {
	own, before := s.binsOf(l.Name), baseline.binsOf(l.Name)
	r := l.result(result.Distance(result.Pooled(own...), result.Pooled(before...)), outcome.UnitShare)
	if l.skips(&r, of[DistancePlayers(l.Name)]) {
		return r
	}
	switch {
	case s.Distributions == nil || baseline.Distributions == nil:
		return r.unmeasured("the distributions are not known")
	case len(result.Pooled(own...)) == 0:
		return r.unmeasured("not measured")
	case len(result.Pooled(before...)) == 0:
		return r.unmeasured("not measured in the baseline")
	}
	if noise := noiseOf(own); !math.IsNaN(noise) {
		r.Noise = (*Optional)(&noise)
	}
	if r.Excess = r.Value - r.Bound; float64(r.Excess) > tolerance(1) {
		r.Verdict = LimitBroken
	}
	return r
}

// DistancePlayers returns the name of the metric that counts the players in the distribution of a
// measure.
func DistancePlayers(measure string) string { return outcome.PlayersOf(measure + ".mean") }

// binsOf returns the distribution of a measure in each run.
func (s *Sample) binsOf(measure string) [][]result.Bin {
	bins := make([][]result.Bin, len(s.Distributions))
	for run, list := range s.Distributions {
		for i := range list {
			if list[i].Name() == measure {
				bins[run] = list[i].Bins
			}
		}
	}
	return bins
}

// noiseOf returns the 95th percentile (nearest rank), over the runs, of the distance of one run from all
// the others. It is NaN if no two runs have players.
func noiseOf(runs [][]result.Bin) float64 {
	var distances []float64
	for i := range runs {
		others := slices.Delete(slices.Clone(runs), i, i+1)
		if d := result.Distance(runs[i], result.Pooled(others...)); !math.IsNaN(d) {
			distances = append(distances, d)
		}
	}
	if len(distances) == 0 {
		return math.NaN()
	}
	slices.Sort(distances)
	return distances[(95*len(distances)+99)/100-1]
}
