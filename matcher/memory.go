package matcher

// wake makes seeds that found nothing worth another try: those that changed, and
// those into whose reach as many players came or changed as they miss.
//
// By the longest wait only who has waited less can help a seed. No group whose
// longest-waiting ticket was a seed in vain can become a match; a budget's victims
// are the exception on both sides.
func (s *Subset) wake(r *recall, reserve *Subset) {
	p := s.pool
	s.changed, s.sleepers = s.changed[:0], s.sleepers[:0]
	for i := range s.members {
		m := &s.members[i]
		if p.touched[m.row] > r.seen || m.joined > r.seen {
			r.memory[m.row].missing = 0
			s.changed = append(s.changed, i)
		} else if r.memory[m.row].missing > 0 {
			s.sleepers = append(s.sleepers, i)
		}
	}
	if s == &p.all {
		p.wakeSessions(r)
	}
	if len(s.sleepers) > 0 {
		for _, i := range s.changed {
			if s == &p.all && p.index.on {
				p.wakeAround(s.members[i].row)
			} else {
				s.rouse(r, i)
			}
		}
	}
	if reserve != nil && len(s.sleepers) > 0 {
		for i := range reserve.members {
			if m := &reserve.members[i]; p.touched[m.row] > r.seen || m.joined > r.seen {
				for _, k := range s.sleepers {
					r.call(p, s.members[k].row, m.row)
				}
			}
		}
	}
	r.seen = p.changes
}

// rouse counts a changed member for the sleepers whose candidate it is.
func (s *Subset) rouse(r *recall, at int) {
	p, row := s.pool, s.members[at].row
	for _, k := range s.sleepers {
		sleeper := s.members[k].row
		switch {
		case r.memory[sleeper].exhausted || !p.ordered:
			r.call(p, sleeper, row)
		case k > at:
			if len(r.tired) == 0 {
				return
			}
		case p.mayMeet(sleeper, row):
			r.memory[sleeper].missing -= min(r.memory[sleeper].missing, p.size[row])
		}
	}
}

// wakeSessions does the same for sessions.
func (p *Pool) wakeSessions(r *recall) {
	for _, session := range p.sessions {
		if p.touched[session] > r.seen {
			r.memory[session].missing = 0
		}
		for _, i := range p.all.changed {
			if r.memory[session].missing == 0 {
				break
			}
			r.call(p, session, p.all.members[i].row)
		}
	}
}

// call counts a row for a sleeper if the two may meet.
func (r *recall) call(p *Pool, sleeper, row Row) {
	if _, meet := p.pair(sleeper, row); meet {
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
		if _, meet := p.pair(s.row, row); meet || last {
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
func (s *Subset) fails(r *recall, at int, row Row, missing int, exhausted bool) {
	p, m := s.pool, &r.memory[row]
	switch {
	case exhausted:
		p.tired = true
		r.tired = append(r.tired, stamp{row, p.version[row]})
		if at < 0 {
			break
		}
		for i := range s.members[at+1:] { // whose candidate it stays
			if other := s.members[at+1+i].row; r.memory[other].missing > 0 {
				r.call(p, other, row)
			}
		}
	case m.exhausted:
		r.loses(p, row)
	}
	*m = seedMemory{int32(missing), exhausted}
}
