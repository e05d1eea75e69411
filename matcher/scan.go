package matcher

import (
	"math"
)

// scan compares a seed with all members of a small pool or of a subset. It returns
// how many players are missing in every region until the seed may have enough
// around it who are close enough together on the axis; 0 when they may do. Its
// candidates are then in the heap. counted tells that it changes nothing when the
// rules of candidates do.
func (r *ranker) scan(c *circle) (missing int, counted bool) {
	p, s := r.pool, &r.pool.search
	r.begun(c.seed, int32(p.seats(c.seed))-p.size[c.seed])
	own := s.reach(c.seed)
	r.helpers, r.span = r.helpers[:0], p.numbersOf(c.seed)
	r.count.begin(max(1, p.rules.MinPlayers-int(p.size[c.seed])))
	members := c.subset.members
	switch {
	case c.at < 0:
		for i := range members {
			r.compare(own, members[i].row, false)
		}
		return r.scanned(false)
	case !s.exact && c.reserve == nil:
		for i := range members[:c.at] {
			if row := members[i].row; !c.subset.settled(row) {
				r.compare(own, row, false)
			}
		}
	}
	alike := s.bindRegion && s.level == p.fronts[c.seed].level // the regions to count are those in common
	for _, n := range c.subset.gathered.neighbours(c.seed, r.room) {
		switch {
		case !p.decisive:
			r.compare(own, n.row, false)
			continue
		case p.partitioned && p.part[n.row] != p.part[c.seed]:
			continue
		case !alike:
			n.common = own & s.reach(n.row)
		}
		r.take(n.row, n.size, n.common)
		r.heap = append(r.heap, rated{math.NaN(), n.row, false})
	}
	if c.reserve != nil {
		for i := range c.reserve.members {
			r.compare(own, c.reserve.members[i].row, true)
		}
	}
	return r.scanned(p.decisive)
}

// take counts a candidate.
func (r *ranker) take(row Row, size int32, regions uint64) {
	numbers := r.pool.numbersOf(row)
	r.count.add(regions, size)
	r.span = r.span.join(numbers)
	r.helpers = append(r.helpers, helper{numbers.number(), size, regions})
}

// compare takes a ticket in that the seed may meet.
func (r *ranker) compare(own uint64, row Row, reserve bool) {
	p := r.pool
	if row == r.seed || p.fronts[row].size > r.room || p.partitioned && p.part[row] != p.part[r.seed] {
		return
	}
	if total, meet := p.pair(r.seed, row); meet {
		r.take(row, p.size[row], own&p.search.reach(row))
		r.heap = append(r.heap, rated{total, row, reserve})
	}
}

// scanned ends a scan.
func (r *ranker) scanned(unrated bool) (missing int, counted bool) {
	if missing = r.count.missing(); missing > 0 {
		return missing, true
	}
	p := r.pool
	if p.index.axis != nil && r.scattered() {
		return 1, false
	}
	for i := range r.heap {
		if h := &r.heap[i]; unrated && math.IsNaN(h.total) {
			h.total, _ = p.pair(r.seed, h.row)
		}
	}
	r.heap.init(r.before)
	return 0, false
}

// scattered tells whether too few of the helpers stand together, in every region, in
// every window of the axis that has the seed in it and is as wide as the largest bound of
// anybody. See hopeful, which asks the same of every larger group, and shortOf, which
// asks it of those in a lineup.
func (r *ranker) scattered() bool {
	p := r.pool
	need := p.rules.MinPlayers - int(p.size[r.seed])
	if need <= 0 || r.span.together() || r.cosy() {
		return false
	}
	return p.numbersOf(r.seed).lacks(r.helpers, need, r.span.widest) > 0
}

// cosy tells, without a sort, whether enough helpers stand within half the seed's
// own bound of it on either side.
func (r *ranker) cosy() bool {
	p := r.pool
	own := p.numbersOf(r.seed)
	r.count.begin(max(1, p.rules.MinPlayers-int(p.size[r.seed])))
	for i := range r.helpers {
		h := &r.helpers[i]
		if !(math.Abs(h.number-own.lowest) > own.widest/2) {
			if r.count.add(h.reach, h.size); r.count.full != 0 {
				return true
			}
		}
	}
	return false
}

// rising tells whether the rule never tightens while a ticket waits.
func (c *column) rising() bool {
	s := &c.bound
	for i := 1; i < len(s.List); i++ {
		if s.List[i].Value < s.List[i-1].Value {
			return false
		}
	}
	return c.firm() && (len(s.List) > 0 || s.Step >= 0)
}
