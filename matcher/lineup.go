package matcher

import (
	"math"
	"math/bits"
	"slices"
)

// lineupMax bounds the candidates of a lineup: a set of them is one word.
const lineupMax = 64

// lineup is all candidates of a seed in the order of their numbers on the axis, those
// without one first, each in a spot of its own. Where nothing but the axis and the
// regions decides who may be together, what a search asks again and again takes a few
// operations on sets of spots.
type lineup struct {
	on      bool // there are at most lineupMax
	rows    []Row
	numbers []float64
	width   []float64 // see front
	size    []int32
	common  []uint64 // regions shared with the seed
	total   []float64
	ranked  []ranked
	fits    [lineupMax]uint64 // who may meet the one in a spot
	fitted  uint64            // spots whose fits are known

	// for hopefulLine
	surveyed bool                  // what follows is known
	free     uint64                // without number
	place    [lineupMax]int32      // by spot: in the ranking
	later    [lineupMax + 1]uint64 // by place in the ranking: it and all behind
	reach    [MaxRegions]uint64    // by region
	sizes    []lineupSize
}

// ranked is a spot and its total distance to the seed.
type ranked struct {
	total float64
	spot  int32
}

// lineupSize is the spots of tickets of a size.
type lineupSize struct {
	size  int32
	spots uint64
}

// lines tells whether a ruleset lets candidates line up: the axis and the region are all
// that decides, always, and who has waited longest has the widest bound.
func (p *Pool) lines() bool {
	axis := p.index.axis
	return p.decisive && p.ordered && axis != nil && axis.rising() && (p.region == nil || p.region.firm())
}

// lineUp makes the lineup of a seed. It returns how many players are missing at least, in
// every region, until the seed may have enough around it; 0 when it may.
func (s *search) lineUp(c *circle) (missing int) {
	p, l, g := s.pool, &s.lineup, &c.subset.gathered
	f, room := &p.fronts[c.seed], s.seats-p.size[c.seed]
	near, sets := p.near(c.seed)&g.regions(), g.reaching(f.level)
	places, first := g.circle(g.window(c.seed))
	if missing = g.shortOf(max(1, int32(p.rules.MinPlayers)-p.size[c.seed]), f, near, places, first, room); missing > 0 {
		return missing
	}
	l.clear()
	for k, set := range places {
		there := uint64(0)
		for m := near; m != 0; m &= m - 1 {
			there |= sets[bits.TrailingZeros64(m)*g.words+first+k]
		}
		for set &= there; set != 0; set &= set - 1 {
			x := &g.stands[(first+k)*64+bits.TrailingZeros64(set)]
			if p.fronts[x.row].size <= room {
				l.enter(p, x, near&p.reach.mask(x.row, f.level))
			}
		}
	}
	s.lineDistances(c.seed)
	if l.on = len(l.rows) <= lineupMax; l.on {
		s.rankLine()
	} else {
		s.heapLine(c.seed, room)
	}
	return 0
}

// clear forgets the seed before.
func (l *lineup) clear() {
	l.rows, l.numbers, l.width = l.rows[:0], l.numbers[:0], l.width[:0]
	l.size, l.common, l.total = l.size[:0], l.common[:0], l.total[:0]
	l.fitted, l.surveyed = 0, false
}

// enter puts a ticket into the next spot.
func (l *lineup) enter(p *Pool, x *stand, common uint64) {
	f := &p.fronts[x.row]
	l.rows, l.numbers, l.width = append(l.rows, x.row), append(l.numbers, x.number), append(l.width, f.width)
	l.size, l.common, l.total = append(l.size, f.size), append(l.common, common), append(l.total, 0)
}

// heapLine gives candidates who are too many for a lineup to the ranker, which lists
// them as they are asked for.
func (s *search) heapLine(seed Row, room int32) {
	r, l := &s.ranker, &s.lineup
	r.begun(seed, room)
	for spot, row := range l.rows {
		r.heap = append(r.heap, rated{l.total[spot], row, false})
	}
	r.heap.init(r.before)
}

// rankLine lists the candidates by their total distance to the seed, ties by age.
func (s *search) rankLine() {
	p, l := s.pool, &s.lineup
	l.ranked = slices.Grow(l.ranked[:0], len(l.rows))[:len(l.rows)]
	for spot, total := range l.total { // few: an insertion costs less than a call for each comparison
		r, k := ranked{total, int32(spot)}, spot
		for ; k > 0 && l.before(p, r, l.ranked[k-1]); k-- {
			l.ranked[k] = l.ranked[k-1]
		}
		l.ranked[k] = r
	}
	for _, r := range l.ranked {
		row, number := l.rows[r.spot], l.numbers[r.spot]
		at := numbers{number, number, p.index.axis.force[row].bound}
		if math.IsNaN(number) {
			at = numbers{math.Inf(1), math.Inf(-1), math.Inf(-1)}
		}
		s.list = append(s.list, candidate{row: row, size: l.size[r.spot], spot: r.spot, reach: l.common[r.spot], numbers: at})
	}
	s.ended = true
}

// before is the rank of two candidates.
func (l *lineup) before(p *Pool, a, b ranked) bool {
	return a.total < b.total || a.total == b.total && p.older(l.rows[a.spot], l.rows[b.spot])
}

// lineDistances computes the total of pair for a seed and everybody in the lineup.
func (s *search) lineDistances(seed Row) {
	p, l := s.pool, &s.lineup
	for _, c := range p.ranking {
		bound := c.force[seed].bound
		if c != p.region {
			number := c.number[seed]
			for spot, other := range l.numbers {
				if difference := math.Abs(number - other); !math.IsNaN(difference) {
					l.total[spot] += float64(c.weight * share(difference, bound))
				}
			}
			continue
		}
		mine := p.reach.row(seed)
		for spot, row := range l.rows {
			quality, other := 0.0, p.reach.row(row)[:len(mine)]
			for m := l.common[spot]; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				quality += regionQuality(max(mine[i], other[i]), bound)
			}
			l.total[spot] += float64(c.weight * (1 / (1 + quality)))
		}
	}
}

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
			if last-l.numbers[k] <= width {
				break
			}
			inside &^= 1 << k
		}
		players = l.players(inside)
	}
	return players >= need
}
