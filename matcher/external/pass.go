package external

import (
	"maps"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// Pass makes a matching pass at the time nowMS. It sends all waiting tickets to the matchmaker and
// returns the outcome of the matchmaker's answer.
func (p *Pool) Pass(nowMS int64) matcher.Outcome { return p.Turn(nowMS, exchange.AllDatacenters) }

// Turn is like Pass for the turn of a datacenter: it sends only the tickets that take part in the
// turn. If there are none, it sends nothing.
func (p *Pool) Turn(nowMS int64, datacenter int) matcher.Outcome {
	p.compact()
	p.countExpired(nowMS)
	p.out = matcher.Outcome{Matches: p.out.Matches[:0], Backfills: p.out.Backfills[:0]}
	p.describe(max(0, datacenter))
	if len(p.pass.Waiting) == 0 {
		return p.out
	}
	if nowMS >= 0 {
		p.report.Passes++
	}
	v := &p.views[max(0, datacenter)]
	p.pass.Number++
	p.pass.NowMS, p.pass.Datacenter = nowMS, datacenter
	p.pass.Removed, p.pass.Accepted, p.pass.Dropped = v.removed, p.accepted, p.dropped
	p.pass.Open = p.open
	answer, err := p.Exchange(&p.pass)
	v.removed, p.accepted, p.dropped = v.removed[:0], p.accepted[:0], p.dropped[:0]
	for _, id := range p.pass.RemovedSessions {
		delete(p.knownSessions, id)
	}
	for _, s := range p.pass.AddedSessions {
		p.knownSessions[s.ID] = true
	}
	p.pass.AddedSessions, p.pass.RemovedSessions = p.pass.AddedSessions[:0], p.pass.RemovedSessions[:0]
	if err != nil {
		p.out.Fault = err
		return p.out
	}
	if nowMS >= 0 {
		p.report.Cost = p.report.Cost.Plus(answer.Cost)
	}
	for _, ticket := range slices.Sorted(maps.Keys(answer.Why)) {
		if _, waits := p.byID[ticket]; waits {
			p.why[ticket] = answer.Why[ticket]
		}
	}
	p.decide(answer, nowMS)
	return p.out
}

// describe sets the tickets of the next message. It sets Waiting to the tickets that take part in
// the turn. It sets Added to the tickets in Waiting whose latest state has not been sent. The
// parameter at is the index of the view.
func (p *Pool) describe(at int) {
	p.pass.Waiting, p.pass.Added = p.pass.Waiting[:0], p.pass.Added[:0]
	for _, row := range p.waiting {
		e := &p.rows[row]
		if p.Turns && e.reach>>at&1 == 0 {
			continue
		}
		if p.Turns && e.ticket.Reach != e.reach { // a ticket is sent with the RTTs to the datacenters in its Reach
			e.ticket, e.current = e.ticket.WithReach(e.reach), 0
		}
		p.pass.Waiting = append(p.pass.Waiting, e.ticket)
		if e.current>>at&1 == 0 {
			e.known, e.current = e.known|1<<at, e.current|1<<at
			p.pass.Added = append(p.pass.Added, e.ticket)
		}
	}
}

// decide checks the proposals in an answer and sets the outcome.
func (p *Pool) decide(answer *exchange.Answer, nowMS int64) {
	j := &p.judge
	j.begin()
	measured := nowMS >= 0
	ref := func(i int) matcher.Ref { return matcher.Ref{Pass: p.pass.Number, Index: i} }
	verdict := func(i int, f *refusal) {
		p.report.count(measured, f)
		if f == nil {
			return
		}
		p.dropped = append(p.dropped, exchange.Dropped{Pass: p.told(ref(i)), Proposal: i, Why: f.why})
		if p.Wrong != nil && p.out.Fault == nil {
			p.out.Fault = p.Wrong(&p.pass, i, f.why)
		}
	}
	for i := range answer.Matches {
		f := j.match(&answer.Matches[i], p.pass.Datacenter)
		if verdict(i, f); f == nil {
			region := p.region(p.pass.Datacenter)
			if region == matcher.NoRegion {
				region = p.fairest(j.rows)
			}
			p.out.Matches = append(p.out.Matches, p.propose(ref(i), region, nil, nowMS))
		}
	}
	for i := range answer.Backfills {
		b := &answer.Backfills[i]
		f, index := j.backfill(b), len(answer.Matches)+i
		if verdict(index, f); f == nil {
			e := &p.rows[j.session]
			p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: j.session, Proposal: p.propose(ref(index), p.region(e.session.Datacenter), e.joins, nowMS)})
			p.close(j.session)
		}
	}
}

// region returns the datacenter in the proposal that the judge has just accepted. If the proposal
// names none, it returns the datacenter of the turn or session, which may be AllDatacenters.
func (p *Pool) region(of int) matcher.Region {
	if p.judge.datacenter != exchange.AllDatacenters {
		of = p.judge.datacenter
	}
	if of == exchange.AllDatacenters {
		return matcher.NoRegion
	}
	return matcher.Region(of)
}

// propose converts the proposal that the judge has just accepted, and removes its tickets from the
// pool. session is the session that they join, or nil for a new match.
func (p *Pool) propose(ref matcher.Ref, region matcher.Region, session *matcher.Session, nowMS int64) matcher.Proposal {
	j := &p.judge
	proposal := matcher.Proposal{Region: region, Ref: ref}
	for _, row := range j.rows {
		j.taken[p.rows[row].ticket.ID] = true
		proposal.Tickets = append(proposal.Tickets, row)
	}
	if j.teams > 0 {
		proposal.Teams = make([]matcher.Side, j.teams)
		for i, row := range j.rows {
			side := &proposal.Teams[j.team[i]]
			side.Tickets = append(side.Tickets, row)
		}
	}
	if p.check != nil && nowMS >= 0 {
		p.report.violations(p.check.match(p, session, &proposal, nowMS))
	}
	why := matched
	if p.Asks {
		why = proposed
		for _, row := range j.rows {
			ticket := p.rows[row].ticket
			p.asked[ref], p.askedIDs[ticket.Party] = append(p.asked[ref], ticket), ticket.ID
		}
	}
	for _, row := range j.rows {
		p.leave(row, why)
	}
	return proposal
}

// Reaches sets the datacenters in whose turns a ticket takes part from now on.
func (p *Pool) Reaches(row matcher.Row, datacenters uint64) { p.rows[row].reach = datacenters }
