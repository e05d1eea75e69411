package clique

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// feasibility decides which groups of a seed and candidates that core keeps can still become
// a match. It affects the results of searches under a budget, so it is defined by the rules
// alone.
//
// The helpers of a group are the candidates ranked after its last one that fit into the
// remaining seats and may meet every ticket of the group by the rules about pairs. A group is
// feasible if it satisfies two conditions. The first is that it has the minimum of players, or
// that
//
//   - for every rule about a shared value (a region, an element of a set) there is one of the
//     seed's values that the whole group has, and
//   - enough helpers have all these values to bring the group to the minimum, and for every
//     rule about numbers, enough of these helpers are, together with the group, within that
//     rule's spread.
//
// The second is that the positive sums of all helpers bring the group to the minimum of every
// total.
//
// Rules that are not enforced for every group of the seed are ignored. The limit of a rule is
// the seed's limit if no candidate has waited longer, otherwise the loosest of all its stages.
// A spread is the largest possible difference between two members of a match: the seed's limit
// if no shorter wait has a wider one, otherwise the widest of all stages. A rule that is not
// enforced in some stage has no spread.
type feasibility struct {
	search  *Search
	words   int         // number of words of a set of candidates
	sizes   []sizeClass // candidates by size
	shared  [][]uint64  // by combination of values: the candidates that have all of them
	numbers []numberRow // by rule with a finite spread
	totals  []total     // totals that are always enforced
	arena   []uint64    // memory of the sets
	byValue [][]uint64  // scratch of share, with before
	before  [][]uint64
	helpers []uint64
	part    []uint64 // subset of the helpers
	group   []uint64 // the group without the seed
	word    []uint64 // scratch of share: one word of byValue per value
	rows    []Row    // scratch of share: the candidates
}

// sizeClass is the candidates with a number of players.
type sizeClass struct {
	players int32
	spots   []uint64
}

// numberRow is the candidates in the order of a rule's number.
type numberRow struct {
	rule            keyed
	spread          float64
	spots           []numbered
	lowest, highest float64 // range of the group's numbers
}

// numbered is a candidate with its number. Candidates without a number come first.
type numbered struct {
	number float64
	spot   int32
}

// begin prepares for the candidates of a seed.
func (f *feasibility) begin(s *Search) {
	f.search = s
	n := len(s.ranked.list)
	f.words, f.arena = (n+63)/64, f.arena[:0]
	f.measure()
	if need := int32(s.Rules.Set.MinPlayers) - s.top().players; need > 0 {
		f.share(need)
		f.number()
	}
	f.totals = f.totals[:0]
	for _, t := range s.Rules.totals {
		if t.Always(&s.Rows.Stage[s.Group[0]].Limits[t.at]) {
			f.totals = append(f.totals, t)
		}
	}
	f.helpers, f.part, f.group = f.set(), f.set(), f.set()
}

// set returns an empty set of candidates that is valid until the next begin.
func (f *feasibility) set() []uint64 {
	if len(f.arena)+f.words > cap(f.arena) {
		f.arena = make([]uint64, 0, max(1024, 2*cap(f.arena), f.words)) // older sets keep the old memory
	}
	from := len(f.arena)
	f.arena = f.arena[:from+f.words]
	set := f.arena[from : from+f.words : from+f.words]
	clear(set)
	return set
}

// measure groups the candidates by size.
func (f *feasibility) measure() {
	f.sizes = f.sizes[:0]
	for spot, c := range f.search.ranked.list {
		at := slices.IndexFunc(f.sizes, func(x sizeClass) bool { return x.players == c.players })
		if at < 0 {
			at = len(f.sizes)
			f.sizes = append(f.sizes, sizeClass{c.players, f.set()})
		}
		enter(f.sizes[at].spots, spot)
	}
}

// share computes, for every combination of the seed's values, the set of candidates that have
// all of them, and drops combinations with too few players. It also drops a set that is a
// subset of another, because the other suffices wherever it does. Trying all values at every
// step of the search instead takes 4 % more CPU for two hours with skill and region rules, and
// 9 % more with an additional text rule and set rule.
func (f *feasibility) share(need int32) {
	s := f.search
	seed := s.Group[0]
	n := len(s.ranked.list)
	f.rows = f.rows[:0]
	for _, c := range s.ranked.list {
		f.rows = append(f.rows, c.Row)
	}
	f.shared = append(f.shared[:0], f.everybody(f.set()))
	for _, rule := range s.Rules.shared {
		l := &s.Rows.Stage[seed].Limits[rule.at]
		if !rule.Always(l) {
			continue
		}
		limit := *l
		if !s.exact {
			limit = rule.Loosest()
		}
		values := rule.Values(&limit, seed)
		if values < 0 {
			continue
		}
		f.byValue = f.byValue[:0]
		for range values {
			f.byValue = append(f.byValue, f.set())
		}
		for from := 0; from < n; from += 64 {
			f.word = slices.Grow(f.word[:0], values)[:values]
			clear(f.word)
			rule.Common(f.word, &limit, seed, f.rows[from:min(n, from+64)])
			for value, word := range f.word {
				f.byValue[value][from/64] = word
			}
		}
		f.shared, f.before = f.before[:0], f.shared
		for _, set := range f.before {
			for _, spots := range f.byValue {
				f.combine(set, spots, need)
			}
		}
	}
}

// combine adds the intersection of two sets to the combinations.
func (f *feasibility) combine(a, b []uint64, need int32) {
	both := f.set()
	for k := range both {
		both[k] = a[k] & b[k]
	}
	if f.players(both) < need {
		return
	}
	kept := f.shared[:0]
	for i, set := range f.shared {
		if within(both, set) {
			return
		}
		if !within(set, both) {
			kept = append(kept, f.shared[i])
		}
	}
	f.shared = append(kept, both)
}

// within reports whether a set is a subset of another.
func within(set, other []uint64) bool {
	for k, word := range set {
		if word&^other[k] != 0 {
			return false
		}
	}
	return true
}

// number sorts the candidates by each rule about numbers.
func (f *feasibility) number() {
	s := f.search
	f.numbers = f.numbers[:0]
	for _, rule := range s.Rules.keyed {
		limit := &s.Rows.Stage[s.Group[0]].Limits[rule.at]
		spread := rule.Spread(limit)
		if !s.exact {
			spread = rule.Spread(nil)
		}
		if math.IsInf(spread, 1) {
			continue
		}
		n := len(f.numbers)
		f.numbers = slices.Grow(f.numbers, 1)[:n+1] // reuses the memory of the previous seed
		row := &f.numbers[n]
		row.rule, row.spread, row.spots = rule, spread, row.spots[:0]
		for spot, c := range s.ranked.list {
			row.spots = append(row.spots, numbered{rule.Key(c.Row), int32(spot)})
		}
		slices.SortFunc(row.spots, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.spot, b.spot))
		})
	}
}

// everybody returns the set of all candidates.
func (f *feasibility) everybody(set []uint64) []uint64 {
	set = slices.Grow(set[:0], f.words)[:f.words]
	for k := range set {
		set[k] = ^uint64(0)
	}
	if n := len(f.search.ranked.list) % 64; n != 0 {
		set[f.words-1] = 1<<n - 1
	}
	return set
}

// meeting returns the candidates of a set that are ranked after the k-th and that the k-th may
// meet.
func (f *feasibility) meeting(set, of []uint64, k int) []uint64 {
	set = append(set[:0], of...)
	clear(set[:k/64])
	set[k/64] &= ^uint64(0) << (k % 64) << 1
	s := f.search
	if len(s.Rules.pairs) == 0 {
		return set
	}
	c := &s.ranked.list[k]
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			if other := i*64 + bits.TrailingZeros64(word); !s.meet(c, &s.ranked.list[other]) {
				unset(set, other)
			}
		}
	}
	return set
}

// holds reports whether the group is feasible.
func (f *feasibility) holds() bool {
	s := f.search
	top := s.top()
	room, need := s.seats-top.players, int32(s.Rules.Set.MinPlayers)-top.players
	copy(f.helpers, top.open)
	clear(f.group)
	for i := range s.Group[1:] {
		enter(f.group, s.frames[i+1].spot)
	}
	for i := range f.sizes {
		if f.sizes[i].players > room {
			for k, word := range f.sizes[i].spots {
				f.helpers[k] &^= word
			}
		}
	}
	return (need <= 0 || f.enough(need)) && f.reachesTotals()
}

// reachesTotals reports whether the helpers bring the group to the minimum of every total.
func (f *feasibility) reachesTotals() bool {
	s := f.search
	for _, t := range f.totals {
		more := 0.0
		for k, word := range f.helpers {
			for ; word != 0; word &= word - 1 {
				more += max(0, t.Sum(s.ranked.list[k*64+bits.TrailingZeros64(word)].Row))
			}
		}
		if !t.Reaches(len(s.Group), more) {
			return false
		}
	}
	return true
}

// players counts the players of a set of candidates.
func (f *feasibility) players(set []uint64) (players int32) {
	if len(f.sizes) == 1 {
		for _, word := range set {
			players += int32(bits.OnesCount64(word))
		}
		return players * f.sizes[0].players
	}
	for i := range f.sizes {
		n := 0
		for k, word := range f.sizes[i].spots {
			n += bits.OnesCount64(word & set[k])
		}
		players += int32(n) * f.sizes[i].players
	}
	return players
}

// enough reports whether, for some combination of values that the whole group has, enough
// helpers have it too and, for each rule about numbers by itself, enough of these are within
// its spread.
func (f *feasibility) enough(need int32) bool {
	for i := range f.numbers {
		if row := &f.numbers[i]; !row.holds(f.search.Group) {
			return false
		}
	}
	for _, set := range f.shared {
		if within(f.group, set) && f.enoughOf(set, need) {
			return true
		}
	}
	return false
}

// enoughOf is enough for one combination of values.
func (f *feasibility) enoughOf(set []uint64, need int32) bool {
	for k, word := range f.helpers {
		f.part[k] = word & set[k]
	}
	if f.players(f.part) < need {
		return false
	}
	for i := range f.numbers {
		if !f.together(&f.numbers[i], need) {
			return false
		}
	}
	return true
}

// holds reports whether a group is within the spread, and stores the range of its numbers.
func (row *numberRow) holds(group []Row) bool {
	row.lowest, row.highest = math.Inf(1), math.Inf(-1)
	for _, member := range group {
		if number := row.rule.Key(member); !math.IsNaN(number) {
			row.lowest, row.highest = min(row.lowest, number), max(row.highest, number)
		}
	}
	return !(row.highest-row.lowest > row.spread)
}

// together reports whether enough players of part, together with the group, are within the
// spread of a rule about numbers.
func (f *feasibility) together(row *numberRow, need int32) bool {
	list := f.search.ranked.list
	inside, tail := int32(0), 0
	for i, x := range row.spots {
		if !has(f.part, int(x.spot)) {
			continue
		}
		if inside += list[x.spot].players; !math.IsNaN(x.number) {
			last := max(x.number, row.highest)
			if last-row.lowest > row.spread {
				break
			}
			for ; tail < i && !(last-row.spots[tail].number <= row.spread); tail++ {
				if math.IsNaN(row.spots[tail].number) {
					continue
				}
				if has(f.part, int(row.spots[tail].spot)) {
					inside -= list[row.spots[tail].spot].players
				}
			}
		}
		if inside >= need {
			return true
		}
	}
	return false
}
