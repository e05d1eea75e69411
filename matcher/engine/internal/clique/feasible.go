package clique

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// feasibility tells which groups can still become a match. It is part of what a search
// under a budget means, so it is defined by the rules alone.
//
// The helpers of a group are the candidates behind its last one in rank that fit into the
// seats beside the group and may meet everybody in it by the rules about pairs. The group
// is feasible when it has the minimum of players, or
//
//   - there is one of the seed's values for every rule about a shared value (a region, an
//     element of a set) such that the whole group has it, and
//   - so many helpers have all these values that they bring the group to the minimum, and
//     for every rule about numbers so many of them stand together with the group within
//     that rule's spread,
//
// and when in either case the positive sums of all helpers bring it to the minimum of
// every total.
//
// A rule is left out that is not enforced for every group of the seed. Its limit is the
// seed's where nobody who has waited longer is a candidate, else the loosest of all its
// stages. A spread is the distance that no two of a match can exceed: the seed's limit if
// no shorter wait has a wider one, else the widest of all stages; a rule that is
// sometimes not enforced has none.
type feasibility struct {
	search  *Search
	words   int          // of a set of candidates
	sizes   []sizeClass  // of candidates
	shared  []sharedSets // by rule that binds
	numbers []numberRow  // by rule that binds
	totals  []total      // that bind
	fits    [][]uint64   // by candidate: those it may meet; nil until asked for
	arena   []uint64     // sets are cut from it
	parts   [][]uint64   // scratch of enough
	helpers []uint64
	group   []uint64 // the group without the seed
	values  []int
}

// sizeClass is the candidates of so many players.
type sizeClass struct {
	players int32
	spots   []uint64
}

// sharedSets has for each value of the seed the candidates that have it too.
type sharedSets struct {
	spots [][]uint64
}

// numberRow is the candidates in the order of a rule's number.
type numberRow struct {
	spread float64
	seed   float64 // NaN: none
	spots  []numbered
}

// numbered is a candidate and its number; those without one come first.
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
	f.share()
	f.number()
	f.totals = f.totals[:0]
	for _, t := range s.Rules.totals {
		if t.Always(&s.Rows.Stage[s.Group[0]].Limits[t.at]) {
			f.totals = append(f.totals, t)
		}
	}
	f.fits = slices.Grow(f.fits[:0], n)[:n]
	clear(f.fits)
	f.helpers, f.group = f.set(), f.set()
}

// set returns an empty set of candidates that is good until the next begin.
func (f *feasibility) set() []uint64 {
	if len(f.arena)+f.words > cap(f.arena) {
		f.arena = make([]uint64, 0, max(1024, 2*cap(f.arena), f.words)) // older sets keep the old one
	}
	from := len(f.arena)
	f.arena = f.arena[:from+f.words]
	set := f.arena[from : from+f.words : from+f.words]
	clear(set)
	return set
}

// measure sorts the candidates by size.
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

// share lists who has the seed's values.
func (f *feasibility) share() {
	s := f.search
	f.shared = f.shared[:0]
	seed := s.Group[0]
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
		n := len(f.shared)
		f.shared = slices.Grow(f.shared, 1)[:n+1] // with the memory of the seed before
		sets := &f.shared[n]
		sets.spots = sets.spots[:0]
		for range values {
			sets.spots = append(sets.spots, f.set())
		}
		for spot, c := range s.ranked.list {
			f.values = rule.AppendCommon(f.values[:0], &limit, seed, c.Row)
			for _, value := range f.values {
				enter(sets.spots[value], spot)
			}
		}
	}
}

// number sorts the candidates by the rules about numbers.
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
		f.numbers = slices.Grow(f.numbers, 1)[:n+1] // with the memory of the seed before
		row := &f.numbers[n]
		row.spread, row.seed, row.spots = spread, rule.Key(s.Group[0]), row.spots[:0]
		for spot, c := range s.ranked.list {
			row.spots = append(row.spots, numbered{rule.Key(c.Row), int32(spot)})
		}
		slices.SortFunc(row.spots, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.spot, b.spot))
		})
	}
}

// everybody makes a set of all candidates.
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

// meeting makes the set of those of some candidates behind the k-th that it may meet.
func (f *feasibility) meeting(set, of []uint64, k int) []uint64 {
	set = append(set[:0], of...)
	for i := range k / 64 {
		set[i] = 0
	}
	set[k/64] &= ^uint64(0) << (k % 64) << 1
	if len(f.search.Rules.pairs) == 0 {
		return set
	}
	for i, word := range f.fit(k) {
		set[i] &= word
	}
	return set
}

// fit returns the candidates that the k-th may meet by the rules about pairs.
func (f *feasibility) fit(k int) []uint64 {
	if f.fits[k] == nil {
		s, set := f.search, f.set()
		for spot, c := range s.ranked.list {
			if spot != k && s.Rules.meet(s.Rows, s.ranked.list[k].Row, c.Row) {
				enter(set, spot)
			}
		}
		f.fits[k] = set
	}
	return f.fits[k]
}

// holds tells whether the group is feasible.
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
	return (need <= 0 || f.enough(f.helpers, 0, need)) && f.reachesTotals()
}

// reachesTotals tells whether the helpers bring the group to the minimum of every total.
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

// players counts the players of some candidates.
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

// enough goes through the values of one rule after another that the whole group has, and
// tells whether some of each leave enough helpers.
func (f *feasibility) enough(set []uint64, rule int, need int32) bool {
	if f.players(set) < need {
		return false
	}
	if rule == len(f.shared) {
		for i := range f.numbers {
			if !f.together(&f.numbers[i], set, need) {
				return false
			}
		}
		return true
	}
	for len(f.parts) <= rule {
		f.parts = append(f.parts, nil)
	}
	part := slices.Grow(f.parts[rule][:0], f.words)[:f.words]
	f.parts[rule] = part
	for _, spots := range f.shared[rule].spots {
		if !f.groupIn(spots) {
			continue
		}
		for k, word := range set {
			part[k] = word & spots[k]
		}
		if f.enough(part, rule+1, need) {
			return true
		}
	}
	return false
}

// groupIn tells whether the whole group is in a set; that the seed is is known.
func (f *feasibility) groupIn(set []uint64) bool {
	for k, word := range f.group {
		if word&^set[k] != 0 {
			return false
		}
	}
	return true
}

// together tells whether enough players of a set stand, with the group, within the
// spread of a rule about numbers.
func (f *feasibility) together(row *numberRow, set []uint64, need int32) bool {
	s := f.search
	lowest, highest := math.Inf(1), math.Inf(-1)
	if !math.IsNaN(row.seed) {
		lowest, highest = row.seed, row.seed
	}
	if len(s.Group) > 1 {
		for _, x := range row.spots {
			if !math.IsNaN(x.number) && has(f.group, int(x.spot)) {
				lowest, highest = min(lowest, x.number), max(highest, x.number)
			}
		}
	}
	inside, tail := int32(0), 0
	for i, x := range row.spots {
		if !has(set, int(x.spot)) {
			continue
		}
		if inside += s.ranked.list[x.spot].players; !math.IsNaN(x.number) {
			last := max(x.number, highest)
			if last-lowest > row.spread {
				break
			}
			for ; tail < i && !(last-row.spots[tail].number <= row.spread); tail++ {
				if math.IsNaN(row.spots[tail].number) {
					continue
				}
				if has(set, int(row.spots[tail].spot)) {
					inside -= s.ranked.list[row.spots[tail].spot].players
				}
			}
		}
		if inside >= need {
			return true
		}
	}
	return false
}
