package matcher

import (
	"cmp"
	"math"
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

// number returns where a single ticket stands, NaN for a free one.
func (n numbers) number() float64 {
	if n.lowest > n.highest {
		return math.NaN()
	}
	return n.lowest
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
	if s.lineup.on {
		return s.hopefulLine(from)
	}
	p, top := s.pool, s.top()
	need := int32(p.rules.MinPlayers) - top.players
	copy(s.rest, top.sums)
	if need <= 0 && s.totalsReached() {
		return true
	}
	s.count.begin(int(max(1, need)))
	all, asked := top.numbers, 0 // helpers when lacks was asked
	s.helpers = s.helpers[:0]
	for k := from; s.have(k); k++ {
		c := &s.list[k]
		common := c.reach & top.reach
		if common == 0 || top.players+c.size > s.seats || !s.meetsAll(c) {
			continue
		}
		s.helpers = append(s.helpers, helper{c.numbers.number(), c.size, common})
		all = all.join(c.numbers)
		s.count.add(common, c.size)
		for i, binds := range s.bindTotal {
			if binds {
				s.rest[i] += max(0, p.groups[i].number[c.row])
			}
		}
		if need > 0 && s.count.full == 0 || !s.totalsReached() {
			continue
		}
		if need <= 0 || all.together() {
			return true
		}
		if len(s.helpers) > asked*5/4 { // not after each one: it costs a sort
			if top.numbers.lacks(s.helpers, int(need), all.widest) == 0 {
				return true
			}
			asked = len(s.helpers)
		}
	}
	switch {
	case !s.totalsReached():
		return false
	case need <= 0:
		return true
	case s.count.full == 0 || len(s.helpers) == asked:
		return false
	}
	return top.numbers.lacks(s.helpers, int(need), all.widest) == 0
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

// lacks returns how many of the players that a group needs, at least 1, are missing
// among helpers, in every region, in every window of the axis that is not wider than
// allowed and has the group in it. It sorts the helpers.
func (n numbers) lacks(helpers []helper, need int, widest float64) (missing int) {
	slices.SortFunc(helpers, func(a, b helper) int { return cmp.Compare(a.number, b.number) }) // the free first
	var count headcount
	count.begin(need)
	first := 0
	for first < len(helpers) && math.IsNaN(helpers[first].number) {
		count.add(helpers[first].reach, helpers[first].size)
		first++
	}
	missing = count.missing()
	width := widest + tolerance
	for i := first; i < len(helpers) && missing > 0; i++ {
		last := max(helpers[i].number, n.highest)
		if last-n.lowest > width {
			break
		}
		for ; first < i && last-helpers[first].number > width; first++ {
			count.remove(helpers[first].reach, helpers[first].size)
		}
		count.add(helpers[i].reach, helpers[i].size)
		missing = min(missing, count.missing())
	}
	return missing
}
