package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
)

// Pass makes matches at an instant in ms. First, tickets that have given up leave the pool. Then
// each session looks for players, in order of age. Then each ticket, in order of age, is the seed
// of a match. Sessions may also be served between tickets or after them, depending on
// Ruleset.SessionPriority. A ticket created after the instant has a wait of 0.
//
// Tickets and sessions in a proposal have left the pool when Pass returns, and the next Add may
// reuse their rows. If a session still looks for players, add it again with its new members.
//
// A seed without a match is not a candidate of younger seeds, with two exceptions under
// Ruleset.Rules: if the shortest wait determines the stages, and if a budget ended the seed's
// search.
//
// Cost: for every waiting ticket, Pass counts the tickets around it, 64 at a time. If there are
// enough, it compares them with the ticket.
func (p *Pool) Pass(nowMS int64) matcher.Outcome {
	p.begin(nowMS)
	p.out.Expired = p.rows.TakeExpired(p.out.Expired)
	for _, row := range p.out.Expired {
		p.Remove(row)
	}
	p.partition()
	last := p.serveFirst()
	p.all.seeds(&p.all.alone, nil, 0)
	p.serve(p.due)
	p.serve(last)
	p.due = p.due[:0]
	return p.out
}

// serveFirst serves the sessions with a high priority. It sets Pool.due to the sessions with a
// normal priority and returns those with a low priority.
func (p *Pool) serveFirst() (last []Row) {
	if len(p.sessions) == 0 {
		return nil
	}
	p.all.gather(&p.all.alone)
	var first []Row
	for _, row := range p.sessions {
		switch p.rules.SessionPriority(p.rows.WaitMS(row)) {
		case matcher.HighPriority:
			first = append(first, row)
		case matcher.NormalPriority:
			p.due = append(p.due, row)
		default:
			last = append(last, row)
		}
	}
	p.serve(first)
	return last
}

// serve lets sessions look for players.
func (p *Pool) serve(sessions []Row) {
	if p.backfillAll != nil {
		if len(sessions) > 0 {
			p.backfillAll()
		}
		return
	}
	if len(sessions) == 0 {
		return
	}
	p.all.index.OfferFailed() // a failed seed is not a candidate of later seeds, but sessions need it
	for _, row := range sessions {
		p.method.try(&window{subset: p.all, seed: row, session: true, query: &p.query})
	}
	p.all.index.WithdrawFailed()
}

// serveOlder lets those sessions that are due and older than a seed look for players.
func (p *Pool) serveOlder(seed Row) {
	older := 0
	for older < len(p.due) && p.rows.Older(p.due[older], seed) {
		older++
	}
	p.serve(p.due[:older])
	p.due = p.due[older:]
}

// begin starts a pass and drops the decisions of the previous pass.
func (p *Pool) begin(nowMS int64) {
	p.out = matcher.Outcome{
		Backfills: p.out.Backfills[:0], Matches: p.out.Matches[:0],
		Expired: p.out.Expired[:0], BudgetHits: p.out.BudgetHits[:0],
	}
	p.made.begin()
	regions := p.schema.Regions()
	if p.method.begin() || regions != p.regions || nowMS < p.rows.NowMS {
		p.epoch++
	}
	p.regions = regions
	p.rows.Advance(nowMS)
}

// window is a seed and the tickets among which its match is sought.
type window struct {
	subset   *Subset
	reserve  *Subset // more candidates, which rank after all others, or nil
	reserved int32   // upper bound of the number of players in the reserve
	seed     Row
	query    *candidate.Query // the seed's candidates in the subset; see Pool.around
	session  bool             // the seed is a session
	again    bool             // the last search around the seed failed, so a match needs a fresh ticket
	missing  int32            // set by a failed try: the number of players that are missing around the seed, or 0 if unknown
}

// verdict is the result of a search around a seed.
type verdict uint8

const (
	failed    verdict = iota // there is no match
	matched                  // a match was added to the outcome
	exhausted                // a budget ended the search, so there may be a match
)

// around starts the query for a seed's candidates.
func (p *Pool) around(w *window) {
	w.query.Around(w.subset.index, w.seed, p.method.room(w.seed), !w.session && !p.Unfiltered)
}

// partition splits the tickets into parts that are matched separately. Under SeatRules, the parts
// are batches of Ruleset.Batch tickets and sessions. Under Ruleset.Rules, they have about
// Ruleset.PartitionAbove tickets. If no more than that are waiting, there is only one part.
func (p *Pool) partition() {
	waiting := p.waiting
	if p.rules.Seats != nil {
		waiting += len(p.sessions)
	}
	split := p.partSize > 0 && waiting > p.partSize
	if split || p.parts != nil {
		p.epoch++ // failed searches may succeed now, because each pass has other parts
	}
	if p.parts = nil; split {
		p.parts = make([]int32, p.rows.Len())
		p.split(append(p.all.AppendRows(nil), p.sessions...))
	}
}

// Parts returns the number of parts into which the last pass divided the tickets.
func (p *Pool) Parts() int {
	parts := int32(1)
	for _, part := range p.parts {
		parts = max(parts, part+1)
	}
	return int(parts)
}

// samePart deletes rows that are in a different part than a seed.
func (p *Pool) samePart(rows []Row, seed Row) []Row {
	if p.parts == nil {
		return rows
	}
	return slices.DeleteFunc(rows, func(row Row) bool { return p.parts[row] != p.parts[seed] })
}
