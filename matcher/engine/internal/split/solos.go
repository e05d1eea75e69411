package split

import (
	"math"
	"math/bits"
)

// solos divides solos into two teams of the same size, as in most matches. It finds the same
// assignment as place does for Even, but goes directly through all assignments, 126 for ten
// solos. Without it, a day of AccelByte's 5v5 takes 1.5 times as long. Sets of solos are bit
// sets, by index in Solver.units.
type solos struct {
	front, back [1 << (ExactUnits / 2)]float64 // see differences
	closest     []uint32                       // second teams with the smallest difference, up to rounding
}

// secondTeams lists, by the number of pairs, the second teams into which solos can be divided.
// The first solo is always in the first team, because the other assignments only swap the
// teams.
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

// solve divides the units if they are solos for two teams of the same size and no unit is kept
// out of a team. Otherwise it returns false.
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

// approach lists the second teams for which the sums of the two teams are closest.
func (h *solos) approach(units []unit) {
	half, total, margin := len(units)/2, 0.0, 0.0 // margin: more than the rounding error of a difference
	for i := range units {
		total += units[i].value
		margin += math.Abs(units[i].value) * slack
	}
	differences(&h.front, total, units[1:half])
	differences(&h.back, 0, units[half:])
	least, reach := math.Inf(1), math.Inf(1)
	front, back, changed := &h.front, &h.back, uint32(1)<<(half-1)-1
	for _, second := range secondTeams[half] {
		difference := math.Abs(front[second>>1&changed%64] + back[second>>half%64]) // the modulus avoids bounds checks
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

// differences tabulates the difference between two teams' sums, beginning with start, for each
// set of solos that changes from the first team to the second.
func differences(table *[1 << (ExactUnits / 2)]float64, start float64, units []unit) {
	table[0] = start
	for set := 1; set < 1<<len(units); set++ {
		table[set] = table[set&(set-1)] - 2*units[bits.TrailingZeros(uint(set))].value
	}
}

// putSolos assigns all units to two teams one by one, as place does, because the rounding of a
// sum depends on the order. turn orders assignments as place tries them, the lowest first:
// place tries the team with the lower sum first.
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
