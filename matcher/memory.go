package matcher

// wake makes seeds that found nothing worth another try: those that changed, and
// those into whose reach as many players came as they miss. Where they may ask it leaves
// that to them.
//
// By the longest wait only who has waited less can help a seed. No group whose
// longest-waiting ticket was a seed in vain can become a match; a budget's victims
// are the exception on both sides.
func (s *Subset) wake(r *recall, reserve *Subset) {
	p := s.pool
	s.reserve = reserve
	indexed := s == &p.all && p.index.on && p.star == nil
	if !indexed {
		s.gather()
	}
	if s.asking = !indexed && s.mayAsk(r, reserve); s.asking {
		r.seen, r.asked = p.changes, true
		return
	}
	r.catchUp()
	s.changed, s.restless = s.changed[:0], s.restless[:0]
	asleep, known := 0, s.knownTo(r)
	countable := p.ordered && !indexed
	for i := range s.members {
		m := &s.members[i]
		switch memory := &r.memory[m.row]; {
		case m.joined > r.seen:
			s.changed = append(s.changed, change{i, true})
			if *memory = (seedMemory{}); countable && i >= known {
				*memory = seedMemory{missing: p.fronts[m.row].need, counted: true}
				if reserve != nil {
					r.callAll(p, m.row, reserve)
				}
			}
			if memory.missing > 0 {
				asleep++
			}
		case p.touched[m.row] > r.seen:
			s.changed = append(s.changed, change{i, false})
			memory.missing = 0
		case memory.missing > 0:
			asleep++
			if !memory.counted {
				s.restless = append(s.restless, i)
			}
		}
	}
	if s == &p.all {
		p.wakeSessions(r)
	}
	if indexed && asleep <= len(s.changed) { // to try them all takes less than to look who is around whom
		r.forget()
		asleep = 0
	}
	for i := range s.changed {
		switch {
		case asleep == 0:
		case indexed:
			p.wakeAround(s.members[s.changed[i].at].row)
		case !p.ordered || len(r.tired) > 0:
			s.rouseAll(r, s.changed[i])
		default:
			s.rouse(r, s.changed[i])
		}
	}
	if reserve != nil {
		if asleep > 0 {
			s.callReserve(r, reserve)
		}
		s.resume(reserve)
	}
	r.seen = p.changes
}

// knownTo returns the place among the members from which on all are new.
func (s *Subset) knownTo(r *recall) int {
	known := len(s.members)
	for known > 0 && s.members[known-1].joined > r.seen {
		known--
	}
	return known
}

// callReserve tells all sleepers of who is new in the reserve, or changed there.
func (s *Subset) callReserve(r *recall, reserve *Subset) {
	p := s.pool
	for i := range reserve.members {
		if m := &reserve.members[i]; p.touched[m.row] > r.seen || m.joined > r.seen {
			for k := range s.members {
				r.call(p, s.members[k].row, m.row)
			}
		}
	}
}

// resume lets seeds sleep on for a reserve that missed more players without it, a
// moment ago, than the reserve brings into their reach.
func (s *Subset) resume(reserve *Subset) {
	if s.alone.seen != s.pool.changes || !s.pool.ordered {
		return
	}
	all := int32(reserve.Players())
	for i := range s.members {
		row := s.members[i].row
		alone, backed := s.alone.memory[row], &s.backed.memory[row]
		stale := s.alone.asked && alone.tried != s.pool.changes // it had no turn
		if backed.missing > 0 || !alone.counted || alone.missing == 0 || stale {
			continue
		}
		if *backed = alone; backed.missing > all {
			backed.missing -= all
			continue
		}
		for k := 0; k < len(reserve.members) && backed.missing > 0; k++ {
			s.backed.call(s.pool, row, reserve.members[k].row)
		}
	}
}

// callAll counts those of a reserve for a member who came that were there before.
func (r *recall) callAll(p *Pool, row Row, reserve *Subset) {
	for i := range reserve.members {
		if m := &reserve.members[i]; m.joined <= r.seen && p.touched[m.row] <= r.seen {
			r.call(p, row, m.row)
		}
	}
}

// gather fills the stands, unless nothing happened since, and begins a pass over them.
func (s *Subset) gather() {
	p := s.pool
	if now := (moment{p.changes, p.exits}); s.stoodAt != now {
		s.gathered.gather(p, s.members)
		s.stoodAt = now
	}
	s.gathered.assemble()
}

// change is a member that came, or whose rules changed.
type change struct {
	at   int
	came bool
}

// rouse counts a changed member for the sleepers whose candidate it is.
func (s *Subset) rouse(r *recall, c change) {
	p, row := s.pool, s.members[c.at].row
	if !c.came && p.decisive { // those who counted it know it already
		for _, i := range s.restless {
			if i < c.at {
				r.call(p, s.members[i].row, row)
			}
		}
		return
	}
	kind := p.fronts[row].kind
	masks := p.reach.masks[int(row)*p.reach.stride : (int(row)+1)*p.reach.stride]
	for i := range s.members[:c.at] {
		sleeper := s.members[i].row
		x := &p.fronts[sleeper]
		if x.kind == kind && p.near(sleeper)&masks[x.level] != 0 && r.memory[sleeper].missing > 0 {
			r.call(p, sleeper, row)
		}
	}
}

// rouseAll is rouse where not only younger ones are candidates.
func (s *Subset) rouseAll(r *recall, c change) {
	p, row := s.pool, s.members[c.at].row
	for i := range s.members {
		sleeper := s.members[i].row
		if r.memory[sleeper].missing > 0 && (!p.ordered || i < c.at || r.memory[sleeper].exhausted) {
			r.call(p, sleeper, row)
		}
	}
}

// wakeSessions does the same for sessions.
func (p *Pool) wakeSessions(r *recall) {
	for _, session := range p.sessions {
		if p.touched[session] > r.seen {
			r.memory[session].missing = 0
		}
		for _, c := range p.all.changed {
			if r.memory[session].missing == 0 {
				break
			}
			r.call(p, session, p.all.members[c.at].row)
		}
	}
}

// call counts a row for a sleeper if the two may meet.
func (r *recall) call(p *Pool, sleeper, row Row) {
	if r.memory[sleeper].missing > 0 && p.meets(sleeper, row) {
		r.memory[sleeper].missing -= min(r.memory[sleeper].missing, p.size[row])
	}
}

// loses wakes the seeds that a budget stopped and that lose a candidate: one who
// leaves, or whose rules change, or who was a seed in vain. Call it before the
// change.
func (r *recall) loses(p *Pool, row Row) {
	if len(r.tired) == 0 {
		return
	}
	last := false // a rule about totals changes too: the last negative sum leaves
	for _, c := range p.groups {
		last = last || c.lastNegative(row)
	}
	kept := r.tired[:0]
	for _, s := range r.tired {
		m := &r.memory[s.row]
		if !p.is(s) || m.missing == 0 || !m.exhausted {
			continue
		}
		if p.meets(s.row, row) || last {
			m.missing = 0
			continue
		}
		kept = append(kept, s)
	}
	r.tired = kept
}

// loses tells all memories that a row leaves or changes.
func (p *Pool) loses(row Row) {
	if !p.tired {
		return
	}
	p.all.alone.loses(p, row)
	for _, s := range p.subsets {
		s.alone.loses(p, row)
		s.backed.loses(p, row)
	}
}

// forget wakes everybody.
func (r *recall) forget() {
	r.tired = r.tired[:0]
	for row := range r.memory {
		r.memory[row].missing = 0
	}
}

// forget makes all subsets forget what they know.
func (p *Pool) forget() {
	p.all.alone.forget()
	for _, s := range p.subsets {
		s.alone.forget()
		s.backed.forget()
	}
}

// upset forgets all when what is known does not hold any more: a first negative sum
// came, or the last one left.
func (p *Pool) upset() {
	for _, c := range p.groups {
		if negative := c.negatives > 0; negative != c.wasNegative {
			c.wasNegative = negative
			p.forget()
		}
	}
}

// fails remembers of a seed that it found nothing.
func (s *Subset) fails(r *recall, at int, row Row, failed seedMemory) {
	p, m := s.pool, &r.memory[row]
	switch {
	case failed.exhausted:
		p.tired = true
		r.tired = append(r.tired, stamp{row, p.version[row]})
		if at < 0 {
			break
		}
		for i := range s.members[at+1:] { // whose candidate it stays
			if other := s.members[at+1+i].row; r.memory[other].missing > 0 && p.meets(other, row) {
				r.memory[other].missing = 0
			}
		}
	case m.exhausted:
		r.loses(p, row)
	}
	if failed.tried = p.changes; s.asking {
		failed.heard = s.gathered.count
	}
	*m = failed
}
