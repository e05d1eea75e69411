package tuner

import (
	"cmp"
	"math"
	"slices"
)

// Beats tells whether a is as good as b in every goal and better in one. Whoever keeps
// the constraints beats whoever does not, and of two who do not, the nearer one (Deb
// 2000): so no weight of a penalty needs to be chosen.
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

// worse orders figures, NaN above all.
func worse(a, b float64) bool { return !math.IsNaN(b) && (math.IsNaN(a) || a > b) }

// Front lists the trials at full cost that keep the constraints and that no other one
// beats, in the order of their first goal, ties in their own. Of equal ones the first
// stands for all.
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

// order ranks results for halving, the best first: layer by layer of those that none of
// the rest beats, and inside a layer those first whose neighbours are far, so that what
// gets through is spread over the trade-off.
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

// crowding is how much room each result of a layer has to its neighbours, summed over
// the goals in units of their range; infinite at the ends (Deb et al. 2002).
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

// aim is a place of the trade-off: how much each goal counts, and what it is measured
// from and by. The zero aim is at the only goal.
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

// value is the augmented Chebyshev distance from the ideal, which any place of a front
// minimises for some weights, places in its hollows too.
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

// newAim measures goals from the best of a front, by how far the front reaches.
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
