// Package candidate finds the tickets that a seed may meet without comparing it with all
// others.
//
// An Index lists the members of a queue in the order of one rule's number, its sort key. It has
// a bitmap over these positions for every value that tickets need in common: a region, a text,
// an element of a set. The window of a seed is then a range of positions, and the players in it
// that share a value with the seed are counted 64 positions at a time.
//
// The index does not know the meaning of a rule, only its key, its width and its values (Keyed,
// Valued). It returns a superset of the rows that the rules allow; every row that it excludes
// is forbidden by a rule.
package candidate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Member is a row in a queue, with the value of store.Rows.Changes when it joined.
type Member struct {
	Row    Row
	Joined uint64
}

// Index holds the members of a queue in the order of their keys, as of the last Gather. Use
// New: its zero value is not ready.
type Index struct {
	rows     *store.Rows
	rules    *Rules
	entries  []entry // by key; members without a key come first
	before   []entry // those of the Gather before
	placed   []Row   // the row of each entry
	keyless  int
	grid     grid
	came     []entry // scratch of Gather
	gathers  uint32
	present  []presence // by row
	words    int        // of a bitmap
	sizes    []size
	largest  int32
	sets     []valueSets // by rule in Rules.Valued
	twoSided []TwoSided  // by rule in Rules.Valued; nil if it is not TwoSided
	widths   []width     // with Rules.OwnWidths
	inStage  []valueSets // by rule in Rules.Valued, with Rules.ByNewest
	stages   []stage     // with Rules.ByNewest, the oldest first; empty: there are too many

	open     []uint64 // members that may be candidates of later seeds
	fresh    []uint64 // members that joined or changed stage since the last pass
	stale    []uint64 // see Invalidate
	loose    []uint64 // open members that have waited longer than the later seeds
	tied     bool     // at least one member is loose
	anyFresh bool
	byAge    []Row    // the members in the order of Gather
	ages     []uint64 // scratch of AppendByAge
	terms    terms
	query    query
}

// Keyed is a rule that may be the sort key of an index; see criterion.Keyed.
type Keyed interface {
	Key(row Row) float64
	Width(l *store.Limit) float64
	Spread(l *store.Limit) float64
	Certain(l *store.Limit) bool
}

// AllValues is the mask of a row that may meet every row, including rows with new values.
const AllValues = ^uint64(0)

// Valued is a rule that requires tickets to have a value in common; see criterion.Valued.
type Valued interface {
	Mask(l *store.Limit, row Row) uint64
	Filters(l *store.Limit) bool
	Certain(l *store.Limit) bool
}

// TwoSided is a Valued rule in which the values of a candidate depend on the candidate's own
// limit. Mask is then only used for the seed.
type TwoSided interface {
	Valued
	// Theirs returns the values of a candidate for a seed with this limit.
	Theirs(l *store.Limit, candidate Row) uint64
	// Asks returns a number; Theirs is equal for all limits with the same number.
	Asks(l *store.Limit) float64
}

// Rules are the rules that an index uses.
type Rules struct {
	Key   Keyed // nil: there is none, and members are in any order
	KeyAt int   // its index in the limits of a stage
	// OwnWidths is set if a seed must also be within a candidate's own width.
	OwnWidths bool
	// ByNewest is set if the newest member of a group determines its stage; see
	// Index.EnoughByNewest.
	ByNewest bool
	// Valued is fastest if the rules with the fewest values per row come first.
	Valued []Valued
	At     []int // their indexes in the limits of a stage
}

// entry is a member at its position.
type entry struct {
	key     float64 // or keyless
	row     Row
	players int32
}

// keyless is the key of entries without one.
var keyless = math.Inf(-1)

// presence is the index's data about a row.
type presence struct {
	joined uint64 // Member.Joined of its current membership
	gather uint32 // the last Gather in which it was a member
	place  int32
	age    int32 // position among the members
}

// size is the positions of the tickets with a number of players.
type size struct {
	players int32
	places  []uint64
}

// New returns an empty index.
func New(rows *store.Rows, rules *Rules) *Index {
	x := &Index{rows: rows, rules: rules, sets: make([]valueSets, len(rules.Valued)), inStage: make([]valueSets, len(rules.Valued))}
	for _, rule := range rules.Valued {
		two, _ := rule.(TwoSided)
		x.twoSided = append(x.twoSided, two)
	}
	return x
}

// Gather makes the members those of the index, and opens all of them. A member is fresh if it
// joined or changed after since, a value of store.Rows.Changes.
//
// Cost: a few operations for each member, and a sort of the new members.
func (x *Index) Gather(members []Member, since uint64) {
	x.rollCall(members)
	x.seat(len(members))
	x.words = (len(x.entries) + 63) / 64
	x.measure()
	x.sortByWidth()
	x.sortByStage()
	for i := range x.sets {
		x.sets[i].forget()
		x.inStage[i].forget()
	}
	x.terms.stage = nil
	x.query.places, x.query.shared = resize(x.query.places, x.words), resize(x.query.shared, x.words)
	x.Reopen(members, since)
}

// Reopen starts a pass with the members of the last Gather. Nothing has changed since except
// which members are open and fresh.
func (x *Index) Reopen(members []Member, since uint64) {
	x.open, x.fresh, x.loose = resize(x.open, x.words), resize(x.fresh, x.words), resize(x.loose, x.words)
	x.stale = resize(x.stale, x.words)
	for k := range x.open {
		x.open[k], x.fresh[k], x.loose[k], x.stale[k] = everywhere, 0, 0, 0
	}
	if n := len(x.entries) % 64; n != 0 {
		x.open[x.words-1] = 1<<n - 1
	}
	x.tied, x.anyFresh = false, false
	for i := range members {
		if m := &members[i]; m.Joined > since || x.rows.ChangedAt[m.Row] > since {
			x.anyFresh = true
			set(x.fresh, x.present[m.Row].place)
		}
	}
}

// everywhere is a word of a bitmap with all bits set.
const everywhere = ^uint64(0)

func resize(words []uint64, n int) []uint64 { return slices.Grow(words[:0], n)[:n] }

func set(words []uint64, place int32)   { words[uint(place)/64] |= 1 << (uint(place) % 64) }
func unset(words []uint64, place int32) { words[uint(place)/64] &^= 1 << (uint(place) % 64) }
func has(words []uint64, place int32) bool {
	return words[uint(place)/64]>>(uint(place)%64)&1 != 0
}

// rollCall marks the present members and lists the new ones.
func (x *Index) rollCall(members []Member) {
	for len(x.present) < x.rows.Len() {
		x.present = append(x.present, presence{})
	}
	x.gathers++
	x.came, x.byAge = x.came[:0], x.byAge[:0]
	for i := range members {
		m := &members[i]
		here := &x.present[m.Row]
		if here.joined != m.Joined {
			*here = presence{joined: m.Joined, place: -1}
			x.came = append(x.came, entry{x.key(m.Row), m.Row, x.rows.Players[m.Row]})
		}
		here.gather, here.age = x.gathers, int32(i)
		x.byAge = append(x.byAge, m.Row)
	}
	sortByKey(x.came)
}

// sortByKey sorts entries. Most passes have a few dozen new members, for which insertion takes
// half the instructions of slices.SortFunc.
func sortByKey(entries []entry) {
	if len(entries) > 128 {
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
		return
	}
	for i, e := range entries {
		for ; i > 0 && entries[i-1].key > e.key; i-- {
			entries[i] = entries[i-1]
		}
		entries[i] = e
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

// seat makes the entries of the members: those that stay, with the new ones between them.
func (x *Index) seat(members int) {
	old, came := x.entries, x.came
	x.entries, x.before, x.placed = slices.Grow(x.before[:0], members)[:members], old, slices.Grow(x.placed[:0], members)[:members]
	for k := range x.entries {
		for len(old) > 0 && !x.stays(old[0].row) {
			old = old[1:]
		}
		if len(came) > 0 && (len(old) == 0 || came[0].key < old[0].key) {
			x.entries[k], came = came[0], came[1:]
			x.present[x.entries[k].row].place = int32(^k) // below 0: the row may also have an old entry
		} else {
			x.entries[k], old = old[0], old[1:]
			x.present[x.entries[k].row].place = int32(k)
		}
		x.placed[k] = x.entries[k].row
	}
	for i := range x.came {
		here := &x.present[x.came[i].row]
		here.place = ^here.place
	}
	x.keyless = 0
	for x.keyless < members && x.entries[x.keyless].key == keyless {
		x.keyless++
	}
	x.grid.draw(x.entries[x.keyless:])
}

// stays reports whether the row of an old entry is still the same member.
func (x *Index) stays(row Row) bool {
	here := &x.present[row]
	return here.gather == x.gathers && here.place >= 0
}

// grid finds the position of a key without a search: binary searches for both ends of every
// seed's window took 7 percent of the time of a PlayFab day.
type grid struct {
	low, scale float64 // of the cells: the lower end of the first, and cells per unit
	last       float64 // the last cell
	starts     []int32 // by cell, the first position; then the end
}

// draw divides the range of the keys into cells of equal width, as many as there are keys. The
// outermost 3 percent at each end are assigned to the end cells; otherwise one stray key could
// put all other keys into one cell.
func (g *grid) draw(entries []entry) {
	cells := max(1, len(entries))
	g.starts, g.last = slices.Grow(g.starts[:0], cells+1)[:cells+1], float64(cells-1)
	if g.low, g.scale = 0, 0; len(entries) > 0 {
		stray := len(entries) / 32
		g.low = entries[stray].key
		if span := entries[len(entries)-1-stray].key - g.low; span > 0 {
			g.scale = float64(cells) / span
		}
	}
	next := 0
	for place := range entries {
		for cell := g.cell(entries[place].key); next <= cell; next++ {
			g.starts[next] = int32(place)
		}
	}
	for ; next <= cells; next++ {
		g.starts[next] = int32(len(entries))
	}
}

// cell returns the cell of a key. A larger key is never in a smaller cell.
func (g *grid) cell(key float64) int {
	at := (key - g.low) * g.scale
	if !(at > 0) { // also if it is NaN, the result of 0 times an infinite key
		return 0
	}
	return int(min(at, g.last))
}

// measure lists the sizes of the members and, if they differ, the positions for each size.
func (x *Index) measure() {
	x.sizes, x.largest = x.sizes[:0], 0
	last := int32(0)
	for k := range x.entries {
		players := x.entries[k].players
		if players == last { // most tickets have one player
			continue
		}
		last = players
		x.largest = max(x.largest, players)
		at, known := slices.BinarySearchFunc(x.sizes, players, func(s size, n int32) int { return cmp.Compare(s.players, n) })
		if !known {
			x.sizes = slices.Insert(x.sizes, at, size{players: players})
		}
	}
	if len(x.sizes) < 2 {
		return
	}
	for i := range x.sizes {
		x.sizes[i].places = append(x.sizes[i].places[:0], make([]uint64, x.words)...)
	}
	for k := range x.entries {
		for i := range x.sizes {
			if x.sizes[i].players == x.entries[k].players {
				set(x.sizes[i].places, int32(k))
			}
		}
	}
}

// width is the positions of the members with a certain width.
type width struct {
	width  float64
	places []uint64
}

// maxWidths bounds the number of different widths. Members with further widths are compared one
// by one.
const maxWidths = 8

// sortByWidth groups the members with a key by their width.
func (x *Index) sortByWidth() {
	x.widths = x.widths[:0]
	if !x.rules.OwnWidths || x.rules.Key == nil {
		return
	}
	last, own := -1, 0.0
	var stage *store.Stage
	for k := x.keyless; k < len(x.entries); k++ {
		if at := x.rows.Stage[x.entries[k].row]; at != stage {
			stage, own = at, x.rules.Key.Width(&at.Limits[x.rules.KeyAt])
		}
		if last < 0 || x.widths[last].width != own {
			if last = slices.IndexFunc(x.widths, func(w width) bool { return w.width == own }); last < 0 {
				if last = len(x.widths); last == maxWidths {
					last = -1
					continue
				}
				x.widths = slices.Grow(x.widths, 1)[:last+1]
				w := &x.widths[last]
				w.width, w.places = own, resize(w.places, x.words)
				clear(w.places)
			}
		}
		set(x.widths[last].places, int32(k))
	}
}

// placeOf returns the position of a row, -1 if it is not a member.
func (x *Index) placeOf(row Row) int32 {
	if int(row) < len(x.present) && x.present[row].gather == x.gathers {
		return x.present[row].place
	}
	return -1
}

// Close removes a member from the candidates of later seeds.
func (x *Index) Close(row Row) {
	if place := x.placeOf(row); place >= 0 {
		unset(x.open, place)
		if x.tied {
			unset(x.loose, place)
		}
	}
}

// Open makes a member that was a seed a candidate of later seeds.
func (x *Index) Open(row Row) { set(x.open, x.present[row].place) }

// Loosen is Open if the wait of this member, which is longer than that of later seeds, sets the
// limits between them: the index then never excludes it. news is set if the member was not a
// candidate in the last pass.
func (x *Index) Loosen(row Row, news bool) {
	place := x.present[row].place
	set(x.open, place)
	set(x.loose, place)
	if news {
		x.anyFresh = true
		set(x.fresh, place)
	}
	x.tied = true
}

// Tied reports whether any open member was loosened.
func (x *Index) Tied() bool { return x.tied }

// Fresh reports whether a member joined or changed since the last pass.
func (x *Index) Fresh(row Row) bool { return has(x.fresh, x.present[row].place) }

// AnyFresh reports whether any member is fresh.
func (x *Index) AnyFresh() bool { return x.anyFresh }

// players counts the players of the tickets in a bitmap whose first word is number first.
// Tickets with more players than room do not count.
func (x *Index) players(places []uint64, first int, room int32) (players int32) {
	if len(x.sizes) == 1 {
		if x.largest > room {
			return 0
		}
		n := 0
		for _, word := range places {
			n += bits.OnesCount64(word)
		}
		return int32(n) * x.largest
	}
	for i := range x.sizes {
		s := &x.sizes[i]
		if s.players > room {
			break
		}
		n, like := 0, s.places[first:][:len(places)]
		for k, word := range places {
			n += bits.OnesCount64(word & like[k])
		}
		players += int32(n) * s.players
	}
	return players
}
