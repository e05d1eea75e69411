package matcher

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// lineupMax bounds the candidates of a lineup: a set of them is one word.
const lineupMax = 64

// lineup is all candidates of a seed in the order of their numbers on the axis, those
// without one first, each in a spot of its own. Where nothing but the axis and the
// regions decides who may be together, whether a group can still become a match takes a
// few operations on sets of spots; see hopeful, which asks candidate by candidate.
type lineup struct {
	on      bool
	numbers [lineupMax]float64
	width   [lineupMax]float64 // see front
	born    [lineupMax]int64   // createdMS
	spots   []int32            // scratch: places in search.list
	free    uint64             // without number
	later   [lineupMax + 1]uint64
	fits    [lineupMax]uint64 // who may meet the one in a spot
	fitted  uint64            // spots whose fits are known
	reach   [MaxRegions]uint64
	sizes   []lineupSize
}

// lineupSize is the spots of tickets of a size.
type lineupSize struct {
	size  int32
	spots uint64
}

// lines tells whether a ruleset lets a lineup answer for hopeful: the axis and the
// region are all that decides, always, and who has waited longest has the widest bound.
func (p *Pool) lines() bool {
	axis := p.index.axis
	return p.decisive && p.ordered && axis != nil && axis.rising() && (p.region == nil || p.region.firm())
}

// lineUp makes the lineup of a seed's candidates, unless they are too many.
func (s *search) lineUp() {
	for len(s.list) <= lineupMax && s.have(len(s.list)) {
	}
	l, n := &s.lineup, len(s.list)
	if l.on = n <= lineupMax; !l.on {
		return
	}
	l.spots = l.spots[:0]
	for k := range s.list {
		l.spots = append(l.spots, int32(k))
	}
	slices.SortFunc(l.spots, func(a, b int32) int {
		return cmp.Compare(s.pool.fronts[s.list[a].row].number, s.pool.fronts[s.list[b].row].number)
	})
	l.free, l.fitted, l.sizes = 0, 0, l.sizes[:0]
	clear(l.reach[:])
	for spot, k := range l.spots {
		c := &s.list[k]
		c.spot = int32(spot)
		bit := uint64(1) << spot
		l.numbers[spot], l.width[spot] = s.pool.fronts[c.row].number, s.pool.fronts[c.row].width
		l.born[spot] = s.pool.createdMS[c.row]
		if math.IsNaN(l.numbers[spot]) {
			l.free |= bit
		}
		for m := c.reach; m != 0; m &= m - 1 {
			l.reach[bits.TrailingZeros64(m)] |= bit
		}
		l.measure(c.size, bit)
	}
	l.later[n] = 0
	for k := n - 1; k >= 0; k-- {
		l.later[k] = l.later[k+1] | 1<<s.list[k].spot
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

// fit returns who may meet the one in a spot: the bound of who has waited longer counts.
func (l *lineup) fit(spot int) uint64 {
	if l.fitted>>spot&1 != 0 {
		return l.fits[spot]
	}
	fits, number := uint64(0), l.numbers[spot]
	for i := range l.spots {
		width := l.width[i]
		if l.born[spot] <= l.born[i] {
			width = l.width[spot]
		}
		if !(math.Abs(l.numbers[i]-number) > width) {
			fits |= 1 << i
		}
	}
	l.fits[spot], l.fitted = fits, l.fitted|1<<spot
	return fits
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
	open := s.open(s.depth) & l.later[from]
	for i := range l.sizes {
		if l.sizes[i].size > s.seats-top.players {
			open &^= l.sizes[i].spots
		}
	}
	for m := top.reach; m != 0; m &= m - 1 {
		there := open & l.reach[bits.TrailingZeros64(m)]
		if l.players(there) >= need && l.together(there, need, &top.numbers) {
			return true
		}
	}
	return false
}

// together tells whether some of the ones in spots, as many players as are needed, stand
// so close together on the axis, and to a group, that they may be in one match with it.
func (l *lineup) together(spots uint64, need int32, group *numbers) bool {
	width := group.widest + tolerance
	inside, players := spots&l.free, int32(0)
	players = l.players(inside)
	for m := spots &^ l.free; players < need && m != 0; m &= m - 1 {
		spot := bits.TrailingZeros64(m)
		last := max(l.numbers[spot], group.highest)
		if last-group.lowest > width {
			return false
		}
		inside |= 1 << spot
		for there := inside &^ l.free; there != 0; there &= there - 1 {
			k := bits.TrailingZeros64(there)
			if last-l.numbers[k] <= width {
				break
			}
			inside &^= 1 << k
		}
		players = l.players(inside)
	}
	return players >= need
}
