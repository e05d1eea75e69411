// Package candidate finds the tickets that a given ticket may be matched with. The given ticket
// is called the seed, and the others are its candidates. The package avoids comparing the seed
// with every other ticket.
//
// A Query is a search of an Index for the candidates of one seed: it counts and lists them. Any number
// of queries may be used at a time, and a query may narrow another.
//
// An Index contains the members of a queue, sorted by the number that one rule compares. This
// number is the sort key. The members whose keys are close enough to the seed's are then in one
// range of positions, the seed's window.
//
// Other rules require tickets to have a value in common, such as a region, a text or an element
// of a set. For each such value, the index has a bitmap with one bit for each position. It counts
// the players in the window who share a value with the seed by intersecting bitmaps, 64 positions
// at a time.
//
// The index does not know the meaning of a rule. It uses only the interfaces Keyed and Valued: a
// rule's key, the largest difference between keys that the rule allows (its width), and its
// values. The index returns a superset of the tickets that the rules allow: every ticket that it
// excludes is forbidden by a rule.
package candidate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/store"
)

// Row is an alias of store.Row.
type Row = store.Row

// Member is a row in a queue. Joined is the value of store.Rows.Changes when the row joined the
// queue.
type Member struct {
	Row    Row
	Joined uint64
}

// Index contains the members of a queue at the last Gather, sorted by key. Use New to create one.
type Index struct {
	rows     *store.Rows
	rules    *IndexRules
	entries  []entry // sorted by key; members without a key come first
	before   []entry // the entries before the last Gather
	inOrder  []Row   // row of each entry
	keyless  int
	grid     grid
	added    []entry // scratch space for Gather
	gathers  uint32
	present  []presence     // indexed by row
	words    int            // number of words in a bitmap
	sizes    []alike[int32] // by number of players, least first
	largest  int32
	sets     []valueSets           // indexed like IndexRules.Valued
	twoSided []TwoSided            // indexed like IndexRules.Valued; nil if the rule is not a TwoSided
	widths   []alike[float64]      // used with IndexRules.OwnWidths
	byStage  []valueSets           // used with IndexRules.ByNewest; indexed like IndexRules.Valued
	kinds    []kinds               // indexed like IndexRules.Counted
	kindsAt  uint32                // value of gathers when kinds was computed
	stages   []alike[*store.Stage] // used with IndexRules.ByNewest; oldest first, or empty if there are too many

	offered   []uint64 // members that may be candidates of later seeds
	fresh     []uint64 // members that joined or changed their stage since the last pass
	stale     []uint64 // members that Invalidate has marked
	failed    []uint64 // members that OfferFailed offers
	loose     []uint64 // offered members that have waited longer than the later seeds
	tied      bool     // at least one member is loose
	anyFresh  bool
	byAge     []Row    // rows of the members in the order passed to Gather
	withdrawn int      // no member of byAge[:withdrawn] is offered
	gone      int      // the other value of withdrawn: OfferFailed and WithdrawFailed swap the two
	ages      []uint64 // scratch space for AppendByAge
	terms     terms
	newcomer  Query // see Invalidate
	inStage   Query // see Query.enoughIn
	lacks     lacks
}

// Keyed is a rule whose number may be the sort key of an index. See criterion.Keyed.
type Keyed interface {
	Key(row Row) float64
	Width(l *store.Limit) float64
	Spread(l *store.Limit) float64
	Certain(l *store.Limit) bool
}

// AllValues is the mask of a row that may meet every other row, even one with a value that is new
// to the index.
const AllValues = ^uint64(0)

// Valued is a rule that requires tickets to have a value in common. See criterion.Valued.
type Valued interface {
	Mask(l *store.Limit, row Row) uint64
	Filters(l *store.Limit) bool
	Certain(l *store.Limit) bool
}

// TwoSided is a Valued rule under which a candidate's values depend on the candidate's own limit.
// For such a rule, Mask is used only for the seed.
type TwoSided interface {
	Valued
	// CandidateMask returns the values of a candidate. l is the seed's limit.
	CandidateMask(l *store.Limit, candidate Row) uint64
	// Asks maps a seed's limit to a number. CandidateMask must return the same values for all limits
	// with the same number.
	Asks(l *store.Limit) float64
}

// IndexRules are the rules that an index uses.
type IndexRules struct {
	Key   Keyed // nil if there is no sort key; members are then in any order
	KeyAt int   // index of Key in the limits of a stage
	// Pairwise is set if every two members of a match must be close to each other: their keys
	// differ by at most the Keyed.Spread of the one that has waited longer.
	Pairwise bool
	// OwnWidths is set if the seed must also be within each candidate's own width.
	OwnWidths bool
	// ByNewest is set if the newest member of a group determines the group's stage. See
	// Query.EnoughByNewest.
	ByNewest bool
	// Valued contains the rules about values. Queries are fastest if the rules with the fewest
	// values per row come first.
	Valued []Valued
	At     []int // index of each Valued rule in the limits of a stage
	// Counted contains the rules for which Demand sets demands.
	Counted []Counted
}

// entry is a member at its position in the index.
type entry struct {
	key     float64 // keyless if the member has no key
	row     Row
	players int32
}

// keyless represents the key of an entry that has none.
var keyless = math.Inf(-1)

// presence contains the index's data about a row.
type presence struct {
	joined   uint64 // Member.Joined of the row's current membership
	gather   uint32 // number of the last Gather in which the row was a member
	position int32
	age      int32 // position among the members passed to Gather
}

// alike has the positions of all members that have something in common: their number of players, their width
// or their stage.
type alike[K comparable] struct {
	key       K
	positions []uint64
}

// group returns the item of a list with a key. It appends an empty one if there is none, and returns nil if the
// list would then have more than most items. words is the number of words in a bitmap.
func group[K comparable](list *[]alike[K], key K, most, words int) *alike[K] {
	at := slices.IndexFunc(*list, func(a alike[K]) bool { return a.key == key })
	if at < 0 {
		if at = len(*list); at == most {
			return nil
		}
		*list = slices.Grow(*list, 1)[:at+1]
		a := &(*list)[at]
		a.key, a.positions = key, resize(a.positions, words)
		clear(a.positions)
	}
	return &(*list)[at]
}

// New returns an empty index.
func New(rows *store.Rows, rules *IndexRules) *Index {
	x := &Index{rows: rows, rules: rules, sets: make([]valueSets, len(rules.Valued)), byStage: make([]valueSets, len(rules.Valued))}
	for _, rule := range rules.Valued {
		two, _ := rule.(TwoSided)
		x.twoSided = append(x.twoSided, two)
	}
	return x
}

// Gather sets the members of the index and offers all of them. A member is fresh if it joined or
// changed its stage after since, which is a value of store.Rows.Changes.
//
// Gather takes a few operations for each member and sorts only the new members.
func (x *Index) Gather(members []Member, since uint64) {
	x.markMembers(members)
	x.merge(len(members))
	x.words = (len(x.entries) + 63) / 64
	x.measure()
	x.sortByWidth()
	x.sortByStage()
	for i := range x.sets {
		x.sets[i].forget()
		x.byStage[i].forget()
	}
	x.terms.stage = nil
	x.Restart(members, since)
}

// Restart starts a new pass with the same members as the last Gather. It offers all of them and
// recomputes which are fresh. Nothing else may have changed.
func (x *Index) Restart(members []Member, since uint64) {
	x.offered, x.fresh, x.loose = resize(x.offered, x.words), resize(x.fresh, x.words), resize(x.loose, x.words)
	x.stale, x.failed = resize(x.stale, x.words), resize(x.failed, x.words)
	for k := range x.offered {
		x.offered[k], x.fresh[k], x.loose[k], x.stale[k], x.failed[k] = everywhere, 0, 0, 0, 0
	}
	if n := len(x.entries) % 64; n != 0 {
		x.offered[x.words-1] = 1<<n - 1
	}
	x.lacks.forget()
	x.tied, x.anyFresh, x.withdrawn, x.gone = false, false, 0, 0
	for i := range members {
		if m := &members[i]; m.Joined > since || x.rows.ChangedAt[m.Row] > since {
			x.anyFresh = true
			set(x.fresh, x.present[m.Row].position)
		}
	}
}

// everywhere is a word of a bitmap with all bits set.
const everywhere = ^uint64(0)

func resize(words []uint64, n int) []uint64 { return slices.Grow(words[:0], n)[:n] }

func set(words []uint64, position int32)   { words[uint(position)/64] |= 1 << (uint(position) % 64) }
func unset(words []uint64, position int32) { words[uint(position)/64] &^= 1 << (uint(position) % 64) }
func has(words []uint64, position int32) bool {
	return words[uint(position)/64]>>(uint(position)%64)&1 != 0
}

// markMembers records which rows are members now and collects the new ones in x.came.
func (x *Index) markMembers(members []Member) {
	for len(x.present) < x.rows.Len() {
		x.present = append(x.present, presence{})
	}
	x.gathers++
	x.added, x.byAge = x.added[:0], x.byAge[:0]
	for i := range members {
		m := &members[i]
		here := &x.present[m.Row]
		if here.joined != m.Joined {
			*here = presence{joined: m.Joined, position: -1}
			x.added = append(x.added, entry{x.key(m.Row), m.Row, x.rows.Players[m.Row]})
		}
		here.gather, here.age = x.gathers, int32(i)
		x.byAge = append(x.byAge, m.Row)
	}
	sortByKey(x.added)
}

// sortByKey sorts entries. Most passes have a few dozen new members. For so few, this Shell sort
// takes two thirds of the time of slices.SortFunc.
func sortByKey(entries []entry) {
	if len(entries) > 128 {
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
		return
	}
	for _, gap := range [...]int{8, 1} {
		for i := gap; i < len(entries); i++ {
			e, at := entries[i], i
			for ; at >= gap && entries[at-gap].key > e.key; at -= gap {
				entries[at] = entries[at-gap]
			}
			entries[at] = e
		}
	}
}

func (x *Index) key(row Row) float64 {
	if x.rules.Key != nil {
		if key := x.rules.Key.Key(row); !math.IsNaN(key) {
			return key
		}
	}
	return keyless
}

// merge puts the new members into the sorted entries and removes those that have left.
func (x *Index) merge(members int) {
	old, added := x.entries, x.added
	x.entries, x.before, x.inOrder = slices.Grow(x.before[:0], members)[:members], old, slices.Grow(x.inOrder[:0], members)[:members]
	entries, inOrder, present := x.entries, x.inOrder, x.present
	for k := range entries {
		for len(old) > 0 && !x.stays(old[0].row) {
			old = old[1:]
		}
		from, position := &old, k
		if len(added) > 0 && (len(old) == 0 || added[0].key < old[0].key) {
			from, position = &added, ^k // mark the row as new by a negative position, because it may also have an old entry
		}
		e := (*from)[0]
		*from = (*from)[1:]
		entries[k], inOrder[k], present[e.row].position = e, e.row, int32(position)
	}
	for i := range x.added {
		here := &x.present[x.added[i].row]
		here.position = ^here.position
	}
	x.keyless = 0
	for x.keyless < members && x.entries[x.keyless].key == keyless {
		x.keyless++
	}
	x.grid.draw(x.entries[x.keyless:])
}

// stays reports whether a row from the old entries is still the same member.
func (x *Index) stays(row Row) bool {
	here := &x.present[row]
	return here.gather == x.gathers && here.position >= 0
}

// grid finds the approximate position of a key without a binary search. With such searches, for both
// ends of every seed's window, an hour took 1.1 to 1.2 times as long under PlayFab's rules, 1.1 times
// under FlexMatch's, and 1.5 times under AccelByte's.
type grid struct {
	low, scale float64 // lower end of the first cell, and number of cells per unit
	last       float64 // index of the last cell
	starts     []int32 // first position of each cell, followed by the number of positions
}

// draw divides the range of the keys into as many cells of equal width as there are keys. The range
// omits the lowest 3 percent of the keys, which go to the first cell, and the highest 3 percent,
// which go to the last. Otherwise, a single outlier could put all other keys into one cell.
func (g *grid) draw(entries []entry) {
	cells := max(1, len(entries))
	g.starts, g.last = slices.Grow(g.starts[:0], cells+1)[:cells+1], float64(cells-1)
	if g.low, g.scale = 0, 0; len(entries) > 0 {
		outliers := len(entries) / 32
		g.low = entries[outliers].key
		if span := entries[len(entries)-1-outliers].key - g.low; span > 0 {
			g.scale = float64(cells) / span
		}
	}
	next := 0
	for position := range entries {
		for cell := g.cell(entries[position].key); next <= cell; next++ {
			g.starts[next] = int32(position)
		}
	}
	for ; next <= cells; next++ {
		g.starts[next] = int32(len(entries))
	}
}

// cell returns the index of a key's cell. The index never decreases as the key grows.
func (g *grid) cell(key float64) int {
	at := (key - g.low) * g.scale
	if !(at > 0) { // includes NaN, which results from 0 times an infinite key
		return 0
	}
	return int(min(at, g.last))
}

// measure lists the sizes of the members. If there are several sizes, it also computes the
// positions for each.
func (x *Index) measure() {
	x.sizes, x.largest = x.sizes[:0], 0
	last := int32(0)
	for k := range x.entries {
		if players := x.entries[k].players; players != last { // most tickets have one player
			last, x.largest = players, max(x.largest, players)
			group(&x.sizes, players, math.MaxInt, x.words)
		}
	}
	if len(x.sizes) < 2 {
		return
	}
	slices.SortFunc(x.sizes, func(a, b alike[int32]) int { return cmp.Compare(a.key, b.key) })
	for k := range x.entries {
		for i := range x.sizes {
			if x.sizes[i].key == x.entries[k].players {
				set(x.sizes[i].positions, int32(k))
			}
		}
	}
}

// maxWidths is the largest number of different widths for which the index keeps positions. It
// does not exclude members with other widths, so they are compared one by one.
const maxWidths = 8

// sortByWidth groups by width those members that have a key.
func (x *Index) sortByWidth() {
	x.widths = x.widths[:0]
	if !x.rules.OwnWidths || x.rules.Key == nil {
		return
	}
	present, keyless := x.present, int32(x.keyless)
	var stage *store.Stage
	var w *alike[float64]
	for _, row := range x.byAge { // in this order, most neighbors have the same stage
		position := present[row].position
		if position < keyless {
			continue
		}
		if at := x.rows.Stage[row]; at != stage {
			stage, w = at, group(&x.widths, x.rules.Key.Width(&at.Limits[x.rules.KeyAt]), maxWidths, x.words)
		}
		if w != nil {
			set(w.positions, position)
		}
	}
}

// positionOf returns the position of a row, or -1 if the row is not a member.
func (x *Index) positionOf(row Row) int32 {
	if int(row) < len(x.present) && x.present[row].gather == x.gathers {
		return x.present[row].position
	}
	return -1
}

// Seed excludes a member that becomes a seed from the candidates of later seeds, as Withdraw does. The
// compiler inlines it, unlike Withdraw, which saves 1 to 2 percent of a day.
func (x *Index) Seed(row Row) { unset(x.offered, x.present[row].position) }

// Withdraw excludes a member from the candidates of later seeds.
func (x *Index) Withdraw(row Row) {
	if position := x.positionOf(row); position >= 0 {
		unset(x.offered, position)
		unset(x.failed, position)
		if x.tied {
			unset(x.loose, position)
		}
	}
}

// Fail records that a withdrawn member was a seed without a match. Sessions may still need it, see
// OfferFailed.
func (x *Index) Fail(row Row) { set(x.failed, x.present[row].position) }

// OfferFailed makes all failed members candidates, until WithdrawFailed.
func (x *Index) OfferFailed() {
	x.lacks.forget()
	for k, word := range x.failed {
		x.offered[k] |= word
	}
	x.withdrawn, x.gone = x.gone, x.withdrawn
}

// WithdrawFailed undoes OfferFailed, except for members that have been withdrawn since.
func (x *Index) WithdrawFailed() {
	for k, word := range x.failed {
		x.offered[k] &^= word
	}
	x.withdrawn, x.gone = x.gone, x.withdrawn
}

// Offer makes a member that was a seed a candidate for later seeds.
func (x *Index) Offer(row Row) {
	here := &x.present[row]
	set(x.offered, here.position)
	x.lacks.forget()
	x.withdrawn = min(x.withdrawn, int(here.age))
}

// Loosen does the same as Offer for a member that has waited longer than all later seeds. Its
// limits then apply instead of theirs, so the index never excludes it. news is set if the member
// was not a candidate in the last pass.
func (x *Index) Loosen(row Row, news bool) {
	position := x.present[row].position
	x.Offer(row)
	set(x.loose, position)
	if news {
		x.anyFresh = true
		set(x.fresh, position)
	}
	x.tied = true
}

// Tied reports whether Loosen was called for an offered member.
func (x *Index) Tied() bool { return x.tied }

// Fresh reports whether a member joined or changed its stage since the last pass.
func (x *Index) Fresh(row Row) bool { return has(x.fresh, x.present[row].position) }

// AnyFresh reports whether any member is fresh.
func (x *Index) AnyFresh() bool { return x.anyFresh }

// players returns the number of players in a part of a bitmap that begins at word first. Tickets
// with more players than room do not count.
func (x *Index) players(positions []uint64, first int, room int32) (players int32) {
	if len(x.sizes) == 1 {
		if x.largest > room {
			return 0
		}
		n := 0
		for _, word := range positions {
			n += bits.OnesCount64(word)
		}
		return int32(n) * x.largest
	}
	for i := range x.sizes {
		s := &x.sizes[i]
		if s.key > room {
			break
		}
		n, like := 0, s.positions[first:][:len(positions)]
		for k, word := range positions {
			n += bits.OnesCount64(word & like[k])
		}
		players += int32(n) * s.key
	}
	return players
}

// missing returns how many of the needed players are missing in a part of a bitmap, or a number below 1
// if there are enough. It is faster than the method players if there are few members or enough players:
// 3 percent of a day of parties under five rules.
func (x *Index) missing(positions []uint64, first int, room, need int32) int32 {
	for k, word := range positions {
		for ; word != 0 && need > 0; word &= word - 1 {
			if n := x.entries[(first+k)*64+bits.TrailingZeros64(word)].players; n <= room {
				need -= n
			}
		}
	}
	return need
}
