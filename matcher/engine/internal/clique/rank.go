package clique

import (
	"math"
	"slices"

	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
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
	list  []rated // compared with the seed and not returned yet, the last in rank first

	distances []float64 // of rate

	exact   bool // see Begin
	outward candidate.Outward
	nearest []float64 // by rule: lower bound of the weighted distance of any row
	next    Row       // next row of outward, not compared yet
	least   float64   // lower bound of the distance of next and of all rows after it
	more    bool      // next is valid
}

// rated is a ticket with its rank around the seed.
type rated struct {
	rank uint64 // bits of the distance from the seed, which increase with it; and see inReserve
	row  Row
	at   int32 // index in the rows of Begin
}

// inReserve is added to the ranks of a reserve.
const inReserve = 1 << 63

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
	r.seed, r.exact, r.list, r.more = seed, exact, r.list[:0], false
	r.rate(rows)
	few := len(rows) <= fewRows
	for at, row := range rows {
		x, k := rated{math.Float64bits(r.distances[at]), row, int32(at)}, at
		r.list = append(r.list, x)
		for ; few && k > 0 && r.before(&r.list[k-1], &x); k-- {
			r.list[k] = r.list[k-1]
		}
		r.list[k] = x
	}
	if !few {
		slices.SortFunc(r.list, r.last)
	}
}

// fewRows is the largest number of rows for which Begin sorts by insertion. For the 18 rows of
// a typical seed, slices.SortFunc takes twice as many instructions.
const fewRows = 64

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
		r.rate([]Row{row})
		r.insert(rated{math.Float64bits(r.distances[0]) | inReserve, row, 0})
	}
}

// rate compares rows with the seed and sets distances.
func (r *Ranker) rate(rows []Row) {
	r.distances = slices.Grow(r.distances[:0], len(rows))[:len(rows)]
	r.rules.distances(r.distances, r.rows, r.seed, rows, r.exact)
	for i, distance := range r.distances {
		r.distances[i] = snapped(distance)
	}
}

// insert adds a candidate to the list.
func (r *Ranker) insert(x rated) {
	at, _ := slices.BinarySearchFunc(r.list, x, r.last)
	r.list = slices.Insert(r.list, at, x)
}

// Next implements Source.
func (r *Ranker) Next() (row Row, at int, ok bool) {
	for r.more && (len(r.list) == 0 || !(r.list[len(r.list)-1].rank < math.Float64bits(r.least))) {
		if r.rules.Meet(r.rows, r.seed, r.next, r.exact) {
			r.rate([]Row{r.next})
			r.insert(rated{math.Float64bits(r.distances[0]), r.next, 0})
		}
		r.advance()
	}
	n := len(r.list) - 1
	if n < 0 {
		return 0, 0, false
	}
	first := r.list[n]
	r.list = r.list[:n]
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

// last orders candidates, the last in rank first.
func (r *Ranker) last(a, b rated) int {
	if r.before(&a, &b) {
		return 1
	}
	return -1
}

func (r *Ranker) before(a, b *rated) bool {
	return a.rank < b.rank || a.rank == b.rank && r.rows.Older(a.row, b.row)
}
