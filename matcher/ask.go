package matcher

// mayAsk tells whether members can find out for themselves, when it is their turn,
// whether they may find a match: the axis and the regions tell most about who may meet
// whom, and no budget ended a search.
func (s *Subset) mayAsk(r *recall, reserve *Subset) bool {
	p := s.pool
	switch {
	case !p.asks || len(r.tired) > 0:
		return false
	case p.star != nil:
		return len(p.star.lanes) <= 1 && len(p.star.rules.Options) == 0
	}
	// With an older one in reserve a group may be in regions that the seed does not reach.
	return len(p.sessions) == 0 && (reserve == nil || p.region == nil)
}

// catchUp wakes all after passes in which they asked themselves. Who was stopped by a
// budget waits on for a loss.
func (r *recall) catchUp() {
	if !r.asked {
		return
	}
	r.asked = false
	for row := range r.memory {
		if m := &r.memory[row]; !m.exhausted {
			m.missing = 0
		}
	}
}

// ask wakes a member, when it is its turn, if it may find a match: enough players stand
// around it, and if a search among them was in vain, somebody came or changed since. It
// tells whether the member sleeps on.
func (s *Subset) ask(r *recall, row Row) (asleep bool) {
	p, m := s.pool, &r.memory[row]
	if m.counted && s.sleepsOn(m, row) {
		return true
	}
	need := p.fronts[row].need
	crowded := s.gathered.crowded(row, need)
	if crowded == 0 && need > 0 && s.reserve == nil && !s.unsettled {
		if m.missing == 0 {
			*m = seedMemory{missing: 1, counted: true}
		}
		return true
	}
	if (m.missing > 0 && !m.counted || s.unsettled) && !s.gathered.news(row, m.tried) && !s.reserve.news(m.tried) {
		return m.missing > 0
	}
	if m.missing = 0; s.unsettled { // those older than it count too
		return false
	}
	missing := s.misses(row, crowded)
	if missing > 0 {
		*m = seedMemory{missing: missing, counted: true, tried: p.changes, heard: s.gathered.count}
	}
	return missing > 0
}

// misses returns how many players a member misses at least, the reserve included; crowded
// is those of its regions that as many reach as it needs.
func (s *Subset) misses(row Row, crowded uint64) (missing int32) {
	p, alone := s.pool, &s.alone.memory[row]
	near, need, room := p.near(row), p.fronts[row].need, int32(p.rules.MaxPlayers)-p.size[row]
	switch {
	case s.reserve != nil && alone.counted && alone.tried == p.changes: // a moment ago
		missing = alone.missing
	case p.star != nil && s.reserve == nil && crowded != near: // whether it misses somebody is enough
		missing = min(1, need-s.gathered.fullest(row, crowded, room))
	default:
		missing = need - s.gathered.fullest(row, near, room)
	}
	if s.reserve == nil || missing > int32(len(s.reserve.members))*s.gathered.largest {
		return missing
	}
	for i := 0; missing > 0 && i < len(s.reserve.members); i++ {
		if other := s.reserve.members[i].row; p.meets(row, other) {
			missing -= p.size[other]
		}
	}
	return missing
}

// news tells whether somebody joined, or rules of somebody changed, since an instant as
// Pool.changes counts. Nobody is in a reserve that is nil.
func (s *Subset) news(since uint64) bool {
	for i := 0; s != nil && i < len(s.members); i++ {
		if m := &s.members[i]; max(m.joined, s.pool.touched[m.row]) > since {
			return true
		}
	}
	return false
}

// sleepsOn counts those who came for a member that misses players by number, and tells
// whether they are certainly too few.
func (s *Subset) sleepsOn(m *seedMemory, row Row) bool {
	g := &s.gathered
	if m.missing == 0 || m.heard+1 != g.count || s.unsettled || s.pool.touched[row] > m.tried || s.pool.star != nil || s.reserve != nil {
		return false
	}
	came := g.came(row)
	if came >= m.missing {
		return false
	}
	m.missing, m.heard, m.tried = m.missing-came, g.count, s.pool.changes
	return true
}
