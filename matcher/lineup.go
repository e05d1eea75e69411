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
