package clique

import (
	"math"

	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/heap"
)

// Ranker ranks the candidates of a seed: members of the queue before those of a reserve, then
// by distance, ties by age. With many candidates it is lazy: it starts at the seed's key and
// proceeds outwards, and compares the seed only with as many candidates as are needed to prove
// which one is next.
type Ranker struct {
	LazyAbove int32 // number of candidates above which Lazy returns true; tests lower it

	rules *Rules
	rows  *store.Rows
	seed  Row
	heap  heap.Heap[rated] // compared with the seed, not returned yet

	exact   bool // see Begin
	outward candidate.Outward
	nearest []float64 // by rule: lower bound of the weighted distance of any row
	next    Row       // next row of outward, not compared yet
	least   float64   // lower bound of the distance of next and of all rows after it
	more    bool      // next is valid
}

// rated is a ticket with its distance from the seed.
type rated struct {
	distance float64
	row      Row
	at       int32 // index in the rows of Begin
	reserve  bool
}

// LazyAbove is the default of Ranker.LazyAbove. With fewer candidates, comparing all of them is
// faster.
const LazyAbove = 128

// NewRanker returns a ranker without candidates.
func NewRanker(rules *Rules, rows *store.Rows) *Ranker {
	return &Ranker{LazyAbove: LazyAbove, rules: rules, rows: rows}
}

// Begin starts with a seed and rows that may all meet it. exact is set if the seed's limits
// apply between it and all candidates.
func (r *Ranker) Begin(seed Row, rows []Row, exact bool) {
	r.seed, r.exact, r.heap, r.more = seed, exact, r.heap[:0], false
	for at, row := range rows {
		r.heap = append(r.heap, r.rate(row, at, false))
	}
	r.heap.Init(r.before)
}

// Lazy reports whether a seed with this number of candidates is ranked lazily.
func (r *Ranker) Lazy(seed Row, tickets int32) bool {
	key := r.rules.Index.Key
	return tickets > r.LazyAbove && key != nil && !math.IsNaN(key.Key(seed))
}

// Outward adds candidates that are compared only when needed. It requires a Begin with exact.
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

// Reserve adds a candidate that is ranked after all others, if it may meet the seed.
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

// leastBeyond returns a lower bound of the distance of rows whose keys differ by at least
// difference from the seed's. It is summed in the same order as the distance itself: if each
// term is at most that of a candidate, so is the sum, including rounding.
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

// snapped rounds a distance to 40 bits, with a relative error of about 1e-12. Distances that
// differ only by the rounding of a sum then tie, and age decides.
func snapped(distance float64) float64 {
	const bits = 12 // of the 52 of the mantissa
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
