package matcher

import (
	"math"
	"math/bits"
)

// survey makes the sets that hopefulLine asks.
func (s *search) survey() {
	l := &s.lineup
	l.surveyed, l.free, l.sizes = true, 0, l.sizes[:0]
	clear(l.reach[:])
	for spot := range l.spots {
		x, bit := &l.spots[spot], uint64(1)<<spot
		if math.IsNaN(x.number) {
			l.free |= bit
		}
		for m := x.common; m != 0; m &= m - 1 {
			l.reach[bits.TrailingZeros64(m)] |= bit
		}
		l.measure(x.size, bit)
	}
	l.later[len(l.ranked)] = 0
	for k := len(l.ranked) - 1; k >= 0; k-- {
		l.later[k] = l.later[k+1] | 1<<l.ranked[k].spot
	}
}

// measure enters the size of a ticket.
func (l *lineup) measure(size int32, bit uint64) {
	for i := range l.sizes {
		if l.sizes[i].size == size {
			l.sizes[i].spots |= bit
			return
		}
	}
	l.sizes = append(l.sizes, lineupSize{size, bit})
}

// players counts the players of some spots.
func (l *lineup) players(spots uint64) (players int32) {
	for i := range l.sizes {
		players += l.sizes[i].size * int32(bits.OnesCount64(spots&l.sizes[i].spots))
	}
	return players
}

// hopefulLine is hopeful, asked of the lineup.
func (s *search) hopefulLine(from int) bool {
	l, top := &s.lineup, s.top()
	need := int32(s.pool.rules.MinPlayers) - top.players
	if need <= 0 {
		return true
	}
	if !l.surveyed {
		s.survey()
	}
	open := s.open(s.depth) & l.later[from]
	for i := range l.sizes {
		if l.sizes[i].size > s.seats-top.players {
			open &^= l.sizes[i].spots
		}
	}
	if l.players(open) < need {
		return false
	}
	group := s.span(open)
	for m := top.reach; m != 0; m &= m - 1 {
		there := open & l.reach[bits.TrailingZeros64(m)]
		if l.players(there) >= need && l.together(there, need, &group) {
			return true
		}
	}
	return false
}

// span returns where the group stands on the axis, and how far its match may reach: as
// far as the bound of the seed, who has waited longest. Of a seed without number it is
// up to the others, and to those in open who may join them.
func (s *search) span(open uint64) numbers {
	l, top, all := &s.lineup, s.top(), s.frames[0].numbers
	if in := top.in &^ l.free; in != 0 {
		all.lowest = min(all.lowest, l.spots[bits.TrailingZeros64(in)].number)
		all.highest = max(all.highest, l.spots[bits.Len64(in)-1].number)
	}
	if !math.IsInf(s.frames[0].numbers.widest, -1) {
		return all
	}
	for m := top.in | open; m != 0; m &= m - 1 {
		if x := &l.spots[bits.TrailingZeros64(m)]; x.common&top.reach != 0 {
			all.widest = max(all.widest, s.pool.numbersOf(x.row).widest)
		}
	}
	return all
}

// together tells whether some of the ones in spots, as many players as are needed, stand
// so close together on the axis, and to a group, that they may be in one match with it.
func (l *lineup) together(spots uint64, need int32, group *numbers) bool {
	width := group.widest + tolerance
	players, inside := l.players(spots&l.free), spots&^l.free
	for m := inside; players < need && m != 0; m &= m - 1 {
		spot := bits.TrailingZeros64(m)
		x := &l.spots[spot]
		last := x.number
		if group.highest > last {
			last = group.highest
		}
		if last-group.lowest > width {
			return false
		}
		players += x.size
		for ; ; inside &= inside - 1 {
			k := bits.TrailingZeros64(inside)
			if k == spot || last-l.spots[k].number <= width { // a negative width lets nobody meet, but is no reason to leave
				break
			}
			players -= l.spots[k].size
		}
	}
	return players >= need
}
