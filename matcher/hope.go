package matcher

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// numbers is where some tickets stand on the axis of the index. A ticket is free,
// and counts nowhere, when it has no number or its own wait alone might lift the
// rule. Two who are not free are at most as far apart as the larger of the bounds
// that their waits set.
type numbers struct {
	lowest, highest float64 // +Inf and -Inf while all are free
	widest          float64 // largest bound
}

func (p *Pool) numbersOf(row Row) numbers {
	if number := p.axisNumber(row); !math.IsNaN(number) {
		return numbers{number, number, p.index.axis.force[row].bound}
	}
	return numbers{math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

// axisNumber returns a ticket's number on the axis, NaN for a free one.
func (p *Pool) axisNumber(row Row) float64 {
	axis := p.index.axis
	if axis == nil || !axis.force[row].active || axis.force[row].optional {
		return math.NaN()
	}
	return axis.number[row]
}

func (n numbers) join(other numbers) numbers {
	return numbers{min(n.lowest, other.lowest), max(n.highest, other.highest), max(n.widest, other.widest)}
}

// together tells whether all may be in one match as far as the axis is concerned.
func (n numbers) together() bool { return !(n.highest-n.lowest > n.widest+tolerance) }

// helper is a candidate that may still join the group.
type helper struct {
	number float64 // NaN for a free one
	size   int32
	reach  uint64
}

// hopeful tells whether the group can still become a match with candidates from
// one on, each of whom may meet everybody in the group: whether some of them, who
// share a region with it and on the axis fit together with it, bring it to the
// minimum size, and all of them to the minimum of each MatchTotal. It looks no
// further than it has to.
func (s *search) hopeful(from int) bool {
	p, top := s.pool, s.top()
	need := int32(p.rules.MinPlayers) - top.players
	copy(s.rest, top.sums)
	if need <= 0 && s.totalsReached() {
		return true
	}
	var players [MaxRegions]int32
	enough, all, next := need <= 0, top.numbers, 0
	s.helpers = s.helpers[:0]
	for k := from; s.have(k); k++ {
		c := &s.list[k]
		common := c.reach & top.reach
		if common == 0 || top.players+c.size > s.seats || !s.meetsAll(c) {
			continue
		}
		s.helpers = append(s.helpers, helper{p.axisNumber(c.row), c.size, common})
		all = all.join(p.numbersOf(c.row))
		for m := common; m != 0; m &= m - 1 {
			region := bits.TrailingZeros64(m)
			players[region] += c.size
			enough = enough || players[region] >= need
		}
		for i, binds := range s.bindTotal {
			if binds {
				s.rest[i] += max(0, p.groups[i].number[c.row])
			}
		}
		if !enough || !s.totalsReached() {
			continue
		}
		if need <= 0 || all.together() {
			return true
		}
		if len(s.helpers) >= next { // not after each one: it costs a sort
			if s.windowed(need, &players, all.widest) {
				return true
			}
			next = len(s.helpers)*5/4 + 1
		}
	}
	return enough && s.totalsReached() && (need <= 0 || s.windowed(need, &players, all.widest))
}

// totalsReached tells whether rest reaches the least minimum of every MatchTotal
// that is certainly enforced.
func (s *search) totalsReached() bool {
	for i, binds := range s.bindTotal {
		if binds && s.rest[i] < s.pool.groups[i].smallestLeast-tolerance {
			return false
		}
	}
	return true
}

// windowed tells whether in some region enough helpers stand in a window of the
// axis that is not wider than allowed and has the group in it.
func (s *search) windowed(need int32, players *[MaxRegions]int32, width float64) bool {
	slices.SortFunc(s.helpers, func(a, b helper) int { return cmp.Compare(a.number, b.number) })
	free := 0
	for free < len(s.helpers) && math.IsNaN(s.helpers[free].number) {
		free++
	}
	for region := range players {
		if players[region] < need {
			continue
		}
		want := need
		for i := range s.helpers[:free] {
			want -= s.helpers[i].in(region)
		}
		if want <= 0 || s.slide(s.helpers[free:], region, want, width+tolerance) {
			return true
		}
	}
	return false
}

// in returns the players that a helper brings to a region.
func (h *helper) in(region int) int32 { return h.size * int32(h.reach>>region&1) }

// slide moves a window over helpers in the order of their numbers. It begins at a
// helper, or at the lowest of the group.
func (s *search) slide(sorted []helper, region int, want int32, width float64) bool {
	group := s.top().numbers
	end, count := 0, int32(0)
	for i := 0; i <= len(sorted); i++ {
		begin := group.lowest
		if i < len(sorted) {
			begin = min(begin, sorted[i].number)
		}
		for end < len(sorted) && sorted[end].number-begin <= width {
			count += sorted[end].in(region)
			end++
		}
		if count >= want && !(group.highest-begin > width) {
			return true
		}
		if begin == group.lowest || i == len(sorted) {
			return false
		}
		count -= sorted[i].in(region)
	}
	return false
}
