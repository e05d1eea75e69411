package matcher

import "math"

// push makes the frame of the group with one more ticket, and tells whether the
// rules about groups let it be: each as it holds for the group with the ticket.
// The frame stays in either case.
func (s *search) push(c *candidate) bool {
	p := s.pool
	if s.depth == len(s.frames) {
		n := len(p.groups)
		s.frames = append(s.frames, frame{sums: make([]float64, n), sets: make([][]Text, n), holders: make([]int32, n)})
	}
	s.depth++
	s.mark++
	f := s.top()
	f.row, f.mark, f.players, f.old, f.young, f.reach = c.row, s.mark, c.size, c.row, c.row, c.reach
	var below *frame
	if s.depth > 1 {
		below = &s.frames[s.depth-2]
		f.players += below.players
		f.old, _ = p.byAge(below.old, c.row)
		_, f.young = p.byAge(below.young, c.row)
		f.reach &= below.reach
	}
	f.numbers = p.numbersOf(c.row)
	if below != nil {
		f.numbers = f.numbers.join(below.numbers)
	}
	fits := true
	for i, rule := range p.groups {
		held, enforced := rule.inForce(f.old, f.young)
		ok := true
		switch rule.kind {
		case reachRegion:
			ok = p.joinRegions(f, below, held.bound)
		case matchTotal:
			f.sums[i] = rule.number[c.row]
			if below != nil {
				f.sums[i] = below.sums[i] + f.sums[i]
			}
			ok = rule.negatives > 0 || f.sums[i] <= held.bound+tolerance
		case setOverlap:
			joinSets(f, below, i, rule.set[c.row])
			ok = f.holders[i] < 2 || float64(len(f.sets[i])) >= held.bound
		}
		fits = fits && (ok || !enforced)
	}
	return fits
}

// joinRegions computes the worst round-trip times of the group and tells whether
// one is within the limit.
func (p *Pool) joinRegions(f, below *frame, limitMS float64) bool {
	f.worst = append(f.worst[:0], p.reach.row(f.row)...)
	fits := false
	for i := range f.worst {
		if below != nil {
			f.worst[i] = max(f.worst[i], below.worst[i])
		}
		fits = fits || f.worst[i] <= limitMS && f.worst[i] < math.Inf(1)
	}
	return fits
}

// joinSets computes what the tickets with a set have in common.
func joinSets(f, below *frame, i int, set []Text) {
	f.holders[i] = 0
	common := f.sets[i][:0]
	if below != nil {
		f.holders[i] = below.holders[i]
	}
	switch {
	case set == nil && f.holders[i] > 0:
		common = append(common, below.sets[i]...)
	case set != nil && f.holders[i] > 0:
		common = intersect(common, below.sets[i], set)
		f.holders[i]++
	case set != nil:
		common = append(common, set...)
		f.holders[i]++
	}
	f.sets[i] = common
}

// group returns the rows of the group, the seed first.
func (s *search) group() []Row {
	rows := make([]Row, s.depth)
	for i := range rows {
		rows[i] = s.frames[i].row
	}
	return rows
}
