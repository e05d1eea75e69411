package matcher

import (
	"math"
	"slices"
)

// gathering is the members of a subset as a pass begins, side by side in blocks: those
// with the same nearest region are together, in order of age. Whoever looks for
// company passes over whole blocks whose regions are out of reach.
type gathering struct {
	blocks []block
	used   []uint8 // blocks in which there is somebody
	stands []stand
	at     []int32  // by row: place among the stands
	reach  []uint64 // by block and level: regions that somebody there reaches within it
	found  []neighbour
}

// block is the stands of those with the same nearest region.
type block struct {
	from, to int
	near     uint64 // regions that somebody here reaches with those who have waited less
	level    uint8  // the highest here
	free     bool   // somebody here meets in any region
}

// stand is what decides first whether a member may meet another.
type stand struct {
	number, width, narrow float64 // see front
	near                  uint64
	row                   Row
	kind                  int32 // of a star: only the like meet
	at                    int32 // among the members
	size                  int32 // nobody once it has left
	level                 uint8
}

// gather fills the stands.
func (g *gathering) gather(p *Pool, members []member) {
	if len(g.blocks) == 0 {
		g.blocks = make([]block, MaxRegions+1)
	}
	for len(g.at) < len(p.state) {
		g.at = append(g.at, 0)
	}
	clear(g.blocks)
	for i := range members {
		g.blocks[p.home[members[i].row]].to++
	}
	sum := 0
	g.used = g.used[:0]
	for i := range g.blocks {
		b := &g.blocks[i]
		if b.to == 0 {
			continue
		}
		g.used = append(g.used, uint8(i))
		b.from, sum = sum, sum+b.to
		b.to = b.from
	}
	g.stands = slices.Grow(g.stands[:0], sum)[:sum]
	stride := p.reach.stride()
	g.reach = append(g.reach[:0], make([]uint64, len(g.blocks)*stride)...)
	for i := range members {
		row := members[i].row
		f, b := &p.fronts[row], &g.blocks[p.home[row]]
		near := p.near(row)
		g.stands[b.to] = stand{f.number, f.width, f.narrow, near, row, 0, int32(i), f.size, f.level}
		if p.star != nil {
			g.stands[b.to].kind = p.star.rows[row].kind
		}
		g.at[row] = int32(b.to)
		b.to++
		b.near |= near
		b.level, b.free = max(b.level, f.level), b.free || f.level == free && !p.reach.star
		reach := g.reach[int(p.home[row])*stride:]
		for level, mask := range p.reach.masks[int(row)*stride : (int(row)+1)*stride] {
			reach[level] |= mask
		}
	}
}

// leave takes members out who were matched; others are passed over.
func (g *gathering) leave(rows []Row) {
	for _, row := range rows {
		if int(row) < len(g.at) && int(g.at[row]) < len(g.stands) && g.stands[g.at[row]].row == row {
			g.stands[g.at[row]].size = nobody
		}
	}
}

// neighbour is somebody whom fronts let a seed meet.
type neighbour struct {
	row    Row
	size   int32
	common uint64 // regions
}

// behind lists those who have waited less than a seed and whom fronts let it meet.
// The list is good until the next call. Who fits is a toss-up, so each is written down
// and then counted or not: to guess wrong costs more than that.
func (g *gathering) behind(p *Pool, at int, seed Row, room int32) []neighbour {
	if len(g.found) < len(g.stands) {
		g.found = make([]neighbour, 2*len(g.stands))
	}
	found, n := g.found, 0
	x := g.stands[g.at[seed]]
	masks, stride, level := p.reach.masks, p.reach.stride(), int(x.level)
	for _, i := range g.used {
		b := &g.blocks[i]
		if g.reach[int(i)*stride+level]&x.near == 0 {
			continue
		}
		for k := b.to - 1; k >= b.from; k-- {
			y := &g.stands[k]
			if int(y.at) <= at {
				break
			}
			common := x.near & masks[int(y.row)*stride+level]
			found[n] = neighbour{y.row, y.size, common}
			n += one(common != 0) & one(y.size <= room) & one(y.kind == x.kind) & x.close(y)
		}
	}
	return found[:n]
}

// close returns 1 if the axis lets two meet of which the second has waited less, or if
// it does not count, else 0.
func (x *stand) close(y *stand) int {
	difference := math.Abs(y.number - x.number) // NaN without numbers
	return one(!(difference > x.width)) & one(!(difference > y.narrow))
}

// one returns 1 for true. It compiles to no branch.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
