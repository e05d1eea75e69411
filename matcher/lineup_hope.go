package matcher

import (
	"math"
	"math/bits"
)

// narrow computes between which numbers everybody may meet the whole group, by the widths
// of those in it alone.
func (l *lineup) narrow(f, below *frame) {
	f.low, f.high = math.Inf(-1), math.Inf(1)
	if below == nil {
		return
	}
	f.low, f.high = below.low, below.high
	if number, width := l.numbers[f.spot], l.width[f.spot]; !math.IsNaN(number) {
		rounding := (math.Abs(number) + width) * slack
		f.low, f.high = max(f.low, number-width+rounding), min(f.high, number+width-rounding)
	}
}

// meetsLine is meetsAll for one in the lineup.
func (s *search) meetsLine(c *candidate) bool {
	top := s.top()
	if number := s.lineup.numbers[c.spot]; number > top.low && number < top.high {
		return true
	}
	return s.open(s.depth)>>c.spot&1 != 0
}

// open returns the spots of those who may meet everybody in the group up to a depth.
func (s *search) open(depth int) uint64 {
	f := &s.frames[depth-1]
	switch {
	case depth == 1:
		return ^uint64(0)
	case f.openMark != f.mark:
		f.open, f.openMark = s.open(depth-1)&s.lineup.fit(int(f.spot)), f.mark
	}
	return f.open
}

// fit returns who may meet the one in a spot: the bound of who has waited longer counts,
// which is the wider one.
func (l *lineup) fit(spot int) uint64 {
	if l.fitted>>spot&1 != 0 {
		return l.fits[spot]
	}
	fits, number, own := uint64(0), l.numbers[spot], l.width[spot]
	for i, width := range l.width {
		difference := math.Abs(l.numbers[i] - number)
		apart := one(difference > own) & one(difference > width)
		fits |= uint64(apart^1) << (i % lineupMax)
	}
	l.fits[spot], l.fitted = fits, l.fitted|1<<spot
	return fits
}

// survey makes the sets that hopefulLine asks.
func (s *search) survey() {
	l := &s.lineup
	l.surveyed, l.free, l.sizes = true, 0, l.sizes[:0]
	clear(l.reach[:])
	for spot := range l.rows {
		bit := uint64(1) << spot
		if math.IsNaN(l.numbers[spot]) {
			l.free |= bit
		}
		for m := l.common[spot]; m != 0; m &= m - 1 {
			l.reach[bits.TrailingZeros64(m)] |= bit
		}
		l.measure(l.size[spot], bit)
	}
	l.later[len(s.list)] = 0
	for k := len(s.list) - 1; k >= 0; k-- {
		l.later[k] = l.later[k+1] | 1<<s.list[k].spot
		l.place[s.list[k].spot] = int32(k)
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
	group := top.numbers
	if math.IsInf(s.frames[0].numbers.widest, -1) { // the seed has no number: how close others must be is their own affair
		for m := open; m != 0; m &= m - 1 {
			if spot := bits.TrailingZeros64(m); l.common[spot]&top.reach != 0 {
				group.widest = max(group.widest, s.list[l.place[spot]].widest)
			}
		}
	}
	for m := top.reach; m != 0; m &= m - 1 {
		there := open & l.reach[bits.TrailingZeros64(m)]
		if l.players(there) >= need && l.together(there, need, &group) {
			return true
		}
	}
	return false
}

// together tells whether some of the ones in spots, as many players as are needed, stand
// so close together on the axis, and to a group, that they may be in one match with it.
func (l *lineup) together(spots uint64, need int32, group *numbers) bool {
	width := group.widest + tolerance
	inside := spots & l.free
	players := l.players(inside)
	for m := spots &^ l.free; players < need && m != 0; m &= m - 1 {
		spot := bits.TrailingZeros64(m)
		last := max(l.numbers[spot], group.highest)
		if last-group.lowest > width {
			return false
		}
		inside |= 1 << spot
		for there := inside &^ l.free; there != 0; there &= there - 1 {
			k := bits.TrailingZeros64(there)
			if k == spot || last-l.numbers[k] <= width { // a negative width lets nobody meet, but is no reason to leave
				break
			}
			inside &^= 1 << k
		}
		players = l.players(inside)
	}
	return players >= need
}
