package split

import (
	"math"
	"math/bits"
)

// solos divides solos into two teams of the same size, which is what most matches
// are made of. It finds the assignment that place finds for Even, also among
// equally even ones, but does not place units one by one: of ten solos it looks at
// all 126 assignments, by adding what those of either half change in the
// difference of the teams. Only the assignments that come closest are summed up as
// place does, since rounding depends on the order of a sum.
type solos struct {
	values      []float64                      // the highest first
	front, back [1 << (ExactUnits / 2)]float64 // differences by subset; see differences
	closest     []uint32                       // second teams with the smallest difference, as far as rounding lets that be told
	gap         float64                        // the smallest
	second      uint32                         // the solos in the second team then
}

// solve divides the units if they are solos for two teams of the same size, and no
// unit is kept out of a team; false when they are not.
func (h *solos) solve(s *Solver) bool {
	n := len(s.units)
	if n%2 == 1 || n > ExactUnits || n != s.players || len(s.seats) != 2 || s.moreTeams || s.guarded {
		return false
	}
	for i := range s.seats {
		if t := &s.seats[i]; n/2 < max(1, t.least) || n/2 > t.most {
			return false
		}
	}
	h.values = h.values[:0]
	for i := range s.units {
		h.values = append(h.values, s.units[i].value)
	}
	h.divide()
	s.bestGap = h.gap
	for i := range s.units {
		s.best = append(s.best, int(h.second>>i&1))
	}
	return true
}

// divide finds the most even assignment, of several the one that place comes to
// first.
func (h *solos) divide() {
	h.approach()
	players := float64(len(h.values) / 2)
	h.gap = math.Inf(1)
	for _, second := range h.closest {
		a, b := h.sums(second, len(h.values))
		if gap := math.Abs(a/players - b/players); gap < h.gap || gap == h.gap && h.sooner(second, h.second) {
			h.gap, h.second = gap, second
		}
	}
}

// approach lists the assignments with the smallest difference. The first solo is in
// the first team: the other assignments are the same with the teams exchanged.
func (h *solos) approach() {
	half, total, margin := len(h.values)/2, 0.0, 0.0 // more than rounding adds to a difference
	for _, v := range h.values {
		total += v
		margin += math.Abs(v) * slack
	}
	differences(h.front[:], total, h.values[1:half])
	differences(h.back[:], 0, h.values[half:])
	least, reach := math.Inf(1), math.Inf(1)
	for front, start := range h.front[:1<<(half-1)] {
		backs := subsetsOf[half][half-bits.OnesCount8(uint8(front))]
		if start+h.back[backs[0]] > reach || start+h.back[backs[len(backs)-1]] < -reach {
			continue // the strongest change too little, or the weakest too much
		}
		for at := h.within(reach, start, backs); at < len(backs); at += 1 + h.within(reach, start, backs[at+1:]) {
			difference := math.Abs(start + h.back[backs[at]])
			if difference < least-margin {
				h.closest = h.closest[:0]
			}
			h.closest = append(h.closest, uint32(front)<<1|uint32(backs[at])<<half)
			least = min(least, difference)
			reach = least + margin
		}
	}
}

// within returns the place of the first of some subsets of the second half that
// brings a difference within a reach, or their number.
func (h *solos) within(reach, start float64, backs []uint8) int {
	for at, back := range backs {
		if math.Abs(start+h.back[back%uint8(len(h.back))]) <= reach { // the modulus spares a check of bounds
			return at
		}
	}
	return len(backs)
}

// differences tabulates the difference of two teams, from a start, by the subset of
// some solos that changes from the first team to the second.
func differences(table []float64, start float64, values []float64) {
	table[0] = start
	for i, v := range values {
		stay := table[:1<<i]
		change := table[len(stay):][:len(stay)]
		for subset, difference := range stay {
			change[subset] = difference - 2*v
		}
	}
}

// subsetsOf lists the subsets, as bits, of a number of solos by their own number.
var subsetsOf = func() (of [ExactUnits/2 + 1][ExactUnits/2 + 1][]uint8) {
	for all := range of {
		for subset := range 1 << all {
			n := bits.OnesCount(uint(subset))
			of[all][n] = append(of[all][n], uint8(subset))
		}
	}
	return of
}()

// sums returns the sums of the teams when the first so many are placed.
func (h *solos) sums(second uint32, placed int) (a, b float64) {
	var sums [2]float64
	for i, v := range h.values[:placed] {
		sums[second>>i&1] += v
	}
	return sums[0], sums[1]
}

// sooner tells whether place comes to an assignment before it comes to another:
// where they part, the team with the lower sum is tried first.
func (h *solos) sooner(second, than uint32) bool {
	parted := bits.TrailingZeros32(second ^ than)
	a, b := h.sums(second, parted)
	return (second>>parted&1 == 1) == (a > b)
}
