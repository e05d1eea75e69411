package matcher

// reachSets is who reaches each region within a level, a bit a place.
type reachSets struct {
	known  bool
	places []uint64 // by region and word
}

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
func (g *gathering) reaching(level uint8) []uint64 {
	for int(level) >= len(g.reach) {
		g.reach = append(g.reach, reachSets{})
	}
	sets := &g.reach[level]
	if !sets.known {
		g.turnOver(level, sets)
	}
	return sets.places
}

// turnOver makes of the regions of each place the places of each region.
func (g *gathering) turnOver(level uint8, sets *reachSets) {
	all := g.regions()
	for len(sets.places) < 64*g.words {
		sets.places = append(sets.places, 0)
	}
	for k := range g.words {
		rows := g.rows[k*64 : min(len(g.rows), k*64+64)]
		for half := 0; half < 64 && all>>half != 0; half += 32 {
			var square [32]uint64
			for i, row := range rows {
				mask := g.pool.reach.mask(row, level) >> half & (1<<32 - 1)
				square[i%32] |= mask << (i &^ 31)
			}
			transpose(&square)
			for region, places := range square {
				sets.places[(half+region)*g.words+k] = places
			}
		}
	}
	sets.known = true
}

// transpose mirrors two squares of 32 bits side by side: bit i of word k, in either
// half, becomes bit k of word i.
func transpose(square *[32]uint64) {
	mask := uint64(0x0000ffff0000ffff)
	for step := 16; step != 0; step, mask = step/2, mask^mask<<(step/2) {
		for k := 0; k < 32; k = (k + step + 1) &^ step {
			swap := (square[k]>>step ^ square[k|step]) & mask
			square[k|step] ^= swap
			square[k] ^= swap << step
		}
	}
}
