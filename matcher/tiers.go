package matcher

import (
	"math"
	"math/bits"
	"slices"
)

// tier is the members who let those who have waited longer come no closer than a width
// of their own.
type tier struct {
	narrow float64
	places []uint64
}

// tiersMax bounds the tiers; the last takes all that are left, by the widest of them.
const tiersMax = 8

// divide enters those whose width has changed since they came into tiers, the first time
// that somebody asks. They are the oldest.
func (g *gathering) divide() {
	if g.divided {
		return
	}
	p := g.pool
	g.divided, g.tiers = true, g.tiers[:0]
	first := &p.stages.kept[0]
	g.tier(first.front.width)
	for i := range g.members {
		row := g.members[i].row
		if p.star.wait(row) < first.untilMS {
			break
		}
		if narrow := p.fronts[row].narrow; narrow != first.front.width {
			place := g.presence[row].place
			g.tier(narrow).places[place/64] |= 1 << (place % 64)
		}
	}
	for k := range g.words { // who is in no other tier is in the first
		all := ^uint64(0)
		for i := range g.tiers[1:] {
			all &^= g.tiers[1+i].places[k]
		}
		g.tiers[0].places[k] = all
	}
}

// tier returns the tier of a width.
func (g *gathering) tier(narrow float64) *tier {
	n := len(g.tiers)
	for i := range g.tiers {
		if t := &g.tiers[i]; t.narrow == narrow || i == tiersMax-1 {
			t.narrow = max(t.narrow, narrow)
			return t
		}
	}
	g.tiers = slices.Grow(g.tiers, 1)[:n+1]
	t := &g.tiers[n]
	t.narrow, t.places = narrow, append(t.places[:0], make([]uint64, g.words)...)
	return t
}

// meet finds the company of a seed, which is good until somebody has his turn, leaves or
// meets: those behind it whom the axis lets it meet, or a few more, as words of the set of
// all places from one on.
func (g *gathering) meet(seed Row) {
	places, first := g.circle(g.outline(seed))
	g.company, g.first = places, first
	if g.pool.star == nil || g.pool.fronts[seed].width <= g.pool.stages.kept[0].front.width {
		return
	}
	g.divide()
	f := g.pool.fronts[seed]
	for i := range g.tiers {
		t := &g.tiers[i]
		if t.narrow >= g.pool.fronts[seed].width {
			continue
		}
		f.width = t.narrow
		within := g.ruler.extent(&f)
		from, to := g.run(&within)
		for k, shy := range t.places[first:][:len(places)] {
			places[k] &^= shy &^ between(from, to, first+k)
		}
	}
}

// there returns who reaches a region of a seed, from the first word of its company on: with
// NoRegion wherever they are.
func (g *gathering) there(seed Row, region Region) []uint64 {
	if region == NoRegion {
		return g.company
	}
	return g.reaching(g.pool.fronts[seed].level)[int(region)*g.words+g.first:]
}

// playersAt returns the players of a seed's company who reach a region of it.
func (g *gathering) playersAt(seed Row, region Region) int32 {
	return g.playersOf(g.company, g.there(seed, region), g.first, math.MaxInt32)
}

// reachers lists those of a seed's company who reach a region of it. The list is good
// until the next call.
func (g *gathering) reachers(seed Row, region Region) []Row {
	g.listed = g.listed[:0]
	there := g.there(seed, region)
	for k, set := range g.company {
		for set &= there[k]; set != 0; set &= set - 1 {
			g.listed = append(g.listed, g.stands[(g.first+k)*64+bits.TrailingZeros64(set)].row)
		}
	}
	return g.listed
}

// between returns the places of a run that are in a word of the set of all places.
func between(from, to, word int) uint64 {
	low, high := min(max(from-64*word, 0), 64), min(max(to-64*word, 0), 64)
	return 1<<high - 1<<low
}
