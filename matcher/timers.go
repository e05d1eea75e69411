package matcher

// stamp is a row as it was at some time: version tells whether it still is.
type stamp struct {
	row     Row
	version uint32
}

// clock brings the rules of every row to an instant.
type clock struct {
	nowMS  int64
	fresh  []stamp // added since
	lapsed []stamp // tickets that have given up, not taken out yet
}

// timers is a binary heap of the instants at which the rules of a row change or a
// ticket gives up. A timer of a row that has left is dropped when it is due. It is
// no heap[timer]: to call the comparison, rather than to have it here, makes a pass
// over a crowd that waits 6 percent slower.
type timers []timer

type timer struct {
	atMS int64
	stamp
}

func (h *timers) push(t timer) {
	*h = append(*h, t)
	list := *h
	for i := len(list) - 1; i > 0; {
		parent := (i - 1) / 2
		if list[parent].atMS <= list[i].atMS {
			return
		}
		list[parent], list[i] = list[i], list[parent]
		i = parent
	}
}

func (h *timers) pop() timer {
	list := *h
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && list[child+1].atMS < list[child].atMS {
			child++
		}
		if list[i].atMS <= list[child].atMS {
			break
		}
		list[i], list[child] = list[child], list[i]
		i = child
	}
	*h = list
	return first
}

// is tells whether the row is still what it was when the stamp was made.
func (p *Pool) is(s stamp) bool { return p.version[s.row] == s.version && p.state[s.row] != rowFree }

// advance brings every row to an instant: its rules, and who has given up. It
// costs nothing for rows whose rules stay as they are. Going back in time
// forgets what was known.
func (p *Pool) advance(nowMS int64) {
	if nowMS < p.clock.nowMS {
		p.timers, p.clock.fresh, p.clock.lapsed = p.timers[:0], p.clock.fresh[:0], p.clock.lapsed[:0]
		p.forget()
		for row, state := range p.state {
			if state != rowFree {
				p.clock.fresh = append(p.clock.fresh, stamp{Row(row), p.version[row]})
			}
		}
	}
	p.clock.nowMS = nowMS
	for _, s := range p.clock.fresh {
		if p.is(s) {
			p.refresh(s)
		}
	}
	p.clock.fresh = p.clock.fresh[:0]
	for len(p.timers) > 0 && p.timers[0].atMS <= nowMS {
		if t := p.timers.pop(); p.is(t.stamp) {
			p.loses(t.row)
			p.refresh(t.stamp)
		}
	}
}

// refresh computes a row's rules anew and sets its next timer.
func (p *Pool) refresh(s stamp) {
	if p.givesUpMS[s.row] <= p.clock.nowMS {
		p.clock.lapsed = append(p.clock.lapsed, s)
	}
	created := p.createdMS[s.row]
	wait := max(0, p.clock.nowMS-created)
	next := Never
	if p.givesUpMS[s.row] > p.clock.nowMS {
		next = p.givesUpMS[s.row]
	}
	for _, c := range p.columns {
		f := c.at(wait)
		if c.kind == reachRegion {
			f.level = p.reach.level(f.bound)
		}
		c.force[s.row] = f
		if change := c.nextChange(wait); change < Never-max(0, created) {
			next = min(next, created+change)
		}
	}
	if p.star == nil {
		p.face(s.row)
		p.touch(s.row)
	} else {
		if p.star.face(s.row) {
			p.touch(s.row)
		}
		if change := p.star.nextChange(s.row, wait); change < Never-max(0, created) {
			next = min(next, created+change)
		}
	}
	if next < Never {
		p.timers.push(timer{next, s})
	}
}

// touch notes that a row's rules changed.
func (p *Pool) touch(row Row) {
	p.changes++
	p.touched[row] = p.changes
}
