package split

import (
	"math"
	"math/bits"
)

// solos divides solos into two teams of the same size, which is what most matches are
// made of. It finds the assignment that place finds for Even, but looks at all
// assignments at once, 126 of ten solos: without it a day of AccelByte's 5v5 takes 1.5
// times as long. Sets of solos are bits, by place in Solver.units.
type solos struct {
	front, back [1 << (ExactUnits / 2)]float64 // see differences
	closest     []uint32                       // second teams with the smallest difference, as far as rounding lets that be told
}

// secondTeams lists the second teams that a number of pairs of solos can be divided
// into. The first solo is in the first team: the others are the same with the teams
// exchanged.
var secondTeams = func() (of [ExactUnits/2 + 1][]uint32) {
	for pairs := range of {
		for second := uint32(0); second < 1<<(2*pairs); second += 2 {
			if bits.OnesCount32(second) == pairs {
				of[pairs] = append(of[pairs], second)
			}
		}
	}
	return of
}()

// solve divides the units if they are solos for two teams of the same size, and no
// unit is kept out of a team; false when they are not.
func (h *solos) solve(s *Solver) bool {
	n, e := len(s.units), s.even
	if n%2 == 1 || n > ExactUnits || n != s.players || len(s.seats) != 2 || e.MoreTeams || e.Apart != nil || e.Barred != nil {
		return false
	}
	for i := range s.seats {
		if t := &s.seats[i]; n/2 < max(1, t.least) || n/2 > t.most {
			return false
		}
	}
	h.approach(s.units)
	best, bestTurn := uint32(0), uint32(0)
	for _, second := range h.closest {
		turn := s.putSolos(second)
		if gap := s.gap(0, n); gap < s.bestGap || gap == s.bestGap && turn < bestTurn {
			s.bestGap, best, bestTurn = gap, second, turn
		}
	}
	for i := range s.units {
		s.best = append(s.best, int(best>>i&1))
	}
	return true
}

// approach lists the second teams that bring the sums of the teams closest.
func (h *solos) approach(units []unit) {
	half, total, margin := len(units)/2, 0.0, 0.0 // more than rounding adds to a difference
	for i := range units {
		total += units[i].value
		margin += math.Abs(units[i].value) * slack
	}
	differences(&h.front, total, units[1:half])
	differences(&h.back, 0, units[half:])
	least, reach := math.Inf(1), math.Inf(1)
	front, back, changed := &h.front, &h.back, uint32(1)<<(half-1)-1
	for _, second := range secondTeams[half] {
		difference := math.Abs(front[second>>1&changed%64] + back[second>>half%64]) // the modulus spares checks of bounds
		if difference > reach {
			continue
		}
		if difference < least-margin {
			h.closest = h.closest[:0]
		}
		h.closest = append(h.closest, second)
		least = min(least, difference)
		reach = least + margin
	}
}

// differences tabulates the difference of two teams, from a start, by the set of some
// solos that change from the first team to the second.
func differences(table *[1 << (ExactUnits / 2)]float64, start float64, units []unit) {
	table[0] = start
	for set := 1; set < 1<<len(units); set++ {
		table[set] = table[set&(set-1)] - 2*units[bits.TrailingZeros(uint(set))].value
	}
}

// putSolos puts all units into two teams, one by one as place does, since rounding
// depends on the order of a sum. Of two assignments place comes first to that with the
// lower turn: it tries the team with the lower sum first.
func (s *Solver) putSolos(second uint32) (turn uint32) {
	s.open(0, math.MaxInt)
	for i := range s.units {
		team := second >> i & 1
		lower := uint32(0)
		if s.teams[1].sum < s.teams[0].sum {
			lower = 1
		}
		turn = turn<<1 | (team ^ lower)
		s.put(i, int(team))
	}
	return turn
}
