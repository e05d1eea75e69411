package matcher

import (
	"math"
	"slices"
)

// gathering is the members of a subset as a pass begins, in the order of their numbers
// on the axis, those without one first. Whom the axis lets a seed meet is then a run of
// places; who comes behind it in age, and who reaches a region, is a bit a place. So a
// seed counts who stands around it 64 tickets at a time.
type gathering struct {
	pool       *Pool
	members    []member // in order of age
	stands     []stand  // by place
	numberless int      // places without number
	ruler      ruler
	presence   []presence
	count      uint32   // of gatherings
	fresh      []stand  // who came since the last one
	words      int      // of a set of places
	behind     []uint64 // those who are here and have not had their turn
	sizes      []sized
	largest    int32
	tiers      []tier
	divided    bool        // tiers are known
	reach      []reachSets // by level
	around     []uint64    // scratch of circle
	file       []filed     // scratch of closest
	seen       []uint64    // scratch of shortOf
	found      []neighbour // scratch of neighbours
	company    []uint64    // see meet
	first      int         // word of the company
	listed     []Row       // scratch of reachers
}

// presence is what is known of a row that is, or was, here.
type presence struct {
	joined uint64 // see member
	since  uint32 // the gathering at which it came
	count  uint32 // the last gathering at which it was here
	place  int32
	extent extent
}

// stand is a member and where it stands on the axis.
type stand struct {
	number float64 // NaN: nowhere
	row    Row
	cell   uint8 // see ruler
}

// sized is the tickets of a size.
type sized struct {
	size   int32
	places []uint64
}

// gather finds everybody's place. Cost: a few operations for each member, and a sort of
// those who came.
func (g *gathering) gather(p *Pool, members []member) {
	g.pool, g.members = p, members
	g.rollCall(members)
	g.seat()
	g.numberless = 0
	for g.numberless < len(g.stands) && math.IsNaN(g.stands[g.numberless].number) {
		g.numberless++
	}
	g.ruler.draw(g.numberless, g.stands)
	g.words = (len(g.stands) + 63) / 64
	for i := range g.reach {
		g.reach[i].known = false
	}
	g.measure()
	g.divided = false
}

// rollCall notes who is here, and lists those who came.
func (g *gathering) rollCall(members []member) {
	for len(g.presence) < len(g.pool.state) {
		g.presence = append(g.presence, presence{})
	}
	g.count++
	g.fresh = g.fresh[:0]
	for i := range members {
		m := &members[i]
		here := &g.presence[m.row]
		if here.count = g.count; here.joined != m.joined {
			number := g.pool.fronts[m.row].number
			*here = presence{joined: m.joined, since: g.count, count: g.count}
			g.fresh = append(g.fresh, stand{number: number, row: m.row})
		}
	}
	if !g.ruler.holds(g.fresh) {
		g.ruler.stretch(g.stands, g.fresh)
		for k := range g.stands {
			g.stands[k].cell = g.ruler.cell(g.stands[k].number)
		}
		for row := range g.presence {
			g.presence[row].extent = extent{}
		}
	}
	g.fresh = g.ruler.sort(g.fresh)
}

// seat drops those who left and merges in those who came.
func (g *gathering) seat() {
	last := 0
	for _, x := range g.stands {
		g.stands[last] = x
		here := &g.presence[x.row]
		last += one(here.count == g.count) & one(here.since != g.count)
	}
	came := len(g.fresh)
	stands := slices.Grow(g.stands[:last], came)[:last+came]
	for k := len(stands) - 1; k >= 0; k-- {
		if came > 0 && (last == 0 || !stands[last-1].behind(&g.fresh[came-1])) {
			came--
			stands[k] = g.fresh[came]
		} else {
			last--
			stands[k] = stands[last]
		}
		g.presence[stands[k].row].place = int32(k)
	}
	g.stands = stands
}

// behind tells whether one stands behind another on the axis, those without number first.
func (x *stand) behind(other *stand) bool {
	return other.number < x.number || other.number != other.number && x.number == x.number
}

// measure enters the sizes of all tickets, where they differ.
func (g *gathering) measure() {
	g.sizes = g.sizes[:0]
	for size, tickets := range g.pool.sizes {
		if tickets == 0 {
			continue
		}
		g.largest = int32(size)
		n := len(g.sizes)
		g.sizes = slices.Grow(g.sizes, 1)[:n+1]
		g.sizes[n].size = int32(size)
	}
	if len(g.sizes) < 2 {
		return
	}
	for i := range g.sizes {
		g.sizes[i].places = append(g.sizes[i].places[:0], make([]uint64, g.words)...)
	}
	for k := range g.stands {
		for i := range g.sizes {
			if g.sizes[i].size == g.pool.fronts[g.stands[k].row].size {
				g.sizes[i].places[k/64] |= 1 << (k % 64)
			}
		}
	}
}

// assemble begins a pass: nobody has had a turn.
func (g *gathering) assemble() {
	g.behind = slices.Grow(g.behind[:0], g.words)[:g.words]
	g.around = slices.Grow(g.around[:0], g.words)[:g.words]
	for k := range g.behind {
		g.behind[k] = ^uint64(0)
	}
	if n := len(g.stands) % 64; n != 0 {
		g.behind[g.words-1] = 1<<n - 1
	}
}

// turn takes a member out of those who come behind the next.
func (g *gathering) turn(row Row) {
	k := uint(g.presence[row].place)
	g.behind[k/64] &^= 1 << (k % 64)
}

// leave takes members out who were matched; others are passed over.
func (g *gathering) leave(rows []Row) {
	for _, row := range rows {
		if int(row) < len(g.presence) && g.presence[row].count == g.count {
			g.turn(row)
		}
	}
}

// one returns 1 for true. It compiles to no branch.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
