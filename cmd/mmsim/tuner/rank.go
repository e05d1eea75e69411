package tuner

import (
	"cmp"
	"math"
	"slices"
)

// Beats reports whether a is as good as b in every goal and better in at least one. A result
// that satisfies the constraints beats one that does not, and of two that do not, the smaller
// violation wins (Deb 2000), so no penalty weight is needed.
func (a Result) Beats(b Result) bool {
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

// worse compares values of a goal; NaN is the worst.
func worse(a, b float64) bool { return !math.IsNaN(b) && (math.IsNaN(a) || a > b) }

// Front lists the trials at full cost that satisfy the constraints and that no other trial
// beats, ordered by their first goal and then by number. Of equal trials it lists the first.
func Front(trials []Trial) []int {
	var front []int
	for i, t := range trials {
		if t.Share < 1 || t.Violation > 0 || slices.ContainsFunc(t.Goals, math.IsNaN) {
			continue
		}
		beaten := false
		for j, other := range trials {
			equal := j < i && other.Violation <= 0 && slices.Equal(other.Goals, t.Goals)
			beaten = beaten || other.Share == 1 && (equal || other.Beats(t.Result))
		}
		if !beaten {
			front = append(front, i)
		}
	}
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(trials[a].Goals[0], trials[b].Goals[0]) })
	return front
}

// order ranks results for halving, the best first: by layers of results that none of the
// remaining ones beats, and within a layer by distance to the neighbours, so that the selected
// results are spread over the trade-off.
func order(results []Result) []int {
	rest := make([]int, len(results))
	for i := range rest {
		rest[i] = i
	}
	var ranked []int
	for len(rest) > 0 {
		layer := slices.DeleteFunc(slices.Clone(rest), func(i int) bool {
			return slices.ContainsFunc(rest, func(j int) bool { return results[j].Beats(results[i]) })
		})
		rest = slices.DeleteFunc(rest, func(i int) bool { return slices.Contains(layer, i) })
		room := crowding(results, layer)
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(room[b], room[a]) })
		ranked = append(ranked, layer...)
	}
	return ranked
}

// crowding is the distance of each result in a layer to its neighbours, summed over the goals
// in units of their range; infinite at the ends (Deb et al. 2002).
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

// aim is a point of the trade-off: the weight of each goal, with its origin and scale. The zero
// aim is for a single goal.
type aim struct{ weights, ideal, reach []float64 }

// compare orders results by nearness to the aim, the nearest first.
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

// value is the augmented Chebyshev distance from the ideal. Every point of a front minimises it
// for some weights, even points in concave parts.
func (m aim) value(r Result) float64 {
	if m.weights == nil {
		return r.Goals[0]
	}
	most, sum := math.Inf(-1), 0.0
	for i, goal := range r.Goals {
		far := m.weights[i] * (goal - m.ideal[i]) / m.reach[i]
		most, sum = max(most, far), sum+far
	}
	return most + 0.01*sum
}

// Compromise is the trial of a front that is nearest to being best in every goal.
func Compromise(trials []Trial, front []int) int {
	equal := make([]float64, len(trials[front[0]].Goals))
	for i := range equal {
		equal[i] = 1
	}
	return newAim(equal, trials, front).nearest(trials, front)
}

// nearest is the one of some trials that is nearest to the aim, of equals the first.
func (m aim) nearest(trials []Trial, among []int) int {
	return slices.MinFunc(among, func(a, b int) int { return m.compare(trials[a].Result, trials[b].Result) })
}

// newAim measures goals from the best of a front, in units of the front's range.
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
