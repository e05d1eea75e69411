package clique

import (
	"math"

	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/heap"
)

// Ranker gives the candidates of a seed in rank: members of the queue before those of a
// reserve, then by distance, ties by age. It is lazy where they are many: it goes outwards
// from the seed's key and compares the seed with as few as prove who comes next.
type Ranker struct {
	LazyAbove int32 // candidates above which Lazy says so; tests lower it

	rules *Rules
	rows  *store.Rows
	seed  Row
	heap  heap.Heap[rated] // compared with the seed, not given yet

	exact   bool // see Begin
	outward candidate.Outward
	nearest []float64 // by rule: the least weighted distance of anybody
	next    Row       // of outward, not compared yet
	least   float64   // distance of next and all behind it, at least
	more    bool      // there is a next
}

// rated is a ticket that was compared with the seed.
type rated struct {
	distance float64
	row      Row
	at       int32 // place among the rows of Begin
	reserve  bool
}

// LazyAbove is the number of candidates above which a new Ranker is lazy. Below it takes
// less time to compare all.
const LazyAbove = 128

// NewRanker returns a ranker without candidates.
func NewRanker(rules *Rules, rows *store.Rows) *Ranker {
	return &Ranker{LazyAbove: LazyAbove, rules: rules, rows: rows}
}

// Begin starts on a seed and some rows, all of which may meet it. exact tells that the
// seed's limits hold between it and all candidates.
func (r *Ranker) Begin(seed Row, rows []Row, exact bool) {
	r.seed, r.exact, r.heap, r.more = seed, exact, r.heap[:0], false
	for at, row := range rows {
		r.heap = append(r.heap, r.rate(row, at, false))
	}
	r.heap.Init(r.before)
}

// Lazy tells whether to go outwards from a seed among so many candidates.
func (r *Ranker) Lazy(seed Row, tickets int32) bool {
	key := r.rules.Index.Key
	return tickets > r.LazyAbove && key != nil && !math.IsNaN(key.Key(seed))
}

// Outward adds candidates that are compared when it is their turn, to a Begin that is
// exact.
func (r *Ranker) Outward(from candidate.Outward) {
	r.outward, r.nearest = from, r.nearest[:0]
	limits := r.rows.Stage[r.seed].Limits
	for i := range r.rules.ranking {
		c := &r.rules.ranking[i]
		r.nearest = append(r.nearest, float64(c.weight*c.Nearest(&limits[c.at], r.seed)))
	}
	r.advance()
}

// advance takes the next row from outward.
func (r *Ranker) advance() {
	var difference float64
	if r.next, difference, r.more = r.outward.Next(); r.more {
		r.least = snapped(r.leastBeyond(difference))
	}
}

// Reserve adds a candidate that comes after all others, if it may meet the seed.
func (r *Ranker) Reserve(row Row) {
	if r.rules.Meet(r.rows, r.seed, row, r.exact) {
		r.heap.Push(r.rate(row, 0, true), r.before)
	}
}

// rate compares a row with the seed.
func (r *Ranker) rate(row Row, at int, reserve bool) rated {
	return rated{snapped(r.rules.Distance(r.rows, r.seed, row, r.exact)), row, int32(at), reserve}
}

// Next implements Source.
func (r *Ranker) Next() (row Row, at int, ok bool) {
	for r.more && (len(r.heap) == 0 || !(r.heap[0].distance < r.least)) {
		if r.rules.Meet(r.rows, r.seed, r.next, r.exact) {
			r.heap.Push(r.rate(r.next, 0, false), r.before)
		}
		r.advance()
	}
	if len(r.heap) == 0 {
		return 0, 0, false
	}
	first := r.heap.Pop(r.before)
	return first.row, int(first.at), true
}

// leastBeyond returns a lower bound of the distance of those whose keys differ at least so
// much from the seed's. It is added up like the distance itself: where each term is at
// most that of a candidate, so is the sum, rounding included.
func (r *Ranker) leastBeyond(difference float64) float64 {
	sum, limits := 0.0, r.rows.Stage[r.seed].Limits
	for i := range r.rules.ranking {
		c, least := &r.rules.ranking[i], r.nearest[i]
		if c.at == r.rules.Index.KeyAt {
			least = float64(c.weight * r.rules.key.NearestBeyond(&limits[c.at], difference))
		}
		sum += least
	}
	return sum
}

// snapped rounds a distance to 40 bits, about 1e-12 of it: distances that are equal but for
// the rounding of a sum are a tie, which age decides.
func snapped(distance float64) float64 {
	const bits = 12 // of the 52 behind the point
	return math.Float64frombits((math.Float64bits(distance) + 1<<(bits-1)) &^ (1<<bits - 1))
}

func (r *Ranker) before(a, b *rated) bool {
	if a.reserve != b.reserve {
		return b.reserve
	}
	if a.distance != b.distance {
		return a.distance < b.distance
	}
	return r.rows.Older(a.row, b.row)
}
