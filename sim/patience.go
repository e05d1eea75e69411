package sim

import "mmsim/matcher"

// patience is the order in which the tickets of a pool give up: that in which they
// began to search, since all wait equally long.
type patience struct {
	line   []patient
	head   int
	looked int // comparisons made in a minute to explain who gives up
	minute Instant
	apart  Apart // scratch

	leaving []matcher.Row // scratch
}

// patient is a ticket in the line, which may have left the pool.
type patient struct {
	row    matcher.Row
	ticket ticketID
	seq    uint32
	began  Instant
}

// explainMax bounds the comparisons in a minute of virtual time that find out what
// kept apart those who give up. Under rules that keep thousands waiting, only some
// are explained.
const explainMax = 20_000

// add appends the youngest ticket.
func (l *patience) add(p patient) {
	if l.head > len(l.line)/2 {
		l.line = l.line[:copy(l.line, l.line[l.head:])]
		l.head = 0
	}
	l.line = append(l.line, p)
}

// loseGivingUp lets the tickets leave that have waited for GiveUp, oldest first. All of
// an instant leave together: what kept them apart from each other counts too.
func (q *poolQueue) loseGivingUp() {
	l := &q.patience
	l.leaving = l.leaving[:0]
	for ; l.head < len(l.line); l.head++ {
		p := l.line[l.head]
		h := q.rules.holds[p.row]
		if !h.waits || h.what != p.ticket || q.players.of(p.ticket).seq != p.seq {
			continue // matched before
		}
		if p.began.Add(q.own.GiveUp) > q.now {
			break
		}
		if q.watched() {
			q.scratch.ended.Apart = q.explain(p.row)
		}
		l.leaving = append(l.leaving, p.row)
		q.end(q.rules.release(p.row), StateExpired)
		q.scratch.ended.Apart = nil
	}
	for _, row := range l.leaving {
		q.rules.pool.Remove(row)
	}
}

// explain adds up what keeps a ticket apart from all others that wait, nil where too
// many have been compared in this minute. What it returns is good until the next
// call.
func (q *poolQueue) explain(row matcher.Row) *Apart {
	l := &q.patience
	if minute := q.now / Instant(Minute); minute != l.minute {
		l.minute, l.looked = minute, 0
	}
	if l.looked += q.rules.pool.Waiting(); l.looked > explainMax {
		return nil
	}
	clear(l.apart.ByRule)
	l.apart = Apart{ByRule: l.apart.ByRule}
	q.rules.pool.KeptApart(int64(q.now), row, &l.apart)
	return &l.apart
}
