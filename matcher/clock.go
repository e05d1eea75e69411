package matcher

// stamp is a row as it was at some time: version tells whether it still is.
type stamp struct {
	row     Row
	version uint32
}

// clock brings the rules of every row to an instant.
type clock struct {
	nowMS  int64
	nextMS int64   // before it the rules of no row change and nobody gives up, the fresh apart
	fresh  []stamp // added since
	lapsed []stamp // tickets that have given up, not taken out yet
}

// is tells whether the row is still what it was when the stamp was made.
func (p *Pool) is(s stamp) bool { return p.version[s.row] == s.version && p.state[s.row] != rowFree }

// advance brings every row to an instant: its rules, and who has given up. Where
// something is due it looks at the due times of all rows, which lie side by side: the
// same instants in a heap cost more, as most tickets leave before their rules change.
// Going back in time forgets what was known.
func (p *Pool) advance(nowMS int64) {
	if nowMS < p.clock.nowMS {
		p.rewind()
	}
	p.clock.nowMS = nowMS
	for _, s := range p.clock.fresh {
		if p.is(s) {
			p.refresh(s.row)
		}
	}
	p.clock.fresh = p.clock.fresh[:0]
	if p.clock.nextMS > nowMS {
		return
	}
	p.clock.nextMS = Never
	for row, due := range p.dueMS {
		if due <= nowMS {
			p.loses(Row(row))
			due = p.refresh(Row(row))
		}
		p.clock.nextMS = min(p.clock.nextMS, due)
	}
}

// rewind forgets what was known of later instants.
func (p *Pool) rewind() {
	p.clock.fresh, p.clock.lapsed = p.clock.fresh[:0], p.clock.lapsed[:0]
	p.forget()
	for row, state := range p.state {
		if state != rowFree {
			p.clock.fresh = append(p.clock.fresh, stamp{Row(row), p.version[row]})
		}
	}
}

// refresh computes a row's rules anew and returns when they change next or it gives up.
func (p *Pool) refresh(row Row) (dueMS int64) {
	created, givesUp := p.createdMS[row], p.givesUpMS[row]
	if givesUp <= p.clock.nowMS {
		p.clock.lapsed = append(p.clock.lapsed, stamp{row, p.version[row]})
		givesUp = Never
	}
	wait := max(0, p.clock.nowMS-created)
	stage := p.stages.at(wait)
	for i, c := range p.columns {
		c.force[row] = stage.forces[i]
	}
	if p.star == nil {
		p.face(row, &stage.front)
	}
	if p.star == nil || p.star.face(row, stage) {
		p.touch(row)
	}
	dueMS = givesUp
	if stage.untilMS < Never-max(0, created) {
		dueMS = min(dueMS, created+stage.untilMS)
	}
	p.dueMS[row] = dueMS
	p.clock.nextMS = min(p.clock.nextMS, dueMS)
	return dueMS
}

// touch notes that a row's rules changed.
func (p *Pool) touch(row Row) {
	p.changes++
	p.touched[row] = p.changes
}
