package matcher

import (
	"math"
	"math/bits"
)

// halving divides solos into two teams of the same size, which most matches are made
// of. It finds the division that balancer.place does, also among equally even ones, but
// takes no turns: it looks at all there are, of ten solos 126, by adding what those of
// either half of the solos make of the difference of the teams. Only those that come
// closest are summed up as place does, since sums round by their order.
type halving struct {
	values      []float64                        // descending
	front, back [1 << (BalanceExact / 2)]float64 // differences; see spread
	closest     []uint32                         // divisions that differ least, as far as rounding lets that be told: who is in the second team
	gap         float64                          // of averages, the smallest
	second      uint32                           // who is in the second team then
}

// halve divides the units if they are solos for two teams of the same size, whom
// nobody keeps out of either; false when they are not.
func (b *balancer) halve() bool {
	h, n := &b.halving, len(b.units)
	if n%2 == 1 || n > BalanceExact || n != b.players || len(b.teams) != 2 || b.sizes.MaxTeams != 2 ||
		n/2 < max(1, b.sizes.MinPlayers) || n/2 > b.sizes.MaxPlayers || b.apart != nil || b.barred != nil {
		return false
	}
	h.values = h.values[:0]
	for i := range b.units {
		h.values = append(h.values, b.units[i].value)
	}
	h.divide()
	b.bestGap = h.gap
	for i := range b.units {
		b.best = append(b.best, int(h.second>>i&1))
	}
	return true
}

// divide finds the most even division, of several the one that place comes to first.
func (h *halving) divide() {
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

// approach lists the divisions that differ least. The first solo is in the first team:
// the others are the same by another name.
func (h *halving) approach() {
	half, total, margin := len(h.values)/2, 0.0, 0.0 // more than rounding adds to a difference
	for _, v := range h.values {
		total += v
		margin += math.Abs(v) * slack
	}
	spread(h.front[:], total, h.values[1:half])
	spread(h.back[:], 0, h.values[half:])
	least, reach := math.Inf(1), math.Inf(1)
	for front, start := range h.front[:1<<(half-1)] {
		backs := subsets[half][half-bits.OnesCount8(uint8(front))]
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

// within returns the place of the first of some subsets of the second half which brings a
// difference within a reach, or how many they are.
func (h *halving) within(reach, start float64, backs []uint8) int {
	for at, back := range backs {
		if math.Abs(start+h.back[back%uint8(len(h.back))]) <= reach {
			return at
		}
	}
	return len(backs)
}

// spread tabulates the difference of two teams from a start, by who of some solos, as
// bits, changes from the first to the second.
func spread(differences []float64, start float64, values []float64) {
	differences[0] = start
	for i, v := range values {
		stay := differences[:1<<i]
		change := differences[len(stay):][:len(stay)]
		for who, difference := range stay {
			change[who] = difference - 2*v
		}
	}
}

// subsets are those of so many, by how many they hold, as bits.
var subsets = func() (of [BalanceExact/2 + 1][BalanceExact/2 + 1][]uint8) {
	for all := range of {
		for who := range 1 << all {
			n := bits.OnesCount(uint(who))
			of[all][n] = append(of[all][n], uint8(who))
		}
	}
	return of
}()

// sums returns what the teams come to when the first so many are placed.
func (h *halving) sums(second uint32, placed int) (a, b float64) {
	var sums [2]float64
	for i, v := range h.values[:placed] {
		sums[second>>i&1] += v
	}
	return sums[0], sums[1]
}

// sooner tells whether place comes to a division before it comes to another: where they
// part, the team with the lower sum has its turn first.
func (h *halving) sooner(second, than uint32) bool {
	parted := bits.TrailingZeros32(second ^ than)
	a, b := h.sums(second, parted)
	return (second>>parted&1 == 1) == (a > b)
}
