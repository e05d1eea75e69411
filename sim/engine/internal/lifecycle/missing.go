package lifecycle

import (
	"math"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// missing is the part of a queue that exists only if tickets can be missing from matches: they do
// not appear, or leave early, or an event cuts the match short. All of it is drawn when a match starts,
// by person and search, so the record of the match tells what will become of each player. If only events
// make tickets miss something, the other matches start and end as without events.
type missing struct {
	noShow, leave, dead, interrupted sim.Stream

	perMinute float64      // rate at which a ticket leaves
	mayLeave  bool         // whether tickets can leave matches or not appear
	within    sim.Duration // the time for which mostLeave was computed
	mostLeave float64      // chance that a ticket leaves within it, and a little more
	leaves    world.Timers // of matches that tickets leave
	returns   world.Timers // of tickets that return alone
	notices   world.Timers // of matches in which the game sees empty seats, which may have ended since; only if seats are refilled
	concerned bool         // whether seats of the match that starts or takes tickets now may become empty (scratch)
	refills   int          // players who take seats that became empty in the match that they join now (scratch)
	drawn     sim.Instant  // when the match that starts now would end if everybody stayed (scratch)
	from      missingFrom  // of the match that starts or takes tickets now (scratch)
	newly     bool         // whether from is the first to say that the match is incomplete (scratch)
	leaving   bool         // whether one of the tickets that are seated now leaves (scratch)
	seats     []sim.Seat   // scratch
}

// missingFrom is what is known about a match from its start, in 4 bytes.
type missingFrom struct {
	cut        bool  // whether the match is cut short
	event      uint8 // if an event cuts it short, 1 more than the index of the event; otherwise 0
	incomplete bool  // whether a ticket does not appear in it or leaves it
	early      bool  // whether the match started before the measured window, so that its start was not reported
}

// leaveMax bounds the time until a ticket leaves, so that instants do not overflow.
const leaveMax = 1000 * sim.Day

// newMissing returns the missing tickets of a queue. own is nil if only the tickets of dead clients
// are missing, or none.
func newMissing(w *world.World, own *sim.Leave) *missing {
	m := &missing{
		noShow: w.Stream(sim.PurposeNoShow), leave: w.Stream(sim.PurposeLeave),
		dead: w.Stream(sim.PurposeDead), interrupted: w.Stream(sim.PurposeInterrupted),
		mayLeave: own != nil || w.Config.Dead > 0,
	}
	if own != nil {
		m.perMinute = -math.Log1p(-own.PerMinute)
	}
	return m
}

// dead reports whether the client of a ticket was gone when its search began. The first player of
// the ticket is p.
func (q *Queue) dead(p *Player) bool { return q.Config.Dead > 0 && q.drawDead(p) }

// drawDead is a separate function so that the compiler can inline dead.
func (q *Queue) drawDead(p *Player) bool {
	return q.missing.dead.Uniform(q.VisitKey(&p.Person), uint64(p.Searches)) < q.Config.Dead
}

// leaveBefore draws the instant at which a ticket that is seated now leaves, and stores it in the ticket:
// now if it does not appear, or Never if it would not leave before the end of the match.
func (q *Queue) leaveBefore(t Ticket, end sim.Instant) sim.Instant {
	p := q.Players.Of(t)
	if p.LastEnd = q.leavesAt(p, end); p.LastEnd >= end {
		p.LastEnd = sim.Never
	}
	return p.LastEnd
}

// leavesAt returns the instant at which a ticket would leave. It may return Never instead of an instant
// from the end of the match on.
func (q *Queue) leavesAt(p *Player, end sim.Instant) sim.Instant {
	m, own, search := q.missing, q.Own.Leave, uint64(p.Searches)
	key := q.VisitKey(&p.Person)
	switch {
	case q.dead(p):
		return q.Now()
	case own == nil:
		return sim.Never
	case m.noShow.Uniform(key, search) < own.NoShow:
		return q.Now()
	case m.perMinute == 0:
		return sim.Never
	}
	u := m.leave.Uniform(key, search)
	if u > m.mostLeaveWithin(end.Sub(q.Now())) {
		return sim.Never
	}
	minutes := -math.Log1p(-u) / m.perMinute
	stays := sim.Duration(math.Round(min(float64(minutes*float64(sim.Minute)), float64(leaveMax))))
	return q.Now().Add(max(sim.Millisecond, stays))
}

// mostLeaveWithin returns the chance that a ticket leaves within some time, and a little more. Only
// a draw below that is converted to a time, which takes a logarithm.
func (m *missing) mostLeaveWithin(time sim.Duration) float64 {
	if m.within != time {
		m.within, m.mostLeave = time, 1e-9-math.Expm1(-m.perMinute*(float64(time)/float64(sim.Minute)))
	}
	return m.mostLeave
}

// foresee draws which of the tickets of a match that starts now leave it, and when. It returns the
// end of the match: drawn, or earlier if the match is cut short or nobody is left.
func (q *Queue) foresee(dc int, tickets []Ticket, drawn sim.Instant) sim.Instant {
	m := q.missing
	m.drawn, m.from, m.refills, m.leaving, m.newly = drawn, missingFrom{early: q.Now() < 0}, 0, false, false
	ends := drawn
	if cut := q.Cut(dc); cut.At < drawn {
		ends, m.from.cut, m.from.event = cut.At, true, uint8(cut.Event+1)
	}
	if m.concerned = m.mayLeave || m.from.cut; !m.concerned {
		return ends
	}
	first, last := sim.Never, sim.Instant(math.MinInt64)
	for _, t := range tickets {
		at := q.leaveBefore(t, ends)
		first, last = min(first, at), max(last, at)
	}
	if own := q.Own.Leave; own != nil && own.Then == sim.MatchEnds && first != sim.Never {
		if seen := first.Add(own.Notice); seen < ends && seen.Sub(q.Now()) <= own.EndWithin {
			ends, m.from.cut, m.from.event = seen, true, 0
		}
	}
	if last <= ends && !q.Own.Backfills() { // nobody is left
		ends, m.from.cut, m.from.event = last, false, 0
	}
	m.leaving = first != sim.Never && q.keepLeavesUpTo(tickets, ends)
	m.from.incomplete, m.newly = m.leaving, m.leaving
	return ends
}

// foreseeJoin is like foresee for tickets that join a running match.
func (q *Queue) foreseeJoin(f *Group) {
	m, ends := q.missing, q.matches.ends[f.Match]
	m.drawn, m.from, m.refills, m.leaving, m.newly = ends, q.matches.missing[f.Match], f.Refills, false, false
	if m.concerned = m.mayLeave || m.from.cut; !m.concerned {
		return
	}
	for _, t := range f.Tickets {
		q.leaveBefore(t, ends)
	}
	m.leaving = q.keepLeavesUpTo(f.Tickets, ends)
	m.newly = m.leaving && !m.from.incomplete && !m.from.early
	m.from.incomplete = m.leaving || m.from.incomplete
}

// keepLeavesUpTo forgets the tickets that would leave after the end of their match, and reports
// whether any ticket leaves.
func (q *Queue) keepLeavesUpTo(tickets []Ticket, ends sim.Instant) (any bool) {
	for _, t := range tickets {
		if p := q.Players.Of(t); p.LastEnd > ends {
			p.LastEnd = sim.Never
		} else {
			any = true
		}
	}
	return any
}

// scheduleLeaves schedules what foresee or foreseeJoin foresaw.
func (q *Queue) scheduleLeaves(match uint32, tickets []Ticket) {
	q.matches.missing[match] = q.missing.from
	if !q.missing.leaving {
		return
	}
	for _, t := range tickets {
		if at := q.Players.Of(t).LastEnd; at != sim.Never {
			q.missing.leaves.Push(at, match)
		}
	}
}

// reportMissing completes the record of a match with what foresee or foreseeJoin foresaw.
func (q *Queue) reportMissing(match *sim.Match, tickets []Ticket) {
	m := q.missing
	match.Seats, match.Drawn, match.Cut, match.Incomplete, match.Early = nil, m.drawn, m.from.cut, m.newly, m.from.early
	if !m.concerned {
		return
	}
	m.seats = m.seats[:0]
	for range match.Players {
		m.seats = append(m.seats, sim.Seat{Left: match.Ends, Refill: len(m.seats) < m.refills})
	}
	if m.leaving {
		q.reportLeaving(m.seats, tickets)
	}
	match.Seats = m.seats
}

// reportLeaving notes which of the seats that tickets take become empty.
func (q *Queue) reportLeaving(seats []sim.Seat, tickets []Ticket) {
	for _, t := range tickets {
		p := q.Players.Of(t)
		for i := range p.Size {
			if p.LastEnd != sim.Never {
				seats[i].Left, seats[i].Leaves, seats[i].Dead = p.LastEnd, true, q.dead(p)
			}
		}
		seats = seats[p.Size:]
	}
}

// leaveMatch removes from a match the tickets that leave it now. A ticket that plays again returns
// after the pause and the penalty.
func (q *Queue) leaveMatch(match uint32) {
	for i := 0; i < len(q.matches.of(match)); {
		t := q.matches.of(match)[i]
		p := q.Players.Of(t)
		if p.LastEnd != q.Now() {
			i++
			continue
		}
		if q.Config.Season != nil {
			q.keepResult(match, i)
		}
		q.search.Leaving(match, i)
		q.matches.remove(match, i)
		q.matches.players[match] -= uint16(p.Size)
		if q.Own.Refills() {
			q.missing.notices.Push(q.Now().Add(q.Own.Leave.Notice), match)
		}
		q.pause(t, q.playsAgain(p), q.Config.Between+q.Config.Penalty)
	}
}

// interrupt ends a match that is cut short. No ticket draws whether it plays again.
func (q *Queue) interrupt(match uint32) {
	event := int(q.matches.missing[match].event)
	if event > 0 && q.Measuring() {
		q.Interrupted(int(q.matches.players[match]), event-1)
	}
	for _, t := range q.matches.of(match) {
		p := q.Players.Of(t)
		p.LastEnd = q.Now()
		again, after := q.missing.interrupted.Uniform(q.VisitKey(&p.Person), uint64(p.Searches)) < q.Config.InterruptedAgain, q.Config.InterruptedAfter
		if event > 0 && q.Config.Events[event-1].Maintenance {
			again, after = q.comesBack(p, event-1)
		}
		q.pause(t, again, after)
	}
	q.matches.state[match] = sim.StateBetween
	q.matches.release(match)
}

// pause ends the play of one ticket. It returns after the pause if it plays again. The pause is at
// least 1 ms, because a match can end at the instant at which it starts, and a run in which its
// players return at that instant would never move on.
func (q *Queue) pause(t Ticket, again bool, pause sim.Duration) {
	if !again {
		q.leave(t)
		return
	}
	q.Become(t, sim.StateBetween)
	q.returnAfter(t, max(sim.Millisecond, pause))
}

// returnAfter schedules the return of a ticket that is BETWEEN.
func (q *Queue) returnAfter(t Ticket, pause sim.Duration) {
	q.missing.returns.Push(q.Now().Add(pause), t)
}

// comesBack draws whether a ticket comes back after a maintenance, and the time until then. The client
// of a dead search is gone.
func (q *Queue) comesBack(p *Player, event int) (comes bool, after sim.Duration) {
	at, comes := q.ComesBack(event, q.VisitKey(&p.Person), p.Searches+1)
	return comes && !q.dead(p), at.Sub(q.Now())
}
