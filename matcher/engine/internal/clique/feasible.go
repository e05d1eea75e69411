package clique

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/internal/ranges"
)

// feasibility decides whether a group can still become a match. The search does not extend a group
// that cannot become one. Under a budget, this affects the results, so it must depend on nothing
// but the rules.
//
// The helpers of a group are the candidates that may still join it: they are ranked after its
// last member, fit in the remaining seats, and may meet every member by the rules about pairs. A
// group is feasible if it satisfies two conditions.
//
// The first condition is that the group has the minimum of players or can attain it. It can attain
// it if there is a combination of the seed's values, one for each rule about a shared value (a
// region or an element of a set), with these properties:
//
//   - The whole group has these values.
//   - Enough helpers have them to bring the group to the minimum.
//   - For every rule about numbers, enough of these helpers are within that rule's spread,
//     together with the group.
//
// The second condition is that the helpers can bring the group to the minimum of every total,
// counting only helpers with a positive sum.
//
// Rules that are not enforced for every group around the seed are ignored. If no candidate has
// waited longer than the seed, the limit of a rule is the seed's limit. Otherwise, it is the
// loosest limit of any stage.
//
// The spread of a rule is the largest possible difference between two members of a match. It
// follows from the seed's limit if no two members can have a wider one. Otherwise, it follows
// from the widest limit of any stage. A rule that is not enforced in some stage has no spread.
type feasibility struct {
	combinations
	search  *Search
	sizes   []sizeClass // the candidates grouped by size
	numbers []numberRow // for each rule with a finite spread
	totals  []total     // the totals that are enforced for every group
	window  ranges.Window
	helpers []uint64
	part    []uint64 // scratch space for enoughOf: a subset of the helpers
	group   []uint64 // the members of the group except for the seed
	rows    []Row    // scratch space for begin: the rows of the candidates
}

// sizeClass is the set of candidates with the same number of players.
type sizeClass struct {
	players int32
	members []uint64
}

// numberRow contains the candidates sorted by the number that one rule compares.
type numberRow struct {
	rule            keyed
	spread          float64
	candidates      []numbered
	lowest, highest float64 // range of the numbers in the group
}

// numbered is a candidate with its number. Candidates without a number are sorted first.
type numbered struct {
	number float64
	index  int32
}

// begin prepares the sets for the candidates of a seed.
func (f *feasibility) begin(s *Search) {
	f.search = s
	f.combinations.begin(len(s.List))
	f.measure()
	if need := int32(s.Rules.Set.MinPlayers) - s.top().players; need > 0 {
		f.rows = f.rows[:0]
		for i := range s.List {
			f.rows = append(f.rows, s.List[i].Row)
		}
		f.list(s, f.rows, f.allCandidates(f.set()), need, f.players)
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

// measure groups the candidates by size.
func (f *feasibility) measure() {
	f.sizes = f.sizes[:0]
	for index, c := range f.search.List {
		at := slices.IndexFunc(f.sizes, func(x sizeClass) bool { return x.players == c.Players })
		if at < 0 {
			at = len(f.sizes)
			f.sizes = append(f.sizes, sizeClass{c.Players, f.set()})
		}
		enter(f.sizes[at].members, index)
	}
}

// number sorts the candidates for each rule about numbers.
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
		f.numbers = slices.Grow(f.numbers, 1)[:n+1] // reuse the memory of the previous seed
		row := &f.numbers[n]
		row.rule, row.spread, row.candidates = rule, spread, row.candidates[:0]
		for index, c := range s.List {
			row.candidates = append(row.candidates, numbered{rule.Key(c.Row), int32(index)})
		}
		slices.SortFunc(row.candidates, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.index, b.index))
		})
	}
}

// allCandidates returns the set of all candidates. It reuses the memory of its argument.
func (f *feasibility) allCandidates(set []uint64) []uint64 {
	set = slices.Grow(set[:0], f.words)[:f.words]
	for k := range set {
		set[k] = ^uint64(0)
	}
	if n := len(f.search.List) % 64; n != 0 {
		set[f.words-1] = 1<<n - 1
	}
	return set
}

// meeting returns the candidates that are in the second set, are ranked after candidate k, and may
// meet it. The result reuses the memory of the first set.
func (f *feasibility) meeting(set, of []uint64, k int) []uint64 {
	set = append(set[:0], of...)
	clear(set[:k/64])
	set[k/64] &= ^uint64(0) << (k % 64) << 1
	s := f.search
	if len(s.Rules.pairs) == 0 {
		return set
	}
	c := &s.List[k]
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			if other := i*64 + bits.TrailingZeros64(word); !s.meet(c, &s.List[other]) {
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
	copy(f.helpers, top.left)
	clear(f.group)
	for i := range s.Group[1:] {
		enter(f.group, s.frames[i+1].index)
	}
	for i := range f.sizes {
		if f.sizes[i].players > room {
			for k, word := range f.sizes[i].members {
				f.helpers[k] &^= word
			}
		}
	}
	return (need <= 0 || f.enough(need)) && f.attainsTotals()
}

// attainsTotals reports whether the helpers bring the group to the minimum of every total.
func (f *feasibility) attainsTotals() bool {
	s := f.search
	for _, t := range f.totals {
		more := 0.0
		for k, word := range f.helpers {
			for ; word != 0; word &= word - 1 {
				more += max(0, t.Sum(s.List[k*64+bits.TrailingZeros64(word)].Row))
			}
		}
		if !t.Attainable(len(s.Group), more) {
			return false
		}
	}
	return true
}

// players returns the number of players in a set of candidates.
func (f *feasibility) players(set []uint64) (players int32) {
	if len(f.sizes) == 1 {
		for _, word := range set {
			players += int32(bits.OnesCount64(word))
		}
		return players * f.sizes[0].players
	}
	for i := range f.sizes {
		n := 0
		for k, word := range f.sizes[i].members {
			n += bits.OnesCount64(word & set[k])
		}
		players += int32(n) * f.sizes[i].players
	}
	return players
}

// enough reports whether some combination of values satisfies the first condition of feasibility:
// the whole group has these values, enough helpers have them too, and for each rule about
// numbers, enough of these helpers are within its spread.
func (f *feasibility) enough(need int32) bool {
	for i := range f.numbers {
		if row := &f.numbers[i]; !row.holds(f.search.Group) {
			return false
		}
	}
	for _, set := range f.sets {
		if subset(f.group, set) && f.enoughOf(set, need) {
			return true
		}
	}
	return false
}

// enoughOf does the work of the method enough for one combination. set is the set of candidates
// that have its values.
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

// holds reports whether the group's numbers are within the spread. It also stores their range.
func (row *numberRow) holds(group []Row) bool {
	row.lowest, row.highest = math.Inf(1), math.Inf(-1)
	for _, member := range group {
		if number := row.rule.Key(member); !math.IsNaN(number) {
			row.lowest, row.highest = min(row.lowest, number), max(row.highest, number)
		}
	}
	return !(row.highest-row.lowest > row.spread)
}

// together reports whether helpers in f.part with enough players are within the spread of a rule
// about numbers, together with the group.
func (f *feasibility) together(row *numberRow, need int32) bool {
	list := f.search.List
	f.window.Begin(ranges.Span{Low: row.lowest, High: row.highest}, row.spread)
	for _, x := range row.candidates {
		if !has(f.part, int(x.index)) {
			continue
		}
		if players := list[x.index].Players; math.IsNaN(x.number) {
			f.window.AddFree(players)
		} else {
			f.window.Add(x.number, players)
		}
		if f.window.Players >= need {
			return true
		}
	}
	return false
}
