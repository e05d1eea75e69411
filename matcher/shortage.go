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
	for m := near; m != 0; m &= m - 1 {
		there := sets[bits.TrailingZeros64(m)*g.words+first:][:len(places)]
		players := g.playersOf(places, there, first, room)
		if players >= need && g.close(need, f, places, there, first, room) {
			return 0
		}
		most = max(most, min(players, need-1))
	}
	return int(need - most)
}

// close tells whether enough of those in two sets stand together with a seed in some
// window of the axis that is as wide as its bound.
func (g *gathering) close(need int32, f *front, places, there []uint64, first int, room int32) bool {
	if math.IsNaN(f.number) {
		return true // its bound does not hold for the others: see numbers
	}
	inside, tail := int32(0), 0
	g.file = g.file[:0]
	for k, set := range places {
		for set &= there[k]; set != 0; set &= set - 1 {
			place := (first+k)*64 + bits.TrailingZeros64(set)
			number, size := g.numbers[place], g.pool.fronts[g.rows[place]].size
			if size > room {
				continue
			}
			if inside += size; place >= g.numberless {
				g.file = append(g.file, filed{number, size})
				last := max(number, f.number)
				for ; last-g.file[tail].number > f.width; tail++ {
					inside -= g.file[tail].size
				}
			}
			if inside >= need {
				return true
			}
		}
	}
	return false
}

// filed is somebody of a row of tickets in the order of their numbers.
type filed struct {
	number float64
	size   int32
}
