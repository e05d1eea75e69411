package candidate

import (
	"math"
	"math/bits"

	"mmsim/matcher/engine/internal/store"
)

// AppendByAge appends the given rows in the order in which they were passed to Gather.
func (x *Index) AppendByAge(dst, rows []Row) []Row {
	x.ages = resize(x.ages, (len(x.byAge)+63)/64)
	clear(x.ages)
	for _, row := range rows {
		set(x.ages, x.present[row].age)
	}
	for k, word := range x.ages {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, x.byAge[64*k+bits.TrailingZeros64(word)])
		}
	}
	return dst
}

// ByAge iterates over the rows of Append in the order in which they were passed to Gather. It is
// valid until the next query. Unlike AppendByAge, it does no work for rows that are not asked for.
type ByAge struct {
	query *Query
	at    int // position in Index.byAge
}

// ByAge returns an iterator over the rows around the seed.
func (q *Query) ByAge() ByAge {
	x := q.index
	for x.withdrawn < len(x.byAge) && !has(x.offered, x.present[x.byAge[x.withdrawn]].position) {
		x.withdrawn++
	}
	return ByAge{q, x.withdrawn}
}

// Append appends up to n further rows.
func (b *ByAge) Append(dst []Row, n int) []Row {
	q, x := b.query, b.query.index
	shared, first, end := q.sharing(), q.first, len(dst)+n
	for ; b.at < len(x.byAge) && len(dst) < end; b.at++ {
		row := x.byAge[b.at]
		position := uint(x.present[row].position)
		word := position/64 - uint(first)
		if word < uint(len(shared)) && shared[word]>>(position%64)&1 != 0 && x.entries[position].players <= q.room {
			dst = append(dst, row)
		}
	}
	return dst
}

// Beside further restricts the query to members that may meet all players of a session. The players
// are rows for the rules only. The seed's stage must be the one with the widest limits.
func (q *Query) Beside(players []Row) {
	x, stage := q.index, q.stage
	if key := x.rules.Key; key != nil && key.Certain(&stage.Limits[x.rules.KeyAt]) {
		low, high := math.Inf(1), math.Inf(-1)
		for _, player := range players {
			if k := key.Key(player); !math.IsNaN(k) {
				low, high = min(low, k), max(high, k)
			}
		}
		if low <= high {
			q.between(low, high, key.Width(&stage.Limits[x.rules.KeyAt]))
		}
	}
	for i, rule := range x.rules.Valued {
		if x.twoSided[i] != nil && len(x.stages) > 0 {
			q.besideInStages(i, players)
		} else if mask := inCommon(rule, &stage.Limits[x.rules.At[i]], players); mask != AllValues {
			q.only(i, mask)
		}
	}
}

// inCommon returns the values that all players have.
func inCommon(rule Valued, l *store.Limit, players []Row) uint64 {
	mask := AllValues
	for _, player := range players {
		mask &= rule.Mask(l, player)
	}
	return mask
}

// besideInStages restricts the query to members that share a value with all players under a rule when
// the member's own stage decides the values of both.
func (q *Query) besideInStages(i int, players []Row) {
	x := q.index
	var masks [maxStages]uint64
	for k := range x.stages {
		masks[k] = inCommon(x.rules.Valued[i], &x.stages[k].key.Limits[x.rules.At[i]], players)
	}
	there := x.of(i, &q.stage.Limits[x.rules.At[i]]).positions[q.first:]
	for k, rest := range q.positions {
		kept := uint64(0)
		for s := 0; s < len(x.stages) && rest != 0; s++ { // each stage's positions contain those of the stages before it
			in := rest & x.stages[s].positions[q.first+k]
			rest &^= in
			for mask := masks[s]; mask != 0 && in&^kept != 0; mask &= mask - 1 {
				kept |= in & there[k][bits.TrailingZeros64(mask)%64]
			}
		}
		q.positions[k] = kept
	}
	q.known = false
}

// between restricts the query to members whose keys differ from low and from high by at most widest
// and, under IndexRules.OwnWidths, by at most their own width. Members without a key remain.
func (q *Query) between(low, high, widest float64) {
	x := q.index
	from, to := x.span(high-widest, low+widest)
	if x.keyless == 0 { // only the words of this range are left
		begin := min(max(from/64-q.first, 0), len(q.positions))
		end := min(max((to+63)/64-q.first, begin), len(q.positions))
		q.positions, q.first = q.positions[begin:end], q.first+begin
	}
	for k := range q.positions {
		if word := q.first + k; word*64 < from || word*64+64 > to {
			q.positions[k] &= between(from, to, word) | between(0, x.keyless, word)
		}
	}
	for i := range x.widths {
		w := &x.widths[i]
		from, to = x.span(high-w.key, low+w.key)
		q.narrow(w, from, to)
	}
	q.known = false
}

// Age sorts the index by age.
type Age struct{ Rows **store.Rows }

// Key implements Keyed, as do the other methods.
func (a Age) Key(row Row) float64 { return float64((*a.Rows).CreatedMS[row]) }

// Width returns infinity.
func (Age) Width(*store.Limit) float64 { return math.Inf(1) }

// Spread returns infinity.
func (Age) Spread(*store.Limit) float64 { return math.Inf(1) }

// Certain returns false.
func (Age) Certain(*store.Limit) bool { return false }
