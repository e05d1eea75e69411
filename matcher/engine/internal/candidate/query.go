package candidate

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/store"
)

// query is the state of the current seed.
type query struct {
	key    float64
	spread float64 // see Keyed.Spread
	room   int32   // players of the largest candidate that fits
	own    float64 // width of the seed's window; -Inf: no window
	first  int     // number of the first word of places
	places []uint64
	shared []uint64 // see sharing
	known  bool     // shared is valid
	active []term   // rules that require candidates to have one of the seed's values
	stage  *store.Stage
	seed   Row
	parts  [][]uint64
	list   []*entry  // scratch of together
	keys   []float64 // scratch of solid

	staged  []uint64 // scratch of EnoughByNewest
	inStage []term
}

// terms are the requirements for candidates of all seeds in one stage. Seeds are in order of
// age, so that seeds of the same stage follow each other. Asking the rules for every seed took
// 7 % more instructions over two hours of a day.
type terms struct {
	stage         *store.Stage
	width, spread float64 // of the key; a width of -Inf excludes no row
	certain       int     // the first rules of query.active, which are certain to apply
}

// term is a rule that requires candidates to have one of the seed's values.
type term struct {
	rule  int // its index in Rules.Valued
	limit *store.Limit
	set   *valueSet
	mask  uint64 // the seed's values; everywhere: no candidate is excluded
}

// Around starts a query for the open members that a seed may meet, by the rules that are
// certain to apply to the seed in its stage. room is the number of players that fit in addition
// to the seed.
//
// If filter is false, no member is excluded, because rules may differ between the seed and its
// candidates.
func (x *Index) Around(seed Row, stage *store.Stage, room int32, filter bool) {
	q := &x.query
	q.seed, q.stage = seed, stage
	q.key, q.spread, q.room = math.NaN(), math.Inf(1), room
	if x.terms.stage != stage {
		x.agree(stage)
	}
	from, to, own := 0, len(x.entries), math.Inf(-1)
	if key := x.rules.Key; key != nil && filter {
		q.key, q.spread = key.Key(seed), x.terms.spread
		if x.terms.width >= 0 && !math.IsNaN(q.key) {
			own = x.terms.width
			from, to = x.window(own)
		}
	}
	x.run(from, to)
	q.own = own
	for i := range x.widths {
		if x.widths[i].width < own {
			x.narrow(&x.widths[i])
		}
	}
	x.ask(filter)
	q.known = false
}

// narrow removes from places the members with a width narrower than the seed's that are too far
// from the seed for their own width.
func (x *Index) narrow(w *width) {
	q := &x.query
	from, to := x.window(w.width)
	for k := range q.places {
		if word := q.first + k; word*64 < from || word*64+64 > to {
			q.places[k] &^= w.places[word] &^ between(from, to, word)
		}
	}
}

// agree sets the terms to those of a stage.
func (x *Index) agree(stage *store.Stage) {
	t := &x.terms
	t.stage, t.width, t.spread = stage, math.Inf(-1), math.Inf(1)
	if key := x.rules.Key; key != nil {
		l := &stage.Limits[x.rules.KeyAt]
		if t.spread = key.Spread(l); key.Certain(l) {
			t.width = key.Width(l)
		}
	}
	q := &x.query
	q.active = q.active[:0]
	for i, rule := range x.rules.Valued {
		if l := &stage.Limits[x.rules.At[i]]; rule.Certain(l) && rule.Filters(l) {
			q.active = append(q.active, term{rule: i, limit: l, set: x.of(i, l)})
		}
	}
	t.certain = len(q.active)
}

// ask sets the seed's values for the rules that are certain to apply to it, unless filter is
// false.
func (x *Index) ask(filter bool) {
	q := &x.query
	q.active = q.active[:x.terms.certain]
	place := x.placeOf(q.seed)
	for i := range q.active {
		switch t := &q.active[i]; {
		case !filter:
			t.mask = everywhere
		case place >= 0 && x.twoSided[t.rule] == nil:
			t.mask = t.set.masks[place]
		default:
			t.mask = x.rules.Valued[t.rule].Mask(t.limit, q.seed)
		}
	}
}

// Only narrows the query: candidates need one of these values under a rule, given by its index
// in Rules.Valued. Until the next Around, it replaces the requirement of the seed itself or of
// an earlier call for this rule.
func (x *Index) Only(rule int, mask uint64) {
	q := &x.query
	at := slices.IndexFunc(q.active, func(t term) bool { return t.rule == rule })
	if at < 0 {
		at = len(q.active)
		q.active = append(q.active, term{rule: rule, set: x.of(rule, &q.stage.Limits[x.rules.At[rule]])})
	}
	q.active[at].mask = mask
	q.known = false
}

// Largest returns the number of players of the largest member with at most that many; 0: there
// is none.
func (x *Index) Largest(most int32) (players int32) {
	for i := range x.sizes {
		if x.sizes[i].players <= most {
			players = x.sizes[i].players
		}
	}
	return players
}

// window returns a range of positions that contains all members whose keys are within a width
// of the seed's, and possibly a few more at its ends.
func (x *Index) window(width float64) (from, to int) {
	if math.IsInf(width, 1) || x.keyless == len(x.entries) {
		return x.keyless, len(x.entries)
	}
	key := x.query.key
	from, to = int(x.grid.starts[x.grid.cell(key-width)]), int(x.grid.starts[x.grid.cell(key+width)+1])
	return x.keyless + from, x.keyless + max(from, to)
}

// run sets places to the open members in a range, and those without a key.
func (x *Index) run(from, to int) {
	q := &x.query
	last := (to + 63) / 64
	if q.first = from / 64; x.keyless > 0 || x.tied {
		x.scattered(from, to)
		return
	}
	last = max(q.first, last)
	q.places = q.places[:last-q.first]
	for k := range q.places { // a loop, not copy(), because there are few
		q.places[k] = x.open[q.first+k]
	}
	if n := len(q.places); n > 0 {
		q.places[0] &= everywhere << (uint(from) % 64)
		if to%64 != 0 {
			q.places[n-1] &= 1<<(uint(to)%64) - 1
		}
	}
}

// scattered is run for the case that members without a key, or loose members, may be at any
// position.
func (x *Index) scattered(from, to int) {
	q := &x.query
	q.first = 0
	q.places = append(q.places[:0], x.open...)
	for k := range q.places {
		q.places[k] &= between(from, to, k) | between(0, x.keyless, k)
		if x.tied {
			q.places[k] |= x.loose[k]
		}
	}
}

// between returns the bits of a range of positions that are in a word of a bitmap.
func between(from, to, word int) uint64 {
	low, high := min(max(from-64*word, 0), 64), min(max(to-64*word, 0), 64)
	return 1<<high - 1<<low
}

// Enough reports whether there may be enough players around the seed: within its window, with
// one common value of the seed's for every rule, and within the spread of a group together with
// the seed. It returns true if the index has no answer.
func (x *Index) Enough(need int32) bool {
	if need <= 0 || x.tied {
		return true
	}
	q := &x.query
	return x.players(q.places, q.first, q.room) >= need && x.enough(q.places, 0, need)
}

// enough tries the values of one rule after another. The players in places are enough.
func (x *Index) enough(places []uint64, rule int, need int32) bool {
	q := &x.query
	for rule < len(q.active) && q.active[rule].mask == everywhere {
		rule++
	}
	if rule == len(q.active) {
		return x.together(places, need)
	}
	for len(q.parts) <= rule {
		q.parts = append(q.parts, nil)
	}
	part := resize(q.parts[rule], len(places))
	q.parts[rule] = part
	a := &q.active[rule]
	there := a.set.places[q.first:][:len(places)]
	for mask := a.mask; mask != 0; mask &= mask - 1 {
		value, tickets := bits.TrailingZeros64(mask), 0
		for k, word := range places {
			part[k] = word & there[k][value%64]
			tickets += bits.OnesCount64(part[k])
		}
		if int32(tickets)*x.largest < need || len(x.sizes) > 1 && x.players(part, q.first, q.room) < need {
			continue
		}
		if x.enough(part, rule+1, need) {
			return true
		}
	}
	return false
}

// together reports whether enough players in a bitmap, together with the seed, are within the
// spread.
func (x *Index) together(places []uint64, need int32) bool {
	q := &x.query
	if math.IsInf(q.spread, 1) {
		return true
	}
	if len(x.sizes) == 1 && x.keyless == 0 {
		return x.solid(places, int(need+x.largest-1)/int(x.largest))
	}
	// Local variables, not fields of q: a seventh fewer instructions.
	list, key, spread, room := slices.Grow(q.list[:0], 64*len(places)), q.key, q.spread, q.room
	q.list = list
	inside, low := int32(0), 0 // number of players without a key, and in list from index low on
	for k, word := range places {
		entries := x.entries[(q.first+k)*64:]
		for ; word != 0; word &= word - 1 {
			e := &entries[bits.TrailingZeros64(word)]
			if e.players > room {
				continue
			}
			inside += e.players
			if last := e.key; last != keyless { // members without a key are within any spread
				list = append(list, e)
				if key > last {
					last = key
				}
				for ; last-list[low].key > spread && low < len(list)-1; low++ {
					inside -= list[low].players
				}
			}
			if inside >= need {
				return true
			}
		}
	}
	return false
}

// solid is together for members with equally many players that all have a key. It takes a third
// of the instructions.
func (x *Index) solid(places []uint64, need int) bool {
	q := &x.query
	keys, key, spread := slices.Grow(q.keys[:0], 64*len(places)), q.key, q.spread
	q.keys = keys
	for k, word := range places {
		all := x.entries[(q.first+k)*64:]
		for ; word != 0; word &= word - 1 {
			last := all[bits.TrailingZeros64(word)].key
			keys = append(keys, last)
			if first := len(keys) - need; first >= 0 && max(last, key)-keys[first] <= spread {
				return true
			}
		}
	}
	return false
}

// News reports whether a fresh ticket is around the seed and shares a value with it for every
// rule.
func (x *Index) News() bool {
	q := &x.query
	for k, word := range q.places {
		if word &= x.fresh[q.first+k]; word != 0 && x.sharers(word, q.first+k) != 0 {
			return true
		}
	}
	return false
}

// sharing returns those of places that share a value with the seed for every rule, and the
// loose ones.
func (x *Index) sharing() []uint64 {
	if !x.query.known {
		x.share()
	}
	return x.query.shared
}

// share sets shared.
func (x *Index) share() {
	q := &x.query
	q.shared, q.known = q.shared[:len(q.places)], true
	for k, word := range q.places {
		q.shared[k] = x.sharers(word, q.first+k)
	}
}

// sharers returns those of the members in a word that share a value with the seed for every
// rule, and the loose ones.
func (x *Index) sharers(members uint64, at int) uint64 {
	active, word := x.query.active, members
	for i := range active {
		t := &active[i]
		if t.mask == everywhere {
			continue
		}
		missing, there := word, &t.set.places[at]
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

// Append appends the rows in the seed's window that fit and share a value with the seed for
// every Valued rule, in the order of their keys.
func (x *Index) Append(dst []Row) []Row { return x.appendUntil(dst, len(x.entries)) }

// AppendByAge appends the given members in the order of the last Gather.
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

// AppendKeyless appends the rows of Append that have no key.
func (x *Index) AppendKeyless(dst []Row) []Row { return x.appendUntil(dst, x.keyless) }

// appendUntil appends the rows of Append at positions before end.
func (x *Index) appendUntil(dst []Row, end int) []Row {
	q := &x.query
	for k, word := range x.sharing() {
		for ; word != 0; word &= word - 1 {
			place := (q.first+k)*64 + bits.TrailingZeros64(word)
			if place >= end {
				return dst
			}
			if e := &x.entries[place]; e.players <= q.room {
				dst = append(dst, e.row)
			}
		}
	}
	return dst
}

// Outward iterates over the rows around a seed that have a key, from the seed's own key
// outwards. It is valid until the next query.
type Outward struct {
	index       *Index
	up, down    int    // current words of the query's places
	above, left uint64 // positions in these two words that have not been returned yet
	keyless     int
}

// Outward returns an iterator over the rows of Append, except those of AppendKeyless. The seed
// must have a key.
func (x *Index) Outward() Outward {
	q := &x.query
	o := Outward{index: x, keyless: x.keyless}
	from := x.keyless + int(x.grid.starts[x.grid.cell(q.key)])
	for from < len(x.entries) && x.entries[from].key < q.key {
		from++
	}
	k := min(max(from/64-q.first, -1), len(q.places))
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

// word returns the positions in the k-th word that share a value with the seed and have a key,
// 0 beyond the ends.
func (o *Outward) word(k int) uint64 {
	q := &o.index.query
	if k < 0 || k >= len(q.places) {
		return 0
	}
	return o.index.sharing()[k] &^ between(0, o.keyless, q.first+k)
}

// Next returns the row with the next nearest key to the seed's, and the difference of the keys;
// ok is false if there are no more rows.
func (o *Outward) Next() (row Row, difference float64, ok bool) {
	x := o.index
	q := &x.query
	for {
		for o.above == 0 && o.up < len(q.places)-1 {
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
		place := above
		switch {
		case o.above == 0 && o.left == 0:
			return 0, 0, false
		case o.left == 0 || o.above != 0 && higher <= lower:
			o.above &= o.above - 1
			difference = higher
		default:
			o.left &^= 1 << (uint(below) % 64)
			place, difference = below, lower
		}
		if e := &x.entries[place]; e.players <= q.room {
			return e.row, difference, true
		}
	}
}

// Reach returns the number of tickets around the seed.
func (x *Index) Reach() (tickets int32) {
	for _, word := range x.sharing() {
		tickets += int32(bits.OnesCount64(word))
	}
	return tickets
}
