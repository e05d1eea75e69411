package matcher

import (
	"math"
	"math/bits"
)

// reachSets is who reaches each region within a level, a bit a place.
type reachSets struct {
	known   bool
	places  []uint64          // by region and word
	players [MaxRegions]int32 // by region, behind a seed or not
	crowded [crowdMax]uint64  // by players: the regions that so many reach, where that was worked out
	worked  uint16            // players for whom it was
}

// crowdMax bounds the players of whom it is noted which regions so many reach.
const crowdMax = 16

// regions returns all regions that masks of this pass may name. A mask that names more
// stands for anywhere: it shares the first with all like it.
func (g *gathering) regions() uint64 {
	p := g.pool
	n := max(1, len(p.reach.order))
	if p.star != nil {
		n = max(1, p.schema.Regions())
	}
	return ^uint64(0) >> (64 - n)
}

// reaching returns the places of those who reach each region within a level, by region
// and word.
func (g *gathering) reaching(level uint8) []uint64 { return g.setsOf(level).places }

// crowded returns those of a seed's regions that so many players reach, wherever they
// stand on the axis and in age, or anywhere.
func (g *gathering) crowded(seed Row, players int32) uint64 {
	near := g.pool.near(seed)
	if players <= 0 || near == anywhere {
		return near
	}
	sets, players := g.setsOf(g.pool.fronts[seed].level), min(players, crowdMax-1)
	if sets.worked>>players&1 == 0 {
		sets.worked |= 1 << players
		for m := g.regions(); m != 0; m &= m - 1 {
			region := bits.TrailingZeros64(m)
			sets.crowded[players] |= uint64(one(sets.players[region] >= players)) << region
		}
	}
	return near & sets.crowded[players]
}

// setsOf returns the sets of a level.
func (g *gathering) setsOf(level uint8) *reachSets {
	for int(level) >= len(g.reach) {
		g.reach = append(g.reach, reachSets{})
	}
	sets := &g.reach[level]
	if !sets.known {
		g.turnOver(level, sets)
		g.crowd(sets)
	}
	return sets
}

// crowd counts the players of each region.
func (g *gathering) crowd(sets *reachSets) {
	clear(sets.crowded[:])
	sets.worked = 0
	words, alike := g.words, len(g.sizes) == 1
	for region := range bits.Len64(g.regions()) {
		there := sets.places[region*words:][:words]
		if !alike {
			sets.players[region] = g.playersOf(there, there, 0, math.MaxInt32)
			continue
		}
		tickets := 0
		for _, set := range there {
			tickets += bits.OnesCount64(set)
		}
		sets.players[region] = int32(tickets) * g.largest
	}
}

// turnOver makes of the regions of each place the places of each region.
func (g *gathering) turnOver(level uint8, sets *reachSets) {
	all, words := g.regions(), g.words
	for len(sets.places) < 64*words {
		sets.places = append(sets.places, 0)
	}
	masks, stride := g.pool.reach.masks[level:], g.pool.reach.stride
	for k := range words {
		stands := g.stands[k*64 : min(len(g.stands), k*64+64)]
		for half := 0; half < 64 && all>>half != 0; half += 32 {
			var square [32]uint64
			for i := range min(32, len(stands)) {
				square[i] = masks[int(stands[i].row)*stride] >> half & (1<<32 - 1)
			}
			for i := 32; i < len(stands); i++ {
				square[i-32] |= masks[int(stands[i].row)*stride] >> half << 32
			}
			transpose(&square)
			there := sets.places[half*words+k:]
			for region := range square {
				there[region*words] = square[region]
			}
		}
	}
	sets.known = true
}

// transpose mirrors two squares of 32 bits side by side: bit i of word k, in either
// half, becomes bit k of word i. Shifts by constants are what makes it quick.
func transpose(square *[32]uint64) {
	for k := range 16 {
		square[k], square[k+16] = swap(square[k], square[k+16], 16, 0x0000ffff0000ffff)
	}
	for at := 0; at < 32; at += 16 {
		part := (*[16]uint64)(square[at:])
		for k := range 8 {
			part[k], part[k+8] = swap(part[k], part[k+8], 8, 0x00ff00ff00ff00ff)
		}
	}
	for at := 0; at < 32; at += 8 {
		part := (*[8]uint64)(square[at:])
		for k := range 4 {
			part[k], part[k+4] = swap(part[k], part[k+4], 4, 0x0f0f0f0f0f0f0f0f)
		}
	}
	for at := 0; at < 32; at += 4 {
		part := (*[4]uint64)(square[at:])
		a, c := swap(part[0], part[2], 2, 0x3333333333333333)
		b, d := swap(part[1], part[3], 2, 0x3333333333333333)
		part[0], part[1] = swap(a, b, 1, 0x5555555555555555)
		part[2], part[3] = swap(c, d, 1, 0x5555555555555555)
	}
}

// swap exchanges the bits of a that lie a shift above a mask with those of b within it.
func swap(a, b uint64, shift int, mask uint64) (_, _ uint64) {
	moved := (a>>shift ^ b) & mask
	return a ^ moved<<shift, b ^ moved
}
