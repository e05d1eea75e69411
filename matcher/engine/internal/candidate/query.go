package candidate

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// Query finds the members of an index that a seed may meet. It sees the members that were offered when
// Around was called, and it is valid until the next Gather or Restart of the index. Several queries may
// be used at a time. The zero Query is ready for Around or Only, which reuse its memory.
type Query struct {
	index     *Index
	key       float64
	spread    float64  // result of Keyed.Spread
	room      int32    // largest number of players that a candidate may have
	own       float64  // width of the seed's window, or -Inf if it has none
	first     int      // index of the first word of positions in a full bitmap
	words     []uint64 // memory for positions
	positions []uint64 // the offered members in the window that have the seed's only value under a rule
	shared    []uint64 // valid if known is set; see sharing
	known     bool     // shared is valid
	active    []term   // the rules under which the seed has several values
	stage     *store.Stage
	seed      Row
	parts     [][]uint64
	apart     []uint64 // the last bitmap that supplies or together rejected; they would reject every subset too
	list      []*entry // scratch space for solid
	near      ranges.Window

	demands []Demand // indexed like IndexRules.Counted, or empty

	remembers bool // shortfall uses Index.lacks
	stageAt   int  // index in Index.stages, if remembers is set
}

// terms contains the requirements for candidates that are the same for all seeds in one stage.
// They are reused while the stage remains the same, which is common because seeds are in order of
// age. When they were computed for every seed, an hour took 1.1 to 1.3 times as long.
type terms struct {
	stage         *store.Stage
	width, spread float64           // largest differences in key; a width of -Inf excludes no row
	narrower      []*alike[float64] // widths below width
	certain       []certain
}

// certain is a rule that certainly applies to all seeds in a stage.
type certain struct {
	rule  int // index in IndexRules.Valued
	limit *store.Limit
	set   *valueSet
	masks []uint64 // mask of the seed at each position; nil if the rule is a TwoSided
}

// term is a requirement that candidates have one of the seed's values under a rule.
type term struct {
	rule int // index in IndexRules.Valued
	set  *valueSet
	mask uint64 // the seed's values
	only int    // the value that shortfall is trying
}

// Around starts a query for the offered members of an index that a seed may meet. It applies the rules
// that certainly apply to the seed in its stage. room is the number of players that fit in addition
// to the seed.
//
// If filter is false, no rule is certain to apply, and Around excludes no member.
func (q *Query) Around(x *Index, seed Row, room int32, filter bool) {
	q.AroundIn(x, seed, x.rows.Stage[seed], room, filter)
}

// AroundIn is Around for a seed that has the limits of another stage.
func (q *Query) AroundIn(x *Index, seed Row, stage *store.Stage, room int32, filter bool) {
	q.index, q.seed, q.stage, q.demands = x, seed, stage, q.demands[:0]
	q.key, q.spread, q.room = math.NaN(), math.Inf(1), room
	if x.terms.stage != q.stage {
		x.agree(q.stage)
	}
	from, to, own := 0, len(x.entries), math.Inf(-1)
	if key := x.rules.Key; key != nil && filter {
		q.key, q.spread = key.Key(seed), x.terms.spread
		if x.terms.width >= 0 && !math.IsNaN(q.key) {
			own = x.terms.width
			from, to = q.window(own)
		}
	}
	q.run(from, to)
	q.own = own
	if own >= 0 {
		for _, w := range x.terms.narrower {
			from, to := q.window(w.key)
			q.narrow(w, from, to)
		}
	}
	if q.active = q.active[:0]; filter {
		q.applyCertain()
	}
	q.known = false
}

// narrow removes from positions the members of w that are not at the positions in from:to, because they
// are too far from the seed for their own width.
func (q *Query) narrow(w *alike[float64], from, to int) {
	for k := range q.positions {
		if word := q.first + k; word*64 < from || word*64+64 > to {
			q.positions[k] &^= w.positions[word] &^ between(from, to, word)
		}
	}
}

// agree computes the terms for a stage.
func (x *Index) agree(stage *store.Stage) {
	t := &x.terms
	t.stage, t.width, t.spread = stage, math.Inf(-1), math.Inf(1)
	if key := x.rules.Key; key != nil {
		l := &stage.Limits[x.rules.KeyAt]
		if t.spread = key.Spread(l); key.Certain(l) {
			t.width = key.Width(l)
		}
	}
	t.narrower, t.certain = t.narrower[:0], t.certain[:0]
	for i := range x.widths {
		if w := &x.widths[i]; w.key < t.width {
			t.narrower = append(t.narrower, w)
		}
	}
	for i, rule := range x.rules.Valued {
		if l := &stage.Limits[x.rules.At[i]]; rule.Certain(l) && rule.Filters(l) {
			c := certain{rule: i, limit: l, set: x.of(i, l)}
			if x.twoSided[i] == nil {
				c.masks = c.set.masks
			}
			t.certain = append(t.certain, c)
		}
	}
}

// applyCertain applies the rules that certainly apply to the seed. If the seed has one value under a rule,
// it removes the members without that value from positions. Otherwise, it adds the rule to active.
func (q *Query) applyCertain() {
	x := q.index
	position := x.positionOf(q.seed)
	for i := range x.terms.certain {
		c, mask := &x.terms.certain[i], uint64(0)
		if uint(position) < uint(len(c.masks)) {
			mask = c.masks[position]
		} else {
			mask = x.rules.Valued[c.rule].Mask(c.limit, q.seed)
		}
		switch {
		case mask == everywhere:
		case mask&(mask-1) == 0 && mask != 0 && !x.tied:
			value, positions := bits.TrailingZeros64(mask), q.positions
			there := c.set.positions[q.first:][:len(positions)]
			for k, word := range positions {
				positions[k] = word & there[k][value%64]
			}
		default:
			q.active = append(q.active, term{rule: c.rule, set: c.set, mask: mask})
		}
	}
}

// Only sets q to a query that further restricts another: under the given rule, candidates must have one
// of the values in mask. rule is an index in IndexRules.Valued. mask replaces the seed's own values. The
// other query must remain the same while q is used.
func (q *Query) Only(of *Query, rule int, mask uint64) {
	x := of.index
	q.index, q.seed, q.stage, q.key, q.spread, q.room, q.own = x, of.seed, of.stage, of.key, of.spread, of.room, of.own
	q.first, q.positions, q.demands = of.first, of.positions, append(q.demands[:0], of.demands...)
	q.active = append(q.active[:0], of.active...)
	q.only(rule, mask)
}

// only restricts the query as Only does.
func (q *Query) only(rule int, mask uint64) {
	x := q.index
	at := slices.IndexFunc(q.active, func(t term) bool { return t.rule == rule })
	if at < 0 {
		at = len(q.active)
		q.active = append(q.active, term{rule: rule, set: x.of(rule, &q.stage.Limits[x.rules.At[rule]])})
	}
	q.active[at].mask = mask
	q.known = false
}

// Largest returns the number of players of the largest member, ignoring members that have more
// players than the parameter most. It returns 0 if there is no such member.
func (x *Index) Largest(most int32) (players int32) {
	for i := range x.sizes {
		if x.sizes[i].key <= most {
			players = x.sizes[i].key
		}
	}
	return players
}

// window returns a range of positions that contains all members whose keys differ from the seed's
// by at most width. It may contain a few more members at its ends.
func (q *Query) window(width float64) (from, to int) {
	x := q.index
	if math.IsInf(width, 1) || x.keyless == len(x.entries) {
		return x.keyless, len(x.entries)
	}
	return x.span(q.key-width, q.key+width)
}

// span returns a range of positions that contains all members whose keys are from low to high.
func (x *Index) span(low, high float64) (from, to int) {
	from, to = x.keyless+int(x.grid.starts[x.grid.cell(low)]), x.keyless+int(x.grid.starts[x.grid.cell(high)+1])
	return from, max(from, to)
}

// run sets positions to the offered members in a range of positions and the offered members without a key.
func (q *Query) run(from, to int) {
	x := q.index
	last := (to + 63) / 64
	if q.first = from / 64; x.keyless > 0 || x.tied {
		q.scattered(from, to)
		return
	}
	last = max(q.first, last)
	q.words = resize(q.words, x.words)
	positions := q.words[:last-q.first]
	offered := x.offered[q.first:][:len(positions)]
	for k := range positions { // a loop is faster than copy for so few words
		positions[k] = offered[k]
	}
	q.positions = positions
	if n := len(q.positions); n > 0 {
		q.positions[0] &= everywhere << (uint(from) % 64)
		if to%64 != 0 {
			q.positions[n-1] &= 1<<(uint(to)%64) - 1
		}
	}
}

// scattered is a version of the method run for an index with loose members or members without a
// key, which may be at any position.
func (q *Query) scattered(from, to int) {
	x := q.index
	q.first = 0
	q.words = append(q.words[:0], x.offered...)
	q.positions = q.words
	for k := range q.positions {
		q.positions[k] &= between(from, to, k) | between(0, x.keyless, k)
		if x.tied {
			q.positions[k] |= x.loose[k]
		}
	}
}

// between returns the part of a range of positions that is in one word of a bitmap, as a mask.
func between(from, to, word int) uint64 {
	low, high := min(max(from-64*word, 0), 64), min(max(to-64*word, 0), 64)
	return 1<<high - 1<<low
}

// Enough reports whether Shortfall returns 0.
func (q *Query) Enough(need int32) bool { return q.Shortfall(need) == 0 }

// Shortfall returns a lower bound of the number of needed players that are missing around the seed.
// To count, players must be in the seed's window, share one of the seed's values under every rule,
// and be within the spread, together with the seed. Shortfall returns 0 if there may be enough.
func (q *Query) Shortfall(need int32) int32 {
	x := q.index
	if need <= 0 || x.tied {
		return 0
	}
	if players := x.players(q.positions, q.first, q.room); players < need {
		return need - players
	}
	q.apart = q.apart[:0]
	return q.shortfall(q.positions, 0, need)
}

// subset reports whether the first bitmap is a subset of the second. It returns false if the second
// slice has no elements.
func subset(positions, of []uint64) bool {
	for k, word := range of {
		if positions[k]&^word != 0 {
			return false
		}
	}
	return len(of) > 0
}

// shortfall computes Shortfall for the members in positions. It considers the rule active[rule] and
// all rules after it. It tries each of the seed's values in turn. The members in positions have enough
// players in total.
func (q *Query) shortfall(positions []uint64, rule int, need int32) int32 {
	x := q.index
	if rule == len(q.active) {
		if !subset(positions, q.apart) {
			if (len(q.demands) == 0 || q.supplies(positions)) && q.together(positions, need) {
				return 0
			}
			q.apart = append(q.apart[:0], positions...)
		}
		return 1
	}
	for len(q.parts) <= rule {
		q.parts = append(q.parts, nil)
	}
	part := resize(q.parts[rule], len(positions))
	q.parts[rule] = part
	a, least := &q.active[rule], need
	there := a.set.positions[q.first:]
	mask, remembers := a.mask, q.remembers && rule == len(q.active)-1
	if remembers {
		mask &^= x.lacks.of(q, need)
	}
	rest := mask
	for ; rest != 0; rest &= rest - 1 {
		value := bits.TrailingZeros64(rest)
		tickets := having(part, positions, there, value)
		missing := need - tickets*x.largest
		if missing <= 0 {
			if tickets < need || x.largest > q.room {
				missing = x.missing(part, q.first, q.room, need)
			}
			if missing <= 0 {
				a.only = value
				missing = q.shortfall(part, rule+1, need)
			}
			if missing == 0 {
				least = 0
				break
			}
		}
		least = min(least, missing)
	}
	if remembers {
		x.lacks.add(q, need, mask&^rest)
	}
	return least
}

// having sets part to the members in positions that have a value, and returns their number.
func having(part, positions []uint64, there []byValue, value int) (tickets int32) {
	part, there = part[:len(positions)], there[:len(positions)]
	for k, word := range positions {
		part[k] = word & there[k][value%64]
		tickets += int32(bits.OnesCount64(part[k]))
	}
	return tickets
}

// together reports whether members in positions with enough players are within the spread, together
// with the seed.
func (q *Query) together(positions []uint64, need int32) bool {
	x := q.index
	if math.IsInf(q.spread, 1) {
		return true
	}
	if len(x.sizes) == 1 && x.keyless == 0 {
		return q.solid(positions, int(need+x.largest-1)/int(x.largest))
	}
	group := ranges.None()
	if !math.IsNaN(q.key) {
		group.High = q.key // a set of members that are all above the seed is not compared with it, so the answer may be true too often
	}
	w := &q.near
	w.Begin(group, q.spread)
	for k, word := range positions {
		entries := x.entries[(q.first+k)*64:]
		for ; word != 0; word &= word - 1 {
			e := &entries[bits.TrailingZeros64(word)]
			if e.players > q.room {
				continue
			}
			if e.key == keyless {
				w.AddFree(e.players)
			} else {
				w.Add(e.key, e.players)
			}
			if w.Players >= need {
				return true
			}
		}
	}
	return false
}

// solid is a version of the method together for members that all have a key and the same number
// of players. It takes a third of the instructions.
func (q *Query) solid(positions []uint64, need int) bool {
	x := q.index
	q.list = slices.Grow(q.list[:0], 64*len(positions))
	list, n, key, spread := q.list[:cap(q.list)], 0, q.key, q.spread
	for k, word := range positions {
		all := x.entries[(q.first+k)*64:]
		for ; word != 0; word &= word - 1 {
			last := &all[bits.TrailingZeros64(word)]
			list[n] = last
			if n++; n < need {
				continue
			}
			first := list[n-need]
			if max(last.key, key)-first.key <= spread && (!x.rules.Pairwise || x.near(first, last)) {
				return true
			}
		}
	}
	return false
}

// near reports whether the keys of two members differ by no more than the larger of the members'
// spreads.
func (x *Index) near(a, b *entry) bool {
	key, at, difference := x.rules.Key, x.rules.KeyAt, b.key-a.key
	return difference <= key.Spread(&x.rows.Stage[a.row].Limits[at]) || difference <= key.Spread(&x.rows.Stage[b.row].Limits[at])
}

// News returns an upper bound of the number of players in fresh tickets that share a value with
// the seed under every rule. It returns 0 if there are no such tickets.
func (q *Query) News() int32 {
	x := q.index
	tickets := 0
	for k, word := range q.positions {
		if word &= x.fresh[q.first+k]; word != 0 {
			tickets += bits.OnesCount64(q.rowsSharing(word, q.first+k))
		}
	}
	return int32(tickets) * x.largest
}

// sharing returns the members of positions that share a value with the seed under every rule. It
// also returns all loose members of positions.
func (q *Query) sharing() []uint64 {
	if len(q.active) == 0 {
		return q.positions
	}
	if !q.known {
		q.share()
	}
	return q.shared
}

// share computes query.shared.
func (q *Query) share() {
	q.shared, q.known = resize(q.shared, len(q.positions)), true
	for k, word := range q.positions {
		q.shared[k] = q.rowsSharing(word, q.first+k)
	}
}

// rowsSharing computes one word of the result of sharing. at is the index of the word in a full
// bitmap.
func (q *Query) rowsSharing(members uint64, at int) uint64 {
	x := q.index
	active, word := q.active, members
	for i := range active {
		t := &active[i]
		missing, there := word, &t.set.positions[at]
		for mask := t.mask; mask != 0 && missing != 0; mask &= mask - 1 {
			missing &^= there[bits.TrailingZeros64(mask)%64]
		}
		if word &^= missing; word == 0 {
			break
		}
	}
	if x.tied {
		word |= x.loose[at] & members
	}
	return word
}

// Append appends the rows around the seed that fit and share a value with it under every rule, in
// the order of their keys.
func (q *Query) Append(dst []Row) []Row { return q.appendUntil(dst, len(q.index.entries), false) }

// AppendNews appends only those rows of Append that are fresh.
func (q *Query) AppendNews(dst []Row) []Row { return q.appendUntil(dst, len(q.index.entries), true) }

// AppendKeyless appends only those rows of Append that have no key.
func (q *Query) AppendKeyless(dst []Row) []Row { return q.appendUntil(dst, q.index.keyless, false) }

// appendUntil appends only those rows of Append whose position is less than end, or of these only the fresh ones.
func (q *Query) appendUntil(dst []Row, end int, fresh bool) []Row {
	x := q.index
	for k, word := range q.sharing() {
		if fresh {
			word &= x.fresh[q.first+k]
		}
		for ; word != 0; word &= word - 1 {
			position := (q.first+k)*64 + bits.TrailingZeros64(word)
			if position >= end {
				return dst
			}
			if e := &x.entries[position]; e.players <= q.room {
				dst = append(dst, e.row)
			}
		}
	}
	return dst
}

// Outward iterates over the rows around a seed that have a key, nearest key first. It is valid
// as long as the query.
type Outward struct {
	query       *Query
	up, down    int    // indexes of the current words in query.positions
	above, left uint64 // positions in these two words that Next has not returned yet
	keyless     int
}

// Outward returns an iterator over those rows of Append that have a key. The seed must have a
// key.
func (q *Query) Outward() Outward {
	x := q.index
	o := Outward{query: q, keyless: x.keyless}
	from := x.keyless + int(x.grid.starts[x.grid.cell(q.key)])
	for from < len(x.entries) && x.entries[from].key < q.key {
		from++
	}
	k := min(max(from/64-q.first, -1), len(q.positions))
	o.up, o.down = k, k
	if k < 0 {
		o.up = 0
		o.above = o.word(0)
		return o
	}
	word := o.word(k)
	o.above = word & (everywhere << (from % 64))
	o.left = word &^ (everywhere << (from % 64))
	return o
}

// word returns the part of the iterator's rows that is in word k of positions. It returns 0 if there
// is no such word.
func (o *Outward) word(k int) uint64 {
	q := o.query
	if k < 0 || k >= len(q.positions) {
		return 0
	}
	return q.sharing()[k] &^ between(0, o.keyless, q.first+k)
}

// Next returns the row whose key is the next nearest to the seed's, and the difference between
// the keys. ok is false if there are no more rows.
func (o *Outward) Next() (row Row, difference float64, ok bool) {
	q, x := o.query, o.query.index
	for {
		for o.above == 0 && o.up < len(q.positions)-1 {
			o.up++
			o.above = o.word(o.up)
		}
		for o.left == 0 && o.down > 0 {
			o.down--
			o.left = o.word(o.down)
		}
		higher, lower := math.Inf(1), math.Inf(1)
		var above, below int
		if o.above != 0 {
			above = (q.first+o.up)*64 + bits.TrailingZeros64(o.above)
			higher = x.entries[above].key - q.key
		}
		if o.left != 0 {
			below = (q.first+o.down)*64 + 63 - bits.LeadingZeros64(o.left)
			lower = q.key - x.entries[below].key
		}
		position := above
		switch {
		case o.above == 0 && o.left == 0:
			return 0, 0, false
		case o.left == 0 || o.above != 0 && higher <= lower:
			o.above &= o.above - 1
			difference = higher
		default:
			o.left &^= 1 << (uint(below) % 64)
			position, difference = below, lower
		}
		if e := &x.entries[position]; e.players <= q.room {
			return e.row, difference, true
		}
	}
}

// Size returns the number of tickets around the seed that share a value with it under every
// rule.
func (q *Query) Size() (tickets int32) {
	for _, word := range q.sharing() {
		tickets += int32(bits.OnesCount64(word))
	}
	return tickets
}
