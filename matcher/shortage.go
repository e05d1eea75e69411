package matcher

import (
	"math"
	"math/bits"
)

// shortOf returns how many of the players that a seed needs are missing at least, in every
// one of its regions, among those in a set of places who are no larger than room: 0 where
// in some region enough stand so close together on the axis, the seed among them, that
// its bound lets them all meet. The set begins with the word first.
func (g *gathering) shortOf(need int32, f *front, near uint64, places []uint64, first int, room int32) (missing int) {
	sets, most := g.reaching(f.level), int32(0)
	g.seen = append(g.seen[:0], make([]uint64, len(places))...)
	for m := near; m != 0 && most < need; m &= m - 1 {
		there := sets[bits.TrailingZeros64(m)*g.words+first:][:len(places)]
		if unseen(places, there, g.seen) && g.playersOf(places, there, first, room) > most {
			for k := range g.seen {
				g.seen[k] = places[k] & there[k]
			}
			most = max(most, g.closest(need, f, places, there, first, room))
		}
	}
	return int(need - min(most, need))
}

// closest returns the most players, of those in two sets, that stand together with a seed
// in a window of the axis as wide as its bound, no more than are needed where it is enough.
func (g *gathering) closest(need int32, f *front, places, there []uint64, first int, room int32) (most int32) {
	inside, tail, file, numbered := int32(0), 0, g.file[:0], !math.IsNaN(f.number)
	for k, set := range places {
		for set &= there[k]; set != 0 && most < need; set &= set - 1 {
			place := (first+k)*64 + bits.TrailingZeros64(set)
			x := &g.stands[place]
			size := g.pool.fronts[x.row].size
			if size > room {
				continue
			}
			if inside += size; numbered && place >= g.numberless {
				file = append(file, filed{x.number, size})
				last := x.number
				if f.number > last {
					last = f.number
				}
				for ; last-file[tail].number > f.width; tail++ {
					inside -= file[tail].size
				}
			}
			most = max(most, inside)
		}
	}
	g.file = file
	return most
}

// unseen tells whether there is anybody in two sets who is not in a third.
func unseen(places, there, seen []uint64) bool {
	for k, set := range places {
		if set&there[k]&^seen[k] != 0 {
			return true
		}
	}
	return false
}

// filed is somebody of a row of tickets in the order of their numbers.
type filed struct {
	number float64
	size   int32
}
