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
	if p.decisive {
		r.scanFronts(own, members[c.at+1:])
	} else {
		for i := range members[c.at+1:] {
			if row := members[c.at+1+i].row; p.mayMeetFront(c.seed, row) {
				r.compare(own, row, false)
			}
		}
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

// scanFronts takes in whom the seed may meet of those who have waited less, where
// fronts decide; their distances are left for later.
func (r *ranker) scanFronts(own uint64, members []member) {
	p, s := r.pool, &r.pool.search
	x := p.fronts[r.seed]
	fronts, masks, stride, level := p.fronts, p.reach.masks, p.reach.stride(), int(x.level)
	near, alike := p.reach.mask(r.seed, x.level), s.bindRegion && s.level == x.level
	for i := range members {
		row := members[i].row
		y := &fronts[row]
		if y.size > r.room || math.Abs(y.number-x.number) > x.width {
			continue
		}
		common := near & masks[int(row)*stride+level]
		if common == 0 || p.partitioned && p.part[row] != p.part[r.seed] {
			continue
		}
		if !alike {
			common = own & s.reach(row)
		}
		r.count.add(common, y.size)
		r.heap = append(r.heap, rated{math.NaN(), row, false})
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
