package servers

import (
	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// record returns the record of a player.
func (g *occupant) record() sim.Player { return sim.Player{ID: uint64(g.id), Person: g.person} }

// reportEntered reports a party that joins.
func (q *Queue) reportEntered(a *sim.Arrival, party uint32) {
	if !q.Watched() {
		return
	}
	s := &q.scratch.ended.Search
	*s = sim.Search{Queue: q.index, Began: q.Now(), Party: uint64(party), PartySize: uint8(len(a.Members)), Players: s.Players[:0]}
	for i := range a.Members {
		s.Players = append(s.Players, sim.Player{ID: uint64(party) + uint64(i), Person: a.Members[i]})
	}
	q.Observers.Entered(s)
}

// reportEnded reports a search that ends without a server.
func (q *Queue) reportEnded(g *occupant, into sim.State) {
	if !q.Watched() {
		return
	}
	e := &q.scratch.ended
	*e = sim.Ended{
		Search: q.search(g),
		At:     q.Now(), Into: into,
	}
	q.Observers.Ended(e)
}

// search returns the record of a player's search.
func (q *Queue) search(g *occupant) sim.Search {
	return sim.Search{
		Queue: q.index, Began: g.began, State: g.state, Return: g.searches > 0, Party: uint64(g.party), PartySize: g.partySize,
		Players: append(q.scratch.ended.Players[:0], g.record()),
	}
}

// reportPlaced reports the choice of a server. It is called before the player is on the server.
func (q *Queue) reportPlaced(g *occupant, j *scoring.Joiner, best, runnerUp *scoring.Server) {
	if !q.Measuring() {
		return
	}
	p, s := &q.scratch.placed, &q.scratch
	filled := false
	for _, o := range q.Observers {
		o, is := o.(sim.PlacementObserver)
		if !is {
			continue
		}
		if !filled {
			filled = true
			*p = sim.Placed{Player: g.record(), Queue: q.index, At: q.Now(), Datacenter: int(best.Region), Opened: g.first}
			q.measure(j, best)
			if !g.first {
				q.explain(j, best, runnerUp)
			}
			p.Measures, p.Contributions, p.RunnerUpContributions = s.measures, s.contributions, s.runnerUpContributions
		}
		o.Placed(p)
	}
}

// measure computes the analytics measures in q.own.Measures for a player on the chosen server. It
// also clears the contributions that explain fills in.
func (q *Queue) measure(j *scoring.Joiner, best *scoring.Server) {
	s := &q.scratch
	s.measures, s.contributions, s.runnerUpContributions = s.measures[:0], s.contributions[:0], s.runnerUpContributions[:0]
	for i := range q.own.Measures {
		s.measures = append(s.measures, q.own.Scoring.Measure(&q.own.Measures[i], j, best))
	}
}

// explain records the contribution of each signal to the scores of the chosen server and of the
// runner-up.
func (q *Queue) explain(j *scoring.Joiner, best, runnerUp *scoring.Server) {
	s := &q.scratch
	s.contributions = q.own.Scoring.Contributions(s.contributions, j, best)
	for _, weighted := range s.contributions {
		s.placed.Score += weighted
	}
	if runnerUp != nil {
		s.runnerUpContributions = q.own.Scoring.Contributions(s.runnerUpContributions, j, runnerUp)
		s.placed.RunnerUp = true
		s.placed.Decision = scoring.Decide(best, runnerUp, s.contributions, s.runnerUpContributions)
	}
}

// reportMatched reports that a player begins to play. A server counts as a match: the player for
// whom it was started begins the match, and all others join it.
func (q *Queue) reportMatched(g *occupant, ends sim.Instant) {
	if !q.Watched() {
		return
	}
	dc, p := int(g.server.Region), &g.person
	rtt := sim.AddDelay(q.Places.RTT[int(p.Place)*q.Places.Datacenters+dc], g.lastMile)
	best, ofAll := q.Best(g.measured, p.Place)
	match := &q.scratch.match
	*match = sim.Match{
		ID: q.ids[g.server.Sequence], Queue: q.index, At: q.Now(), Ends: ends, Datacenter: dc, Region: sim.NoRegion, Backfill: !g.first,
		Players: append(match.Players[:0], sim.Matched{
			Player: g.record(), Began: g.began, Party: uint64(g.party), PartySize: g.partySize, Team: sim.NoTeam, State: sim.StateWaiting, Return: g.searches > 0,
			RTT:      q.Jittered(sim.AddDelay(rtt, q.Added(q.Measure(p.Place), p.Place, dc)), q.jitter, p.Entity, uint64(g.searches)),
			Estimate: sim.AddDelay(rtt, q.Added(g.measured, p.Place, dc)),
			Best:     sim.AddDelay(best, g.lastMile), BestOfAll: sim.AddDelay(ofAll, g.lastMile),
		}),
	}
	q.Observers.Matched(match)
}
