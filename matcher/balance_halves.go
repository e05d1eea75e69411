package matcher

import "math"

// halving divides solos into two teams of the same size, which most matches are made
// of. It takes the turns of balancer.place and so finds the same division, also among
// equally even ones; but it turns back where those who are left, dealt as unevenly as
// can be, do not bring the sums of the teams closer together than they have been. Of
// the 126 divisions of ten it comes to four or so.
type halving struct {
	values [BalanceExact]float64     // descending
	sums   [BalanceExact + 1]float64 // of the values before one
	solos  int
	room   float64 // players of a team
	margin float64 // more than rounding adds to the difference of two sums
	gap    float64 // of averages, the smallest yet
	second uint32  // who is in the second team then
}

// halve divides the units if they are solos for two teams of the same size, whom
// nobody keeps out of either; false when they are not.
func (b *balancer) halve() bool {
	h, n := &b.halving, len(b.units)
	if n%2 == 1 || n > BalanceExact || n != b.players || len(b.teams) != 2 || b.sizes.MaxTeams != 2 ||
		n/2 < max(1, b.sizes.MinPlayers) || n/2 > b.sizes.MaxPlayers || b.apart != nil || b.barred != nil {
		return false
	}
	h.solos, h.room, h.margin, h.gap = n, float64(n/2), 0, math.Inf(1)
	for i := range b.units {
		v := b.units[i].value
		h.values[i], h.sums[i+1] = v, h.sums[i]+v
		h.margin += math.Abs(v) * slack
	}
	h.place(0, n/2, n/2, 0, 0, 0)
	b.bestGap = h.gap
	for i := range b.units {
		b.best = append(b.best, int(h.second>>i&1))
	}
	return true
}

// place tries the teams for a solo, the one with the lower sum first. The two have
// room for so many more and come to so much; second is who is in the second.
func (h *halving) place(i, roomA, roomB int, sumA, sumB float64, second uint32) {
	if i == h.solos {
		if gap := math.Abs(sumA/h.room - sumB/h.room); gap < h.gap {
			h.gap, h.second = gap, second
		}
		return
	}
	total, most, least := h.sums[h.solos], sumA+h.sums[i+roomA]-h.sums[i], sumA+h.sums[h.solos]-h.sums[h.solos-roomA]
	if reach := h.gap*h.room + h.margin; 2*least-total > reach || total-2*most > reach {
		return
	}
	v := h.values[i]
	switch {
	case sumA > sumB:
		if roomB > 0 {
			h.place(i+1, roomA, roomB-1, sumA, sumB+v, second|1<<i)
		}
		if roomA > 0 {
			h.place(i+1, roomA-1, roomB, sumA+v, sumB, second)
		}
	default:
		if roomA > 0 {
			h.place(i+1, roomA-1, roomB, sumA+v, sumB, second)
		}
		if alike := sumA == sumB && roomA == roomB; roomB > 0 && !alike {
			h.place(i+1, roomA, roomB-1, sumA, sumB+v, second|1<<i)
		}
	}
}
