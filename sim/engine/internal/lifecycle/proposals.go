package lifecycle

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// asking is the part of a queue that exists only if players are asked before a match starts. A match
// whose players are asked is a proposal. Its tickets stay in their searching state, but are in no
// queue or pool, until the proposal is decided.
type asking struct {
	list          []proposal
	free          world.FreeList[uint32]
	returns       world.Timers // of declined tickets that search again
	decisions     world.Timers // of proposals
	answer, delay sim.Stream
	again         sim.Stream
	answers       float64 // chance that a player accepts or refuses
	totals        sim.AcceptanceTotals
}

// Clock is what remains of a ticket's search while its players are asked.
type Clock struct {
	StateEnds sim.Instant // end of the ticket's state; only in a queue with states
	Over      sim.Instant // when the ticket's time is over
	Then      sim.State   // the state in which its search then ends
}

// asked is a ticket of a proposal.
type asked struct {
	Clock
	refused sim.Instant // earliest refusal by one of its players, or Never
	silent  bool        // whether one of its players never answers
	// into is the state that the ticket enters if the match is dropped: StateWaiting if its search
	// goes on, in whichever state, or the state in which its search ends.
	into sim.State
}

// proposal is a match that waits for answers. All answers are drawn when it begins, so its outcome
// is known from then on, unless the running match that the tickets would join ends first.
type proposal struct {
	Group
	open    bool
	began   sim.Instant
	outcome proposalOutcome
	asked   []asked // by ticket
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

// NotAccepted is what an external matchmaker is told about a dropped proposal.
const NotAccepted = "not accepted by its players"

// newAsking returns the proposals of a queue.
func newAsking(w *world.World, own *sim.Acceptance) *asking {
	return &asking{
		answers: own.Accept + float64((1-own.Accept)*own.Refuse),
		answer:  w.Stream(sim.PurposeAnswer), delay: w.Stream(sim.PurposeAnswerDelay),
		again: w.Stream(sim.PurposeDeclined),
	}
}

// Match starts a match, or lets tickets join a running one, or asks their players first. The tickets
// must have left their queues.
func (q *Queue) Match(f *Group) {
	if q.asking == nil {
		q.search.Start(f)
		return
	}
	q.recordProposed(f)
	s := q.asking
	i, ok := s.free.Take()
	if !ok {
		i = uint32(len(s.list))
		s.list = append(s.list, proposal{})
	}
	p := &s.list[i]
	tickets := append(p.Tickets[:0], f.Tickets...)
	*p = proposal{Group: *f, open: true, began: q.Now(), asked: p.asked[:0]}
	p.Tickets, p.Teams, p.Relaxed = tickets, slices.Clone(f.Teams), slices.Clone(f.Relaxed)
	s.decisions.Push(q.ask(p), i)
}

// ask draws the answers to a proposal and sets its outcome. It returns the instant at which the
// proposal is decided.
func (q *Queue) ask(p *proposal) sim.Instant {
	accepted, refused, silent, over := q.Now(), sim.Never, false, sim.Never
	for _, t := range p.Tickets {
		p.asked = append(p.asked, asked{})
		of := &p.asked[len(p.asked)-1]
		accepted = max(accepted, q.answer(of, t))
		refused, silent, over = min(refused, of.refused), silent || of.silent, min(over, of.Over)
	}
	timeout, ends := q.Now().Add(q.Own.Acceptance.Timeout), accepted
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
	if p.outcome == proposalStarts {
		return ends
	}
	for i := range p.asked {
		of := &p.asked[i]
		switch {
		case ends == closes && q.ClosesAll(closes):
			of.into = sim.StateClosed
		case ends == closes: // even a ticket whose time is over waits for the next tick
		case p.outcome == proposalLapsed && of.Over <= ends:
			of.into = of.Then
		case p.outcome == proposalRefused && of.refused <= ends, p.outcome == proposalTimedOut && of.silent:
			of.into = sim.StateDeclined
		}
	}
	return ends
}

// answer draws how the players of a ticket answer a proposal that begins now, and returns the instant
// by which those who accept have answered. A dead client never answers.
func (q *Queue) answer(of *asked, t Ticket) (accepts sim.Instant) {
	a, s, ticket := q.Own.Acceptance, q.asking, q.Players.Of(t)
	ticket.Proposals++
	of.Clock, of.refused, of.silent, of.into = q.search.Clock(t), sim.Never, q.dead(ticket), sim.StateWaiting
	if accepts = q.Now(); of.silent {
		return accepts
	}
	at := q.Now().Add(min(a.Timeout, a.Delay.Mean))
	members := q.Players.Members(t)
	for i := range members {
		key, k := q.VisitKey(&members[i].Person), uint64(ticket.Proposals)
		if a.Delay.SD > 0 {
			at = q.Now().Add(min(a.Timeout, a.Delay.Draw(s.delay, key, k)))
		}
		switch u := s.answer.Uniform(key, k); {
		case u < a.Accept:
			accepts = max(accepts, at)
		case u < s.answers:
			of.refused = min(of.refused, at)
		default:
			of.silent = true
		}
	}
	return accepts
}

// dueAsked lets declined tickets search again, and then decides proposals.
func (q *Queue) dueAsked() {
	s := q.asking
	for s.returns.Due(q.Now()) {
		q.searchAgain(s.returns.Pop().Payload)
	}
	for s.decisions.Due(q.Now()) {
		q.decideProposal(s.decisions.Pop().Payload)
	}
}

// decideProposal starts or drops a proposed match.
func (q *Queue) decideProposal(i uint32) {
	p := &q.asking.list[i]
	if p.outcome == proposalStarts && !q.search.Start(&p.Group) {
		p.outcome = proposalLapsed
	}
	if q.Measuring() {
		q.countProposal(p)
	}
	if p.outcome != proposalStarts {
		for k, t := range p.Tickets {
			switch of := &p.asked[k]; of.into {
			case sim.StateWaiting:
				q.search.Resume(t, of.Clock)
			case sim.StateDeclined, sim.StateCancelled, sim.StateClosed:
				q.End(t, of.into)
			default:
				q.search.TimeOver(t, of.into)
			}
		}
		q.search.Dropped(&p.Group)
	}
	p.open = false
	q.asking.free.Put(i)
}

// countProposal adds a decided proposal to the totals.
func (q *Queue) countProposal(p *proposal) {
	c, spent := &q.asking.totals, int64(q.Now().Sub(p.began))
	*[...]*int{&c.Started, &c.Refused, &c.TimedOut, &c.Lapsed}[p.outcome]++
	for k, t := range p.Tickets {
		n := int(q.Players.Of(t).Size)
		switch {
		case p.outcome == proposalStarts:
			c.Players += n
			c.AnswerTime += spent * int64(n)
		case p.asked[k].into == sim.StateWaiting:
			c.Returned += n
			c.LostTime += spent * int64(n)
		}
	}
}

// searchesAfterDeclining draws whether a ticket that has declined a match searches again.
func (q *Queue) searchesAfterDeclining(t Ticket) bool {
	p := q.Players.Of(t)
	return q.asking.again.Uniform(q.VisitKey(&p.Person), uint64(p.Searches)) < q.Own.Acceptance.Again && !q.dead(p)
}

// returnAfterDeclining schedules the return of a ticket that has declined a match.
func (q *Queue) returnAfterDeclining(t Ticket) {
	q.Become(t, sim.StateBetween)
	pause := max(sim.Millisecond, q.Config.Between, q.Config.Penalty) // not now, for the reason given at pause
	q.asking.returns.Push(q.Now().Add(pause), t)
}

// VisitAsked calls visit for each ticket whose players are being asked.
func (q *Queue) VisitAsked(visit func(t Ticket)) {
	if q.asking == nil {
		return
	}
	for i := range q.asking.list {
		if q.asking.list[i].open {
			for _, t := range q.asking.list[i].Tickets {
				visit(t)
			}
		}
	}
}

// AcceptanceTotals returns the totals about the proposals, or nil if players are not asked.
func (q *Queue) AcceptanceTotals() *sim.AcceptanceTotals {
	if q.asking == nil {
		return nil
	}
	totals := q.asking.totals
	return &totals
}
