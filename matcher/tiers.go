package matcher

import (
	"math"
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

// divide enters the members of a star into tiers, and those who are recent. Who has no
// width of his own is in no tier.
func (g *gathering) divide() {
	p := g.pool
	if g.tiers = g.tiers[:0]; p.star == nil {
		return
	}
	g.recent = append(g.recent[:0], make([]uint64, g.words)...)
	for k := range g.stands {
		row := g.stands[k].row
		recent := max(g.presence[row].joined, p.touched[row]) > g.asOf
		g.recent[k/64] |= uint64(one(recent)) << (k % 64)
		if narrow := p.fronts[row].narrow; !math.IsInf(narrow, 1) {
			g.tier(narrow).places[k/64] |= 1 << (k % 64)
		}
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

// company returns those behind a seed whom the axis lets it meet, or a few more, as words
// of the set of all places from one on. It is good until the next call.
func (g *gathering) company(seed Row) (places []uint64, first int) {
	places, first = g.circle(g.outline(seed))
	f := g.pool.fronts[seed]
	for i := range g.tiers {
		t := &g.tiers[i]
		if t.narrow >= g.pool.fronts[seed].width {
			continue
		}
		f.width = t.narrow
		from, to := g.run(g.ruler.extent(&f))
		for k, shy := range t.places[first:][:len(places)] {
			places[k] &^= shy &^ between(from, to, first+k)
		}
	}
	return places, first
}

// between returns the places of a run that are in a word of the set of all places.
func between(from, to, word int) uint64 {
	low, high := min(max(from-64*word, 0), 64), min(max(to-64*word, 0), 64)
	return 1<<high - 1<<low
}
