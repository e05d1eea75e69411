package tuning

import (
	"cmp"
	"math"
	"slices"
)

// Dominates reports whether a is at least as good as b in every goal and better in at least one. A
// result that meets the constraints beats one that does not. If both violate them, the smaller
// violation wins (Deb 2000), so no penalty weight is needed.
func (a Result) Dominates(b Result) bool {
	if a.Violation > 0 || b.Violation > 0 {
		return a.Violation < b.Violation
	}
	better := false
	for i, goal := range a.Goals {
		if worse(goal, b.Goals[i]) {
			return false
		}
		better = better || worse(b.Goals[i], goal)
	}
	return better
}

// worse reports whether a is a worse value of a goal than b. NaN is the worst value.
func worse(a, b float64) bool { return !math.IsNaN(b) && (math.IsNaN(a) || a > b) }

// Front returns the Pareto front: the trials at full cost that meet the constraints, have a number
// for every goal, and that no other trial at full cost beats. They are ordered by their first
// goal, and then by number. If several trials are equal, the front has only the first.
func Front(trials []Trial) []int {
	var front []int
	for i, t := range trials {
		if t.Share < 1 || t.Violation > 0 || slices.ContainsFunc(t.Goals, math.IsNaN) {
			continue
		}
		dominated := false
		for j, other := range trials {
			equal := j < i && other.Violation <= 0 && slices.Equal(other.Goals, t.Goals)
			dominated = dominated || other.Share == 1 && (equal || other.Dominates(t.Result))
		}
		if !dominated {
			front = append(front, i)
		}
	}
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(trials[a].Goals[0], trials[b].Goals[0]) })
	return front
}

// order ranks results for successive halving, best first. The first layer has the results that
// no other result beats, the next layer has those that no remaining result beats, and so on.
// Within a layer, results with distant neighbours are first, so that the selected results are
// spread over the trade-off.
func order(results []Result) []int {
	rest := make([]int, len(results))
	for i := range rest {
		rest[i] = i
	}
	var ranked []int
	for len(rest) > 0 {
		layer := slices.DeleteFunc(slices.Clone(rest), func(i int) bool {
			return slices.ContainsFunc(rest, func(j int) bool { return results[j].Dominates(results[i]) })
		})
		rest = slices.DeleteFunc(rest, func(i int) bool { return slices.Contains(layer, i) })
		room := crowding(results, layer)
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(room[b], room[a]) })
		ranked = append(ranked, layer...)
	}
	return ranked
}

// crowding returns the distance of each result in a layer to its neighbours. It sums the
// distances in all goals, in units of each goal's range. At the ends of the layer it is
// infinite (Deb et al. 2002).
func crowding(results []Result, layer []int) map[int]float64 {
	room := map[int]float64{}
	for goal := range results[layer[0]].Goals {
		along := slices.Clone(layer)
		slices.SortStableFunc(along, func(a, b int) int { return cmp.Compare(results[a].Goals[goal], results[b].Goals[goal]) })
		low, high := results[along[0]].Goals[goal], results[along[len(along)-1]].Goals[goal]
		if !(high > low) {
			continue
		}
		for i, member := range along {
			if i == 0 || i == len(along)-1 {
				room[member] = math.Inf(1)
				continue
			}
			room[member] += (results[along[i+1]].Goals[goal] - results[along[i-1]].Goals[goal]) / (high - low)
		}
	}
	return room
}

// aim is a target on the Pareto front. It has a weight, an origin and a scale for each goal.
// The zero aim is for a single goal.
type aim struct{ weights, ideal, reach []float64 }

// compare orders results by their distance to the aim. A result that meets the constraints
// precedes one that does not.
func (m aim) compare(a, b Result) int {
	if a.Violation > 0 || b.Violation > 0 {
		return cmp.Compare(a.Violation, b.Violation)
	}
	x, y := m.value(a), m.value(b)
	switch {
	case worse(y, x):
		return -1
	case worse(x, y):
		return 1
	}
	return 0
}

// value returns the augmented Chebyshev distance of a result from the ideal. Every point of a
// Pareto front minimises it for some weights, even in concave parts of the front.
func (m aim) value(r Result) float64 {
	if m.weights == nil {
		return r.Goals[0]
	}
	most, sum := math.Inf(-1), 0.0
	for i, goal := range r.Goals {
		far := m.weights[i] * (goal - m.ideal[i]) / m.reach[i]
		most, sum = max(most, far), sum+far
	}
	return most + float64(0.01*sum)
}

// Compromise returns the trial of a Pareto front that is nearest to the best value of every
// goal.
func Compromise(trials []Trial, front []int) int {
	equal := make([]float64, len(trials[front[0]].Goals))
	for i := range equal {
		equal[i] = 1
	}
	return newAim(equal, trials, front).nearest(trials, front)
}

// nearest returns the candidate that is nearest to the aim. If several are equally near, it
// returns the first.
func (m aim) nearest(trials []Trial, candidates []int) int {
	return slices.MinFunc(candidates, func(a, b int) int { return m.compare(trials[a].Result, trials[b].Result) })
}

// newAim returns an aim whose origin is the best value of each goal on a Pareto front. The
// scale is the front's range.
func newAim(weights []float64, trials []Trial, front []int) aim {
	m := aim{weights: weights}
	for goal := range weights {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range front {
			low, high = min(low, trials[i].Goals[goal]), max(high, trials[i].Goals[goal])
		}
		if !(high > low) {
			low, high = 0, 1
		}
		m.ideal, m.reach = append(m.ideal, low), append(m.reach, high-low)
	}
	return m
}
