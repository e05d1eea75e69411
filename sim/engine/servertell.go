package engine

import (
	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// record returns a occupant as outcome records have him.
func (g *occupant) record() sim.Player { return sim.Player{ID: uint64(g.id), Person: g.person} }

// reportEntered reports a party that joins.
func (q *serverQueue) reportEntered(a *sim.Arrival, party uint32) {
	if !q.watched() {
		return
	}
	s := &q.scratch.ended.Search
	*s = sim.Search{Queue: q.index, Began: q.now, Party: uint64(party), PartySize: uint8(len(a.Members)), Players: s.Players[:0]}
	for i := range a.Members {
		s.Players = append(s.Players, sim.Player{ID: uint64(party) + uint64(i), Person: a.Members[i]})
	}
	q.observers.entered(s)
}

// reportRejected reports a player who was refused.
func (q *serverQueue) reportRejected(g *occupant) {
	if !q.watched() {
		return
	}
	e := &q.scratch.ended
	*e = sim.Ended{
		Search: q.search(g),
		At:     q.now, Into: sim.StateRejected,
	}
	q.observers.ended(e)
}

// search returns the record of a occupant's search.
func (q *serverQueue) search(g *occupant) sim.Search {
	return sim.Search{
		Queue: q.index, Began: g.began, State: g.state, Party: uint64(g.party), PartySize: g.partySize,
		Players: append(q.scratch.ended.Players[:0], g.record()),
	}
}

// reportPlaced reports a decision, before the player is on the server.
func (q *serverQueue) reportPlaced(g *occupant, j *scoring.Joiner, best, runnerUp *scoring.Server) {
	if !q.measuring {
		return
	}
	p, s := &q.scratch.placed, &q.scratch
	told := false
	for _, o := range q.observers {
		o, is := o.(sim.PlacementObserver)
		if !is {
			continue
		}
		if !told {
			told = true
			*p = sim.Placed{Player: g.record(), Queue: q.index, At: q.now, Datacenter: int(best.Region), Opened: g.first}
			q.measure(j, best)
			if !g.first {
				q.explain(j, best, runnerUp)
			}
			p.Measures, p.Won, p.Lost = s.measures, s.won, s.lost
		}
		o.Placed(p)
	}
}

// measure measures the server for the record.
func (q *serverQueue) measure(j *scoring.Joiner, best *scoring.Server) {
	s := &q.scratch
	s.measures, s.won, s.lost = s.measures[:0], s.won[:0], s.lost[:0]
	for i := range q.own.Measures {
		s.measures = append(s.measures, q.own.Scoring.Measure(&q.own.Measures[i], j, best))
	}
}

// explain says what spoke for the server, for the record.
func (q *serverQueue) explain(j *scoring.Joiner, best, runnerUp *scoring.Server) {
	s := &q.scratch
	s.won = q.own.Scoring.Contributions(s.won, j, best)
	for _, weighted := range s.won {
		s.placed.Score += weighted
	}
	if runnerUp != nil {
		s.lost = q.own.Scoring.Contributions(s.lost, j, runnerUp)
		s.placed.RunnerUp = true
		s.placed.Decision = scoring.Decide(best, runnerUp, s.won, s.lost)
	}
}

// reportMatched reports that a player begins to play: with him a match begins, which
// is the server, or he joins one that runs.
func (q *serverQueue) reportMatched(g *occupant, ends sim.Instant) {
	if !q.watched() {
		return
	}
	dc, p := int(g.server.Region), &g.person
	estimate := sim.AddDelay(q.places.RTT[int(p.Place)*q.places.Datacenters+dc], g.lastMile)
	match := &q.scratch.match
	*match = sim.Match{
		ID: q.ids[g.server.Sequence], Queue: q.index, At: q.now, Ends: ends, Datacenter: dc, Region: sim.NoRegion, Backfill: !g.first,
		Players: append(match.Players[:0], sim.Matched{
			Player: g.record(), Began: g.began, Party: uint64(g.party), PartySize: g.partySize, Team: sim.NoTeam, State: sim.StateWaiting,
			RTT: q.jittered(estimate, q.jitter, p.Entity, 0), Estimate: estimate,
			Best: sim.AddDelay(q.places.Best[p.Place], g.lastMile),
		}),
	}
	q.observers.matched(match)
}
