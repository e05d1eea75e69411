package tuning

import (
	"encoding/binary"
	"errors"
	"math"
)

// Search tries points until the budget is spent or it finds no new points to try. It returns
// all trials in the order in which they were made. If Try fails, Search returns the error and
// the trials before it.
func Search(p Problem) ([]Trial, error) {
	s := &optimiser{Problem: p, known: map[string]int{}}
	survivors, err := s.halve()
	if err == nil && len(survivors) > 0 {
		err = s.refine()
	}
	if errors.Is(err, ErrSpent) {
		err = nil
	}
	return s.trials, err
}

// optimiser is the state of a Search.
//
// A search has three phases. First, a Latin hypercube spreads points over the whole range.
// Second, successive halving tries all of these points at a low cost (on a share of the day),
// and repeatedly tries the better half at a higher cost. Third, the best points are refined at
// full cost. For numbers, the refinement uses CMA-ES (Hansen, "The CMA Evolution Strategy: A
// Tutorial", 2016). For settings whose values are words without an order, it tries all words.
// With several goals, it aims at one region of the trade-off after another.
//
// The search suits functions of a few settings that take seconds to evaluate and have the same
// noise at all points. Other methods are better for cheap functions or for more than about
// twenty settings.
//
// The same problem with the same random draws gives the same points, no matter how many
// candidates are tried in parallel.
type optimiser struct {
	Problem
	trials []Trial
	known  map[string]int // number of the trial, by keyOf
}

// try returns the results of points. It does not repeat trials.
func (s *optimiser) try(points []Point, share float64, phase Phase) ([]Result, error) {
	var candidates []Candidate
	places := make([]int, len(points))
	for i, point := range points {
		key := keyOf(point, share)
		at, isKnown := s.known[key]
		if !isKnown {
			at = len(s.trials) + len(candidates)
			s.known[key] = at
			candidates = append(candidates, Candidate{point, share, phase})
		}
		places[i] = at
	}
	if len(candidates) > 0 {
		found, err := s.Try(candidates)
		if err != nil {
			return nil, err
		}
		for i, c := range candidates {
			s.trials = append(s.trials, Trial{c, found[i]})
		}
	}
	results := make([]Result, len(points))
	for i, at := range places {
		results[i] = s.trials[at].Result
	}
	return results, nil
}

// keyOf returns the key of a point at a share of the full cost.
func keyOf(p Point, share float64) string {
	key := binary.BigEndian.AppendUint64(nil, math.Float64bits(share))
	for _, x := range p {
		key = binary.BigEndian.AppendUint64(key, math.Float64bits(x))
	}
	return string(key)
}

// halve tries all points of the hypercube at the first share, the better half of them at the
// second share, and so on. It returns the points that were tried at full cost.
func (s *optimiser) halve() ([]Point, error) {
	points := s.hypercube()
	for round, share := range s.Shares {
		phase := PhaseHalve
		if round == 0 {
			phase = PhaseStart
		}
		if share == 1 {
			points = append(points, s.Also...)
		}
		results, err := s.try(points, share, phase)
		if err != nil {
			return nil, err
		}
		if share == 1 {
			break
		}
		var better []Point
		for _, i := range order(results)[:(len(points)+1)/2] {
			better = append(better, points[i])
		}
		points = better
	}
	return points, nil
}

// hypercube returns a Latin hypercube of s.Start points. If the range of any setting is divided
// into s.Start equal parts, each part contains one point (McKay et al. 1979).
func (s *optimiser) hypercube() []Point {
	points := make([]Point, s.Start)
	for i := range points {
		points[i] = make(Point, len(s.Settings))
	}
	for i, setting := range s.Settings {
		for k, part := range s.permutation(s.Start) {
			points[k][i] = setting.snap((float64(part) + s.Uniform()) / float64(s.Start))
		}
	}
	return points
}

// permutation returns the numbers from 0 to n-1 in random order (Fisher-Yates shuffle).
func (s *optimiser) permutation(n int) []int {
	list := make([]int, n)
	for i := range list {
		j := int(s.Uniform() * float64(i+1))
		list[i], list[j] = list[j], i
	}
	return list
}
