package pool

import (
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// openSession contains this package's data about a running match that may take more tickets.
// Package lifecycle stores the rest.
type openSession struct {
	row        matcher.Row
	waits      bool    // whether the session is in the pool
	closed     bool    // whether the match takes no more tickets, because a ticket has left it
	shut       bool    // whether the match would take tickets if its datacenter were usable
	teams      []int16 // team of each ticket of the match
	region     matcher.Region
	datacenter int
	id         uint64 // ID of the match
	began      sim.Instant
}

// announce registers a new match that may have free seats.
func (q *Queue) announce(match uint32, f *lifecycle.Group) {
	for int(match) >= len(q.open) {
		q.open = append(q.open, openSession{})
	}
	o := &q.open[match]
	*o = openSession{
		teams:  append(o.teams[:0], f.Teams...),
		region: matcher.Region(f.Region), datacenter: f.Datacenter, id: q.Matches() - 1, began: q.Now(),
	}
	q.changed = append(q.changed, match)
}

// backfill adds tickets to a session, or proposes that they join it.
func (q *Queue) backfill(b *matcher.Backfill) {
	match := q.rules.Session(b.Session)
	o := &q.open[match]
	o.waits = false // the pool has removed the session
	f := q.rules.Form(&b.Proposal, o.began)
	f.Datacenter, f.Region = o.datacenter, int(o.region)
	f.Backfill, f.Match, f.MatchID = true, match, o.id
	q.Match(f)
}

// runs reports whether the match that tickets are to join is still being played.
func (q *Queue) runs(f *lifecycle.Group) bool {
	return q.open[f.Match].id == f.MatchID && q.Playing(f.Match)
}

// fill adds tickets to a running match.
func (q *Queue) fill(f *lifecycle.Group) {
	o := &q.open[f.Match]
	for len(o.teams) < len(q.TicketsOf(f.Match)) { // an external matchmaker may name teams only from now on
		o.teams = append(o.teams, matcher.NoTeam)
	}
	o.teams = append(o.teams, f.Teams...)
	q.JoinMatch(f)
	q.changed = append(q.changed, f.Match)
}

// openSessions puts the matches of this pass that have free seats into the pool. It must come last:
// a new session may reuse the row of a ticket that has left, so all rows of the pass must have been
// looked up before.
func (q *Queue) openSessions() {
	for _, match := range q.changed {
		o := &q.open[match]
		switch {
		case o.closed || q.PlayersIn(match) >= q.Own.Rules.Set.MaxPlayers:
		case q.Usable()>>o.datacenter&1 == 0:
			o.shut = true
		default:
			q.openSession(match)
		}
	}
	q.changed = q.changed[:0]
}

// openSession puts a match with free seats into the pool.
func (q *Queue) openSession(match uint32) {
	row, err := q.rules.Pool.AddSession(q.session(match))
	if err != nil {
		panic("sim: a match that the rules made is refused as a session: " + err.Error())
	}
	o := &q.open[match]
	o.row, o.waits = row, true
	q.rules.HoldSession(row, match)
}

// session converts a match with free seats to a session of the rule engine.
func (q *Queue) session(match uint32) matcher.Session {
	o := &q.open[match]
	session := matcher.Session{Match: o.id, CreatedMS: int64(o.began), Region: o.region}
	if q.Own.Rules.Outside != nil && o.region == matcher.NoRegion { // its players share no measured region
		session.Region = matcher.Region(slices.IndexFunc(q.Own.Rules.Regions, func(set uint64) bool { return set>>o.datacenter&1 != 0 }))
	}
	for i, t := range q.TicketsOf(match) {
		ticket := q.rules.Describe(t)
		session.Values = q.Own.Rules.Set.SessionValues(session.Values, ticket.Values)
		team := matcher.NoTeam
		if i < len(o.teams) {
			team = int(o.teams[i])
		}
		for _, p := range ticket.Players {
			session.Members = append(session.Members, matcher.Member{
				Player: matcher.Player{ID: p.ID, Values: slices.Clone(p.Values), RTTMS: slices.Clone(p.RTTMS)},
				Team:   team,
			})
		}
	}
	return session
}

// Ending implements lifecycle.Searcher. A match that ends leaves the pool.
func (q *Queue) Ending(match uint32) {
	if int(match) < len(q.open) && q.open[match].waits {
		q.rules.Pool.Remove(q.open[match].row)
		q.open[match].waits = false
	}
}

// Left implements lifecycle.Searcher. The match goes on without taking more tickets.
func (q *Queue) Left(match uint32, index int) {
	q.Ending(match)
	if int(match) >= len(q.open) {
		return
	}
	o := &q.open[match]
	o.closed = true
	if index < len(o.teams) {
		o.teams = slices.Delete(o.teams, index, index+1)
	}
}
