package tuning

import (
	"math"
	"slices"
)

// Parameters of the refinement.
const (
	narrowest      = 0.001 // a tuned setting has converged when its standard deviation is below this fraction of its range
	generationsMax = 100   // limit for one run of CMA-ES with a single goal
	generationsAim = 6     // limit for one run of CMA-ES with several goals
	choosingEvery  = 8     // generations from one trial of other words to the next
	staleMax       = 4     // limit of consecutive generations or rounds without a new trial
)

// steps are the initial step sizes of successive runs of CMA-ES. The first run starts from
// trials that are spread over the whole range. Later runs use larger and smaller steps in turn.
var steps = []float64{0.15, 0.35, 0.1}

// refine calls climb from the best trials until several calls in a row try no new points.
func (s *optimiser) refine() error {
	for round, stale := 0, 0; stale < staleMax; round++ {
		before := len(s.trials)
		if err := s.climb(s.aim(round), steps[round%len(steps)]); err != nil {
			return err
		}
		if stale++; len(s.trials) > before {
			stale = 0
		}
	}
	return nil
}

// aim returns the aim of a round. The first rounds aim at one goal each. Later rounds use
// Halton's sequence to aim at evenly distributed points of the trade-off.
func (s *optimiser) aim(round int) aim {
	if s.Goals == 1 {
		return aim{}
	}
	weights := make([]float64, s.Goals)
	if round < s.Goals {
		weights[round] = 1
	} else {
		k, left := round-s.Goals+1, 1.0
		for i := range weights[1:] {
			part := 1 - math.Pow(1-halton(k, i+2), 1/float64(s.Goals-1-i))
			weights[i] = left * part
			left -= weights[i]
		}
		weights[s.Goals-1] = left
	}
	for i := range weights {
		weights[i] = max(weights[i], 0.01) // a positive weight for every goal: of results that are equal in one goal, the better one in the others wins
	}
	front := Front(s.trials)
	if len(front) == 0 {
		front = s.full()
	}
	return newAim(weights, s.trials, front)
}

// halton returns the k-th number of Halton's sequence in a base. k starts at 1.
func halton(k, base int) float64 {
	x, digit := 0.0, 1.0
	for ; k > 0; k /= base {
		digit /= float64(base)
		x += float64(digit * float64(k%base))
	}
	return x
}

// full lists the trials at full cost.
func (s *optimiser) full() []int {
	var list []int
	for i, t := range s.trials {
		if t.Share == 1 {
			list = append(list, i)
		}
	}
	return list
}

// best returns the point of the trial at full cost that is nearest to the aim m.
func (s *optimiser) best(m aim) Point { return s.trials[m.nearest(s.trials, s.full())].Point }

// climb runs CMA-ES over the numeric settings. It starts at the best trial and keeps that
// trial's words. From time to time, it tries other words. If one of them is better, CMA-ES
// restarts there.
func (s *optimiser) climb(m aim, step float64) error {
	numbers := s.numbers()
	generations := generationsMax
	if s.Goals > 1 {
		generations = generationsAim
	}
	var c *cma
	var from Point
	for generation, stale := 0, 0; generation < generations && stale < staleMax; generation++ {
		if generation%choosingEvery == 0 {
			if err := s.choose(m); err != nil || len(numbers) == 0 {
				return err
			}
			if best := s.best(m); from == nil || !s.sameWords(from, best) {
				from, c = best, newCMA(pick(best, numbers), step)
			}
		}
		samples, sound := c.sample(s.Normal)
		if !sound || s.narrow(c, numbers) {
			break
		}
		points := make([]Point, len(samples))
		for k, sample := range samples {
			points[k] = s.place(from, numbers, c, sample)
		}
		before := len(s.trials)
		results, err := s.try(points, 1, PhaseRefine)
		if err != nil {
			return err
		}
		if stale++; len(s.trials) > before {
			stale = 0
		}
		if c.update(rankedBy(m, results)) != nil {
			break // rounding errors have made the covariance singular
		}
	}
	return nil
}

// numbers lists the settings that are not words.
func (s *optimiser) numbers() []int {
	var list []int
	for i, setting := range s.Settings {
		if !setting.isWord() {
			list = append(list, i)
		}
	}
	return list
}

// pick returns the coordinates of the given settings.
func pick(p Point, settings []int) []float64 {
	list := make([]float64, len(settings))
	for i, setting := range settings {
		list[i] = p[setting]
	}
	return list
}

// sameWords reports whether two points differ only in numbers.
func (s *optimiser) sameWords(a, b Point) bool {
	for i, setting := range s.Settings {
		if setting.isWord() && a[i] != b[i] {
			return false
		}
	}
	return true
}

// narrow reports whether the distribution c of the numeric settings has converged. If a setting
// has levels, narrow returns false, because place keeps its neighbouring levels in reach.
func (s *optimiser) narrow(c *cma, numbers []int) bool {
	for i, number := range numbers {
		if s.Settings[number].Levels == 0 && c.spread(i) > narrowest {
			return false
		}
	}
	return !slices.ContainsFunc(numbers, func(number int) bool { return s.Settings[number].Levels > 0 })
}

// place converts a sample to a valid point. If the distribution is narrower than a level of a
// setting, it stretches the sample, so that neighbouring levels can still be reached.
func (s *optimiser) place(from Point, numbers []int, c *cma, sample []float64) Point {
	point := slices.Clone(from)
	for i, number := range numbers {
		at := sample[i]
		if levels := s.Settings[number].Levels; levels > 0 {
			if stretch := 0.5 / float64(levels) / c.spread(i); stretch > 1 {
				at = c.mean[i] + float64(stretch*(at-c.mean[i]))
			}
		}
		point[number] = s.Settings[number].snap(at)
	}
	return point
}

// rankedBy returns the indices of results, ordered by their distance to an aim.
func rankedBy(m aim, results []Result) []int {
	ranked := make([]int, len(results))
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return m.compare(results[a], results[b]) })
	return ranked
}

// choose varies the best trial: for each setting whose values are words, it tries all words.
func (s *optimiser) choose(m aim) error {
	best := s.best(m)
	var points []Point
	for i, setting := range s.Settings {
		if !setting.isWord() {
			continue
		}
		for level := range setting.Levels {
			point := slices.Clone(best)
			point[i] = setting.snap((float64(level) + 0.5) / float64(setting.Levels))
			points = append(points, point)
		}
	}
	_, err := s.try(points, 1, PhaseChoose)
	return err
}
