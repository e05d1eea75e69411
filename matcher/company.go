package matcher

import (
	"math"
	"math/bits"
)

// circle returns those who come behind a seed and stand within a window, or have no
// number, as words of the set of all places from one on. It is good until the next call.
func (g *gathering) circle(from, to int) (places []uint64, first int) {
	last := int(uint(to+63) / 64) // unsigned: the division is a shift
	if first = int(uint(from) / 64); g.numberless > 0 {
		first = 0
	}
	places = g.around[:last-first]
	for k := range places { // few: a copy would have to guess how many
		places[k] = g.behind[first+k]
	}
	if to := uint(to) % 64; to != 0 {
		places[len(places)-1] &= 1<<to - 1
	}
	if g.numberless == 0 && len(places) > 0 {
		places[0] &= ^uint64(0) << (uint(from) % 64)
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

// extentOf returns the cells of a seed's window. They are good until it changes.
func (g *gathering) extentOf(row Row) *extent {
	here := &g.presence[row]
	if touched := g.pool.touched[row]; here.extent.asOf != touched {
		here.extent = g.ruler.extent(&g.pool.fronts[row])
		here.extent.asOf = touched
	}
	return &here.extent
}

// outline returns a window like that of window, or one that is larger by parts of a cell
// at its ends, without a search.
func (g *gathering) outline(row Row) (from, to int) { return g.run(g.extentOf(row)) }

// run returns the places that some cells hold.
func (g *gathering) run(of *extent) (from, to int) {
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
	if alike := len(g.sizes) == 1 && g.largest <= room; alike {
		return int32(mostOf(places, sets[first:], near, g.words)) * g.largest
	}
	for m := near; m != 0; m &= m - 1 {
		there := sets[bits.TrailingZeros64(m)*g.words+first:]
		players = max(players, g.playersOf(places, there[:len(places)], first, room))
	}
	return players
}

// mostOf returns the most places of a set that are in the set of one of some regions; those
// of each region begin some words behind those of the one before. Most are a word or two.
func mostOf(places, sets []uint64, regions uint64, words int) (most int) {
	switch len(places) {
	case 1:
		set := places[0]
		for m := regions; m != 0; m &= m - 1 {
			most = max(most, bits.OnesCount64(set&sets[bits.TrailingZeros64(m)*words]))
		}
	case 2:
		low, high := places[0], places[1]
		for m := regions; m != 0; m &= m - 1 {
			at := bits.TrailingZeros64(m) * words
			most = max(most, bits.OnesCount64(low&sets[at])+bits.OnesCount64(high&sets[at+1]))
		}
	default:
		for m := regions; m != 0; m &= m - 1 {
			n := 0
			for k, there := range sets[bits.TrailingZeros64(m)*words:][:len(places)] {
				n += bits.OnesCount64(places[k] & there)
			}
			most = max(most, n)
		}
	}
	return most
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
