package pool

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/world"
)

// proposals stores the matches that wait for answers from players. Their tickets are in state
// WAITING but not in the pool.
type proposals struct {
	list          []proposal
	free          world.FreeList[uint32]
	timers        world.Timers // the instant at which each proposal is decided
	answer, delay sim.Stream
	totals        sim.AcceptanceTotals
	answers       []ticketAnswer // scratch
}

// ticketAnswer is how the players of one ticket answer a proposal, and when its time is over.
type ticketAnswer struct {
	refused sim.Instant // earliest refusal by one of its players, or Never
	silent  bool        // whether one of its players never answers
	over    sim.Instant // result of timeOver
	then    sim.State   // result of timeOver
}

// proposal is a match that waits for answers. All answers are drawn when it begins, so its outcome
// is known from then on, unless the running match that the tickets would join ends first.
type proposal struct {
	lifecycle.Group
	open    bool
	began   sim.Instant
	outcome proposalOutcome
	// into is the state that each ticket enters if the match is dropped: StateWaiting, or the state
	// in which its search ends.
	into      []sim.State
	joins     bool // the tickets are to join the running match in the two fields below
	match     uint32
	sessionID uint64
}

// proposalOutcome is the outcome of a proposal, as counted in sim.AcceptanceTotals.
type proposalOutcome uint8

// These are the outcomes of a proposal.
const (
	proposalStarts proposalOutcome = iota
	proposalRefused
	proposalTimedOut
	proposalLapsed
)

// propose asks the players of a match whether they accept it.
func (q *Queue) propose(f *lifecycle.Group) *proposal {
	s := &q.proposals
	i, ok := s.free.Take()
	if !ok {
		i = uint32(len(s.list))
		s.list = append(s.list, proposal{})
	}
	p := &s.list[i]
	*p = proposal{Group: *f, open: true, began: q.Now(), into: p.into[:0]}
	p.Tickets, p.Teams, p.Relaxed = slices.Clone(f.Tickets), slices.Clone(f.Teams), slices.Clone(f.Relaxed)
	s.timers.Push(q.ask(p), 0, i)
	return p
}

// ask draws the answers to a proposal and sets its outcome. It returns the instant at which the
// proposal is decided.
func (q *Queue) ask(p *proposal) sim.Instant {
	a, s := q.Own.Acceptance, &q.proposals
	timeout := q.Now().Add(a.Timeout)
	accepted, refused, silent, over := q.Now(), sim.Never, false, sim.Never
	s.answers = s.answers[:0]
	for _, t := range p.Tickets {
		ticket, of := q.Players.Of(t), ticketAnswer{refused: sim.Never}
		ticket.Proposals++
		of.over, of.then = q.timeOver(t)
		over = min(over, of.over)
		members := q.Players.Members(t)
		for i := range members {
			key := q.VisitKey(&members[i].Person)
			u := s.answer.Uniform(key, uint64(ticket.Proposals))
			at := min(timeout, q.Now().Add(a.Delay.Draw(s.delay, key, uint64(ticket.Proposals))))
			switch {
			case u < a.Accept:
				accepted = max(accepted, at)
			case u < a.Accept+float64((1-a.Accept)*a.Refuse):
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
	if tick := over.CeilTo(q.Config.Tick); tick < ends {
		ends, p.outcome = tick, proposalLapsed
	}
	closes := q.Closes(p.Datacenter)
	if closes <= ends {
		ends, p.outcome = closes, proposalLapsed
	}
	for _, of := range s.answers {
		into := sim.StateWaiting
		switch {
		case ends == closes: // even a ticket whose time is over waits for the next tick
		case p.outcome == proposalLapsed && of.over <= ends:
			into = of.then
		case p.outcome == proposalRefused && of.refused <= ends, p.outcome == proposalTimedOut && of.silent:
			into = sim.StateDeclined
		}
		p.into = append(p.into, into)
	}
	return ends
}

// decideProposal starts or drops a proposed match.
func (q *Queue) decideProposal(i uint32) {
	p := &q.proposals.list[i]
	runs := p.joins && q.open[p.match].id == p.sessionID && q.Playing(p.match)
	if p.joins && !runs && p.outcome == proposalStarts {
		p.outcome = proposalLapsed
	}
	if q.Measuring() {
		q.countProposal(p)
	}
	switch {
	case p.outcome != proposalStarts:
		for k, t := range p.Tickets {
			q.leaveProposal(t, p.into[k])
		}
		if runs {
			q.changed = append(q.changed, p.match)
		}
	case p.joins:
		q.fill(p.match, &p.Group)
	default:
		q.start(&p.Group)
	}
	p.open = false
	q.proposals.free.Put(i)
}

// leaveProposal returns a ticket of a dropped proposal to the pool, or ends its search.
func (q *Queue) leaveProposal(t lifecycle.Ticket, into sim.State) {
	if into != sim.StateWaiting {
		q.End(t, into)
		return
	}
	q.wait(t)
}

// countProposal adds a decided proposal to the totals.
func (q *Queue) countProposal(p *proposal) {
	c, spent := &q.proposals.totals, int64(q.Now().Sub(p.began))
	*[...]*int{&c.Started, &c.Refused, &c.TimedOut, &c.Lapsed}[p.outcome]++
	for k, t := range p.Tickets {
		n := int(q.Players.Of(t).Size)
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

// visit calls visit for each ticket in an open proposal.
func (s *proposals) visit(visit func(t lifecycle.Ticket)) {
	for i := range s.list {
		if s.list[i].open {
			for _, t := range s.list[i].Tickets {
				visit(t)
			}
		}
	}
}
