package matcher

import "math"

// push makes the frame of the group with one more ticket, and tells whether the
// rules about groups let it be: each as it holds for the group with the ticket.
// The frame stays in either case.
func (s *search) push(c *candidate) bool {
	p := s.pool
	f, below := s.grow()
	f.row, f.players, f.old, f.young, f.reach, f.numbers = c.row, c.size, c.row, c.row, c.reach, c.numbers
	if below != nil {
		f.players += below.players
		f.old, _ = p.byAge(below.old, c.row)
		_, f.young = p.byAge(below.young, c.row)
		f.reach &= below.reach
		f.numbers = f.numbers.join(below.numbers)
	}
	fits := true
	for i, rule := range p.groups {
		held, enforced := rule.inForce(f.old, f.young)
		ok := true
		switch rule.kind {
		case reachRegion:
			ok = s.joinRegions(f, below, held)
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

// grow adds a frame above the top one, which is nil for the first.
func (s *search) grow() (f, below *frame) {
	if s.depth == len(s.frames) {
		n := len(s.pool.groups)
		s.frames = append(s.frames, frame{sums: make([]float64, n), sets: make([][]Text, n), holders: make([]int32, n)})
	}
	s.depth++
	s.mark++
	f = s.top()
	f.mark = s.mark
	if s.depth > 1 {
		return f, &s.frames[s.depth-2]
	}
	f.in, f.low, f.high = 0, math.Inf(-1), math.Inf(1)
	return f, nil
}

// joinRegions computes the regions that the whole group reaches by the rule as it
// holds for it, and tells whether there is one.
func (s *search) joinRegions(f, below *frame, held *force) bool {
	reach, bound := &s.pool.reach, held.bound
	f.within, f.withinMS = reach.within(f.row, held), bound
	switch {
	case below == nil:
	case below.withinMS == bound:
		f.within &= below.within
	default: // the stage is another one now
		for i := range s.frames[:s.depth-1] {
			f.within &= reach.within(s.frames[i].row, held)
		}
	}
	return f.within != 0
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
