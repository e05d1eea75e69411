package candidate

import (
	"math/bits"
	"sort"
)

// Tickets returns the number of tickets around the seed, including those that are too large. The
// bitmap positions may include a few tickets beyond the ends of the window. Tickets does not count
// them: a ticket's key must differ from the seed's by no more than the seed's width, and by no more
// than the ticket's own width if that is narrower.
//
// If a later query for the same seed returns the same number and no ticket is fresh, the tickets
// are the same too.
func (q *Query) Tickets() (tickets int32) {
	x := q.index
	windowed := q.own >= 0 && !x.tied
	from, to := 0, len(x.entries)
	var narrower [maxWidths][2]int
	if windowed {
		from, to = q.exactly(q.own)
		for i := range x.widths {
			narrower[i][0], narrower[i][1] = q.exactly(x.widths[i].key)
		}
	}
	shared := q.sharing()
	for k, word := range q.positions {
		if at := q.first + k; windowed {
			word &= between(from, to, at) | between(0, x.keyless, at)
			for i := range x.widths {
				if w := &x.widths[i]; w.key < q.own && word != 0 {
					word &^= w.positions[at] &^ between(narrower[i][0], narrower[i][1], at)
				}
			}
		}
		tickets += int32(bits.OnesCount64(word & shared[k]))
	}
	return tickets
}

// exactly returns the range of positions whose keys differ from the seed's by at most width.
func (q *Query) exactly(width float64) (from, to int) {
	x := q.index
	key, keyed := q.key, x.entries[x.keyless:]
	from = sort.Search(len(keyed), func(k int) bool { return keyed[k].key >= key-width })
	to = from + sort.Search(len(keyed)-from, func(k int) bool { return keyed[from+k].key > key+width })
	return x.keyless + from, x.keyless + to
}
