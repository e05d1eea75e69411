package matcher

import (
	"math"
	"math/bits"
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
	g.call(members)
	g.seat()
	g.numberless = 0
	for g.numberless < len(g.stands) && math.IsNaN(g.stands[g.numberless].number) {
		g.numberless++
	}
	g.ruler.outline(g.numberless, g.stands)
	g.words = (len(g.stands) + 63) / 64
	for i := range g.reach {
		g.reach[i].known = false
	}
	g.measure()
	g.divided = false
}

// call notes who is here, and lists those who came.
func (g *gathering) call(members []member) {
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
	k := g.presence[row].place
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

// circle returns those who come behind a seed and stand within a window, or have no
// number, as words of the set of all places from one on. It is good until the next call.
func (g *gathering) circle(from, to int) (places []uint64, first int) {
	last := (to + 63) / 64
	if first = from / 64; g.numberless > 0 {
		first = 0
	}
	places = g.around[:last-first]
	for k := range places { // few: a copy would have to guess how many
		places[k] = g.behind[first+k]
	}
	if to%64 != 0 {
		places[len(places)-1] &= 1<<(to%64) - 1
	}
	if g.numberless == 0 && len(places) > 0 {
		places[0] &= ^uint64(0) << (from % 64)
	} else {
		drop(places, g.numberless, from)
	}
	return places, first
}

// drop takes a run of places out of a set.
func drop(places []uint64, from, to int) {
	for k := from / 64; k < len(places) && k*64 < to; k++ {
		run := ^uint64(0)
		if k == from/64 {
			run <<= from % 64
		}
		if k == to/64 {
			run &= 1<<(to%64) - 1
		}
		places[k] &^= run
	}
}

// window returns the places of those with numbers whom a width lets a seed meet: those of
// its cells without the few at the ends who are too far.
func (g *gathering) window(seed Row) (from, to int) {
	f := &g.pool.fronts[seed]
	if from, to = g.outline(seed); math.IsNaN(f.number) || math.IsInf(f.width, 1) {
		return from, to
	}
	for from < to && f.number-g.stands[from].number > f.width {
		from++
	}
	for from < to && g.stands[to-1].number-f.number > f.width {
		to--
	}
	return from, to
}

// extentOf returns the cells of a seed's window.
func (g *gathering) extentOf(row Row) extent {
	here := &g.presence[row]
	if touched := g.pool.touched[row]; here.extent.asOf != touched {
		here.extent = g.ruler.extent(&g.pool.fronts[row])
		here.extent.asOf = touched
	}
	return here.extent
}

// outline returns a window like that of window, or one that is larger by parts of a cell
// at its ends, without a search.
func (g *gathering) outline(row Row) (from, to int) { return g.run(g.extentOf(row)) }

// run returns the places that some cells hold.
func (g *gathering) run(of extent) (from, to int) {
	if of.whole {
		return 0, len(g.stands)
	}
	return int(g.ruler.outlined[of.from]), int(g.ruler.outlined[of.to+1])
}

// came returns the players, or more, who came since the last gathering within a seed's
// width.
func (g *gathering) came(row Row) int32 {
	s, tickets := g.extentOf(row), int32(len(g.fresh))
	if !s.whole {
		tickets = g.ruler.numberless + g.ruler.arrived[s.to+1] - g.ruler.arrived[s.from]
	}
	return tickets * g.largest
}

// fullest returns the players in the fullest of some regions of a seed, or a few more,
// among those who come behind it within its width and are no larger than room.
func (g *gathering) fullest(seed Row, near uint64, room int32) (players int32) {
	f := &g.pool.fronts[seed]
	g.meet(seed)
	places, first := g.company, g.first
	if near == anywhere {
		return g.playersOf(places, places, first, room)
	}
	sets := g.reaching(f.level)
	near &= g.regions()
	if alike := len(g.sizes) == 1 && g.largest <= room; !alike {
		for m := near; m != 0; m &= m - 1 {
			there := sets[bits.TrailingZeros64(m)*g.words+first:]
			players = max(players, g.playersOf(places, there[:len(places)], first, room))
		}
		return players
	}
	tickets := 0
	if len(places) == 1 { // as in most pools
		for m := near; m != 0; m &= m - 1 {
			tickets = max(tickets, bits.OnesCount64(places[0]&sets[bits.TrailingZeros64(m)*g.words+first]))
		}
		return int32(tickets) * g.largest
	}
	for m := near; m != 0; m &= m - 1 {
		from, n := bits.TrailingZeros64(m)*g.words+first, 0
		for k, there := range sets[from : from+len(places)] {
			n += bits.OnesCount64(places[k] & there)
		}
		tickets = max(tickets, n)
	}
	return int32(tickets) * g.largest
}

// playersOf counts the players of tickets that are in two sets and no larger than room.
// Both begin with the word first.
func (g *gathering) playersOf(places, there []uint64, first int, room int32) (players int32) {
	if len(g.sizes) == 1 && g.sizes[0].size <= room {
		for k, set := range places {
			players += int32(bits.OnesCount64(set & there[k]))
		}
		return players * g.sizes[0].size
	}
	for i := range g.sizes {
		if g.sizes[i].size > room {
			break
		}
		n, like := 0, g.sizes[i].places[first:][:len(places)]
		for k, set := range places {
			n += bits.OnesCount64(set & there[k] & like[k])
		}
		players += int32(n) * g.sizes[i].size
	}
	return players
}

// news tells whether, since an instant as Pool.changes counts, a seed's rules changed or
// somebody came or changed with whom it shares a region.
func (g *gathering) news(seed Row, since uint64) bool {
	p := g.pool
	if p.touched[seed] > since {
		return true
	}
	f, near := &p.fronts[seed], p.near(seed)
	places, first := g.circle(g.window(seed))
	for k, set := range places {
		for ; set != 0; set &= set - 1 {
			row := g.stands[(first+k)*64+bits.TrailingZeros64(set)].row
			if max(g.presence[row].joined, p.touched[row]) > since && near&p.reach.mask(row, f.level) != 0 {
				return true
			}
		}
	}
	return false
}

// neighbour is somebody whom fronts let a seed meet.
type neighbour struct {
	row    Row
	size   int32
	common uint64 // regions
}

// neighbours lists those behind a seed whom fronts let it meet. The list is good until
// the next call.
func (g *gathering) neighbours(seed Row, room int32) []neighbour {
	p := g.pool
	f, near := &p.fronts[seed], p.near(seed)
	found := g.found[:0]
	places, first := g.circle(g.window(seed))
	for k, set := range places {
		for ; set != 0; set &= set - 1 {
			place := (first+k)*64 + bits.TrailingZeros64(set)
			row := g.stands[place].row
			y, common := &p.fronts[row], near&p.reach.mask(row, f.level)
			if common != 0 && y.size <= room && y.kind == f.kind && !(math.Abs(y.number-f.number) > y.narrow) {
				found = append(found, neighbour{row, y.size, common})
			}
		}
	}
	g.found = found
	return found
}

// one returns 1 for true. It compiles to no branch.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
