package matcher

import "math"

// admitsLine adds the one in a spot to the group unless a rule forbids it. That
// everybody may meet the seed, who has waited longest, is known.
func (s *search) admitsLine(spot int32) bool {
	l, x, below := &s.lineup, &s.lineup.spots[spot], s.top()
	switch {
	case below.players+x.size > s.seats, below.reach&x.common == 0:
		return false
	case x.number > below.low && x.number < below.high:
	case !s.meetsGroup(x):
		return false
	}
	f, below := s.grow()
	f.row, f.spot, f.players, f.in = x.row, spot, below.players+x.size, below.in|1<<spot
	f.old, f.young = below.old, x.row
	if s.pool.createdMS[x.row] < s.pool.createdMS[below.young] {
		f.young = below.young
	}
	f.reach = below.reach & x.common
	f.within = f.reach
	l.narrow(f, below)
	return true
}

// meetsGroup tells whether somebody in the lineup may meet everybody in the group.
func (s *search) meetsGroup(x *lined) bool {
	for i := 1; i < s.depth; i++ {
		y := &s.lineup.spots[s.frames[i].spot]
		if difference := math.Abs(x.number - y.number); difference > x.width && difference > y.width {
			return false
		}
	}
	return true
}

// narrow computes between which numbers everybody may meet the whole group, by the widths
// of those in it alone.
func (l *lineup) narrow(f, below *frame) {
	f.low, f.high = below.low, below.high
	if x := &l.spots[f.spot]; !math.IsNaN(x.number) {
		rounding := (math.Abs(x.number) + x.width) * slack
		f.low, f.high = max(f.low, x.number-x.width+rounding), min(f.high, x.number+x.width-rounding)
	}
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
	fits, spots := uint64(0), l.spots
	number, width := spots[spot].number, spots[spot].width
	for i := range spots {
		difference := math.Abs(spots[i].number - number)
		apart := one(difference > width) & one(difference > spots[i].width)
		fits = fits>>1 | uint64(apart^1)<<63
	}
	fits >>= lineupMax - len(spots)
	l.fits[spot], l.fitted = fits, l.fitted|1<<spot
	return fits
}
