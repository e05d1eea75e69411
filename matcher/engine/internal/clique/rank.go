package clique

import (
	"math"

	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/heap"
)

// Ranker ranks the candidates of a seed by distance, nearest first. If distances are equal, the
// older candidate comes first. Candidates from the reserve come after all others.
//
// If there are many candidates, the ranker is lazy. It visits them by the difference between
// their key and the seed's, smallest first. It compares the seed with only as many as it needs to
// determine the next one in rank.
type Ranker struct {
	LazyAbove int32 // largest number of candidates for which Lazy returns false; lower in tests

	rules *Rules
	rows  *store.Rows
	seed  Row
	heap  heap.Heap[rated] // candidates that were compared with the seed but not returned yet

	exact   bool // set by Begin
	outward candidate.Outward
	nearest []float64 // for each rule: lower bound of any row's weighted distance
	next    Row       // next row from outward, not compared yet
	least   float64   // lower bound of the distance of next and all later rows
	more    bool      // next is a row, not the end of outward
}

// rated is a candidate with its distance from the seed.
type rated struct {
	distance float64
	row      Row
	at       int32 // index in the rows that were passed to Begin
	reserve  bool
}

// LazyAbove is the default value of Ranker.LazyAbove. With fewer candidates, comparing all of
// them is faster.
const LazyAbove = 128

// NewRanker returns a Ranker without candidates.
func NewRanker(rules *Rules, rows *store.Rows) *Ranker {
	return &Ranker{LazyAbove: LazyAbove, rules: rules, rows: rows}
}

// Begin sets the seed and its candidates. The caller has checked that all of them may meet the
// seed. exact is set if the seed's limits apply to every pair of the seed and a candidate.
func (r *Ranker) Begin(seed Row, rows []Row, exact bool) {
	r.seed, r.exact, r.heap, r.more = seed, exact, r.heap[:0], false
	for at, row := range rows {
		r.heap = append(r.heap, r.rate(row, at, false))
	}
	r.heap.Init(r.before)
}

// Lazy reports whether to rank the candidates of a seed lazily. tickets is the number of
// candidates.
func (r *Ranker) Lazy(seed Row, tickets int32) bool {
	key := r.rules.Index.Key
	return tickets > r.LazyAbove && key != nil && !math.IsNaN(key.Key(seed))
}

// Outward adds candidates that are compared only when needed. It may be called only if Begin was
// called with exact set.
func (r *Ranker) Outward(from candidate.Outward) {
	r.outward, r.nearest = from, r.nearest[:0]
	limits := r.rows.Stage[r.seed].Limits
	for i := range r.rules.ranking {
		c := &r.rules.ranking[i]
		r.nearest = append(r.nearest, float64(c.weight*c.Nearest(&limits[c.at], r.seed)))
	}
	r.advance()
}

// advance reads the next row from outward.
func (r *Ranker) advance() {
	var difference float64
	if r.next, difference, r.more = r.outward.Next(); r.more {
		r.least = roundedTo40Bits(r.leastBeyond(difference))
	}
}

// Reserve adds a candidate from the reserve, if it may meet the seed. It is ranked after all
// candidates that are not from the reserve.
func (r *Ranker) Reserve(row Row) {
	if r.rules.Meet(r.rows, r.seed, row, r.exact) {
		r.heap.Push(r.rate(row, 0, true), r.before)
	}
}

// rate computes the distance of a row from the seed.
func (r *Ranker) rate(row Row, at int, reserve bool) rated {
	return rated{roundedTo40Bits(r.rules.Distance(r.rows, r.seed, row, r.exact)), row, int32(at), reserve}
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

// leastBeyond returns a lower bound of the distance of all rows whose keys differ from the seed's
// by at least difference. It adds the terms in the same order as the distance itself. No term is
// larger than the same term of any such row, so the rounded sum is not larger either.
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

// RankedDistance returns the distance of a row from a seed, also rounded as it ranks the row.
func (r *Rules) RankedDistance(rows *store.Rows, seed, other Row) (distance, rounded float64) {
	distance = r.Distance(rows, seed, other, false)
	return distance, roundedTo40Bits(distance)
}

// roundedTo40Bits rounds a distance to 40 bits, with a relative error of about 1e-12. Distances that
// differ only by rounding errors are then equal, and age decides.
func roundedTo40Bits(distance float64) float64 {
	const bits = 12 // of the 52 bits of the mantissa
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
