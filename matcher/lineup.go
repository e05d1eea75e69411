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
	on     bool // there are at most lineupMax
	spots  []lined
	ranked []ranked
	fits   [lineupMax]uint64 // who may meet the one in a spot
	fitted uint64            // spots whose fits are known

	// for hopefulLine
	surveyed bool                  // what follows is known
	free     uint64                // without number
	later    [lineupMax + 1]uint64 // by place in the ranking: it and all behind
	reach    [MaxRegions]uint64    // by region
	sizes    []lineupSize
}

// lined is who stands in a spot.
type lined struct {
	number float64
	width  float64 // see front
	total  float64 // distance to the seed
	common uint64  // regions shared with the seed
	row    Row
	size   int32
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
	l.fitted, l.surveyed = 0, false
	spots, n := slices.Grow(l.spots[:0], 64*len(places))[:64*len(places)], 0
	for k, set := range places {
		there := uint64(0)
		for m := near; m != 0; m &= m - 1 {
			there |= sets[bits.TrailingZeros64(m)*g.words+first+k]
		}
		for set &= there; set != 0; set &= set - 1 {
			x := &g.stands[(first+k)*64+bits.TrailingZeros64(set)]
			if y := &p.fronts[x.row]; y.size <= room {
				spot := &spots[n]
				spot.number, spot.width, spot.total = x.number, y.width, 0
				spot.common, spot.row, spot.size = near&p.reach.mask(x.row, f.level), x.row, y.size
				n++
			}
		}
	}
	l.spots = spots[:n]
	s.lineDistances(c.seed)
	if l.on = len(l.spots) <= lineupMax; l.on {
		l.rank(p)
	} else {
		s.heapLine(c.seed, room)
	}
	return 0
}

// heapLine gives candidates who are too many for a lineup to the ranker, which lists
// them as they are asked for.
func (s *search) heapLine(seed Row, room int32) {
	r, l := &s.ranker, &s.lineup
	r.begun(seed, room)
	for i := range l.spots {
		r.heap = append(r.heap, rated{l.spots[i].total, l.spots[i].row, false})
	}
	r.heap.init(r.before)
}

// rank lists the spots by their total distance to the seed, ties by age.
func (l *lineup) rank(p *Pool) {
	list := slices.Grow(l.ranked[:0], len(l.spots))[:len(l.spots)]
	for spot := range list { // few: an insertion costs less than a call for each comparison
		at, total := spot, l.spots[spot].total
		for ; at > 0; at-- {
			before := list[at-1]
			if !(before.total > total) && (before.total < total || p.older(l.spots[before.spot].row, l.spots[spot].row)) {
				break
			}
			list[at] = before
		}
		list[at] = ranked{total, int32(spot)}
	}
	l.ranked = list
}

// lineDistances computes the total of pair for a seed and everybody in the lineup.
func (s *search) lineDistances(seed Row) {
	p, l := s.pool, &s.lineup
	for _, c := range p.ranking {
		if c == p.region {
			s.lineRegions(seed)
			continue
		}
		number, bound := c.number[seed], c.force[seed].bound
		for i := range l.spots {
			x := &l.spots[i]
			if difference := math.Abs(number - x.number); !math.IsNaN(difference) {
				x.total += float64(c.weight * share(difference, bound))
			}
		}
	}
}

// lineRegions adds the distance by the region rule.
func (s *search) lineRegions(seed Row) {
	p, l := s.pool, &s.lineup
	t, held := &p.reach, &p.region.force[seed]
	limit := held.bound
	if t.lossy || !(limit > 0) || math.IsInf(limit*briefUnit, 1) {
		for i := range l.spots {
			x := &l.spots[i]
			quality, _ := t.common(seed, x.row, limit, held.level)
			x.total += float64(p.region.weight * (1 / (1 + quality)))
		}
		return
	}
	near, all, weight := t.nearOf(seed), t.near, p.region.weight
	limit *= briefUnit // a power of two: what follows is the same to the last bit
	for spots, i := l.spots, 0; i < len(spots); i++ {
		x := &spots[i]
		quality, other := 0.0, all[int(x.row)*len(near):][:len(near)]
		for m := x.common; m != 0; m &= m - 1 {
			region := bits.TrailingZeros64(m)
			quality += (limit - float64(max(near[region], other[region]))) / limit
		}
		x.total += float64(weight * (1 / (1 + quality)))
	}
}
