package matcher

import "math"

// scan compares a seed with all members of a small pool or of a subset. It returns
// how many players are missing in every region until the seed may have enough
// around it; 0 when they may do. Its candidates are then in the heap.
func (r *ranker) scan(c *circle) (missing int) {
	p, s := r.pool, &r.pool.search
	r.begun(c.seed, int32(p.seats(c.seed))-p.size[c.seed])
	own := s.reach(c.seed)
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
	for _, n := range c.subset.gathered.behind(p, c.at, c.seed, r.room) {
		switch {
		case !p.decisive:
			r.compare(own, n.row, false)
			continue
		case p.partitioned && p.part[n.row] != p.part[c.seed]:
			continue
		case !alike:
			n.common = own & s.reach(n.row)
		}
		r.count.add(n.common, n.size)
		r.heap = append(r.heap, rated{math.NaN(), n.row, false})
	}
	if c.reserve != nil {
		for i := range c.reserve.members {
			r.compare(own, c.reserve.members[i].row, true)
		}
	}
	return r.scanned(p.decisive)
}

// compare takes a ticket in that the seed may meet.
func (r *ranker) compare(own uint64, row Row, reserve bool) {
	p := r.pool
	if row == r.seed || p.fronts[row].size > r.room || p.partitioned && p.part[row] != p.part[r.seed] {
		return
	}
	if total, meet := p.pair(r.seed, row); meet {
		r.count.add(own&p.search.reach(row), p.size[row])
		r.heap = append(r.heap, rated{total, row, reserve})
	}
}

// scanned ends a scan.
func (r *ranker) scanned(unrated bool) (missing int) {
	if missing = r.count.missing(); missing > 0 {
		return missing
	}
	for i := range r.heap {
		if h := &r.heap[i]; unrated && math.IsNaN(h.total) {
			h.total, _ = r.pool.pair(r.seed, h.row)
		}
	}
	r.heap.init(r.before)
	return 0
}
