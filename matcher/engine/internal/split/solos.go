package split

import (
	"math"
	"math/bits"
)

// Solos divides solos into two teams of the same size, which is the most common case. It finds
// the same assignment as a depth-first search that tries the team with the lower sum first.
// Instead of searching, it evaluates all assignments from a table; for ten solos there are 126.
// Without it, a day of AccelByte's 5v5 takes 1.5 times as long.
//
// A set of solos is a bit set. Bit i represents the i-th of the values passed to Split.
type Solos struct {
	front, back [1 << (ExactUnits / 2)]float64 // tables of differences for the first and second half of the solos
	closest     []uint32                       // second teams with the smallest difference, within rounding error
}

// secondTeam is a possible second team. front and back are the indexes of its solos in
// Solos.front and Solos.back.
type secondTeam struct {
	solos       uint32
	front, back uint8
}

// secondTeams[n] lists the second teams into which 2n solos can be divided. The first solo is
// always in the first team, because the other assignments only swap the teams.
var secondTeams = func() (of [ExactUnits/2 + 1][]secondTeam) {
	for pairs := range of {
		for second := uint32(0); second < 1<<(2*pairs); second += 2 {
			if bits.OnesCount32(second) == pairs {
				of[pairs] = append(of[pairs], secondTeam{second, uint8(second % (1 << pairs) / 2), uint8(second >> pairs)})
			}
		}
	}
	return of
}()

// Split returns the solos of the second team and the gap. values has an even number of elements,
// at most ExactUnits. If several assignments are equally even, Split returns the one that the
// search would find first. The search tries the team with the lower sum first. If the sums are
// equal, it tries the first team first or, if inTurn is set, the team that it tried first for the
// previous solo.
func (h *Solos) Split(values []float64, inTurn bool) (second uint32, gap float64) {
	h.approach(values)
	gap = math.Inf(1)
	bestTurn := uint32(0)
	for _, teams := range h.closest {
		if g, turn := arrange(values, teams, inTurn); g < gap || g == gap && turn < bestTurn {
			second, gap, bestTurn = teams, g, turn
		}
	}
	return second, gap
}

// approach stores in the field closest those second teams for which the sums of the two teams
// differ least.
func (h *Solos) approach(values []float64) {
	half, total, margin := len(values)/2, 0.0, 0.0 // margin exceeds the rounding error of a difference
	for _, v := range values {
		total += v
		margin += float64(math.Abs(v) * slack)
	}
	differences(&h.front, total, values[1:half])
	differences(&h.back, 0, values[half:])
	least, allowed := math.Inf(1), math.Inf(1)
	front, back := &h.front, &h.back
	for _, second := range secondTeams[half] {
		difference := math.Abs(front[second.front%64] + back[second.back%64]) // the modulus avoids bounds checks
		if difference > allowed {
			continue
		}
		if difference < least-margin {
			h.closest = h.closest[:0]
		}
		h.closest = append(h.closest, second.solos)
		least = min(least, difference)
		allowed = least + margin
	}
}

// differences fills a table with the first team's sum minus the second team's. The index is the
// set of solos that move from the first team to the second. If none moves, the difference is
// start.
func differences(table *[1 << (ExactUnits / 2)]float64, start float64, values []float64) {
	table[0] = start
	for i, v := range values {
		unchanged, changed := table[:1<<i], table[1<<i:2<<i]
		for set, difference := range unchanged {
			changed[set] = difference - 2*v
		}
	}
}

// arrange returns the gap of an assignment. It adds the solos to the sums of the two teams in the
// same order as the search, because the order affects rounding. If turn is lower, the search
// tries the assignment earlier.
func arrange(values []float64, second uint32, inTurn bool) (gap float64, turn uint32) {
	var sums [2]float64
	lower := uint32(0)
	for i, v := range values {
		if sums[1] < sums[0] {
			lower = 1
		} else if sums[0] < sums[1] || !inTurn {
			lower = 0
		}
		team := second >> i & 1
		turn = turn<<1 | team ^ lower
		sums[team] += v
	}
	size := float64(len(values) / 2)
	return math.Abs(sums[0]/size - sums[1]/size), turn
}
