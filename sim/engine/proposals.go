package engine

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/freelist"
	"mmsim/sim/engine/internal/timers"
)

// proposals are the matches for which answers are awaited. Their tickets are in state
// WAITING and not in the pool.
type proposals struct {
	list          []proposal
	free          freelist.List[uint32]
	timers        timers.List // when each is decided
	answer, delay sim.Stream
	totals        sim.AcceptanceTotals
	answers       []ticketAnswer // scratch
}

// ticketAnswer is what the players of a ticket say to a proposal.
type ticketAnswer struct {
	refused sim.Instant // when the first of them refuses; Never: none does
	silent  bool        // one never answers
}

// proposal is a match that awaits answers. All draws are made when it begins, so that it is
// known how it ends.
type proposal struct {
	formed
	open      bool
	began     sim.Instant
	outcome   proposalOutcome
	into      []sim.State // by ticket, where the match is dropped: StateWaiting, or how the search ends
	joins     bool        // a running match:
	match     uint32
	sessionID uint64
}

type proposalOutcome uint8

const (
	proposalStarts proposalOutcome = iota
	proposalRefused
	proposalTimedOut
	proposalLapsed
)

// propose asks the players of a match that the rules proposed.
func (q *poolQueue) propose(f *formed) *proposal {
	s := &q.proposals
	i, ok := s.free.Take()
	if !ok {
		i = uint32(len(s.list))
		s.list = append(s.list, proposal{})
	}
	p := &s.list[i]
	*p = proposal{formed: *f, open: true, began: q.now, into: p.into[:0]}
	p.tickets, p.teams, p.relaxed = slices.Clone(f.tickets), slices.Clone(f.teams), slices.Clone(f.relaxed)
	s.timers.Push(int64(q.ask(p)), 0, i)
	return p
}

// ask draws the answers to a proposal and what they come to. It returns when it is decided.
func (q *poolQueue) ask(p *proposal) sim.Instant {
	a, s := q.own.Acceptance, &q.proposals
	timeout := q.now.Add(a.Timeout)
	accepted, refused, silent, givesUp := q.now, sim.Never, false, sim.Never
	s.answers = s.answers[:0]
	for _, t := range p.tickets {
		ticket, of := q.players.of(t), ticketAnswer{refused: sim.Never}
		ticket.proposals++
		givesUp = min(givesUp, ticket.began.Add(q.own.GiveUp))
		for _, m := range q.players.members(t) {
			u := s.answer.Uniform(m.Entity, uint64(ticket.proposals))
			at := min(timeout, q.now.Add(a.Delay.Draw(s.delay, m.Entity, uint64(ticket.proposals))))
			switch {
			case u < a.Accept:
				accepted = max(accepted, at)
			case u < a.Accept+(1-a.Accept)*a.Refuse:
				of.refused = min(of.refused, at)
			default:
				of.silent = true
			}
		}
		refused, silent = min(refused, of.refused), silent || of.silent
		s.answers = append(s.answers, of)
	}
	ends := accepted
	switch {
	case refused != sim.Never:
		ends, p.outcome = refused, proposalRefused
	case silent:
		ends, p.outcome = timeout, proposalTimedOut
	}
	if tick := givesUp.CeilTo(q.cfg.Tick); tick < ends {
		ends, p.outcome = tick, proposalLapsed
	}
	for i, of := range s.answers {
		into := sim.StateWaiting
		switch {
		case p.outcome == proposalLapsed && q.players.of(p.tickets[i]).began.Add(q.own.GiveUp) <= ends:
			into = sim.StateExpired
		case p.outcome == proposalRefused && of.refused <= ends, p.outcome == proposalTimedOut && of.silent:
			into = sim.StateDeclined
		}
		p.into = append(p.into, into)
	}
	return ends
}

// next implements queue.
func (q *poolQueue) next() sim.Instant {
	return min(q.matchQueue.next(), sim.Instant(q.proposals.timers.Next()))
}

// due implements queue: match ends and returns, then the proposals that are decided.
func (q *poolQueue) due() {
	q.matchQueue.due()
	for sim.Instant(q.proposals.timers.Next()) == q.now {
		q.decideProposal(q.proposals.timers.Pop().What)
	}
	q.openSessions()
}

// decideProposal starts a proposed match, or drops it.
func (q *poolQueue) decideProposal(i uint32) {
	p := &q.proposals.list[i]
	runs := p.joins && q.open[p.match].id == p.sessionID && q.playing(p.match)
	if p.joins && !runs && p.outcome == proposalStarts {
		p.outcome = proposalLapsed
	}
	if q.measuring {
		q.countProposal(p)
	}
	switch {
	case p.outcome != proposalStarts:
		for k, t := range p.tickets {
			q.leaveProposal(t, p.into[k])
		}
		if runs {
			q.changed = append(q.changed, p.match)
		}
	case p.joins:
		q.fill(p.match, &p.formed)
	default:
		q.start(&p.formed)
	}
	p.open = false
	q.proposals.free.Put(i)
}

// leaveProposal lets a ticket of a dropped proposal wait on, or ends its search.
func (q *poolQueue) leaveProposal(t ticketID, into sim.State) {
	if into != sim.StateWaiting {
		q.end(t, into)
		return
	}
	q.rules.admit(t)
	q.passAt = min(q.passAt, q.now.CeilTo(q.cfg.Tick))
}

func (q *poolQueue) countProposal(p *proposal) {
	c, spent := &q.proposals.totals, int64(q.now.Sub(p.began))
	*[...]*int{&c.Started, &c.Refused, &c.TimedOut, &c.Lapsed}[p.outcome]++
	for k, t := range p.tickets {
		n := int(q.players.of(t).size)
		switch {
		case p.outcome == proposalStarts:
			c.Players += n
			c.AnswerTime += spent * int64(n)
		case p.into[k] == sim.StateWaiting:
			c.Returned += n
			c.LostTime += spent * int64(n)
		}
	}
}

// visit visits the tickets whose answers are awaited.
func (s *proposals) visit(visit func(t ticketID)) {
	for i := range s.list {
		if s.list[i].open {
			for _, t := range s.list[i].tickets {
				visit(t)
			}
		}
	}
}
