package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
)

// openSession is what a running match that may take further tickets adds to the
// arena of matches.
type openSession struct {
	row        matcher.Row
	waits      bool    // it stands in the pool
	teams      []int16 // by ticket of the match
	region     matcher.Region
	datacenter int
	id         uint64 // of the match
	began      sim.Instant
}

// announce notes that a new match may have free seats.
func (q *poolQueue) announce(match uint32, f *formed) {
	for int(match) >= len(q.open) {
		q.open = append(q.open, openSession{})
	}
	o := &q.open[match]
	*o = openSession{
		teams:  append(o.teams[:0], f.teams...),
		region: matcher.Region(f.region), datacenter: f.datacenter, id: q.made - 1, began: q.now,
	}
	q.changed = append(q.changed, match)
}

// backfill seats the tickets that join a session.
func (q *poolQueue) backfill(b *matcher.Backfill) {
	match := q.rules.session(b.Session)
	o := &q.open[match]
	o.waits = false // it left the pool
	f := q.rules.form(&b.Proposal, o.began)
	f.datacenter, f.region = o.datacenter, int(o.region)
	if q.own.Acceptance == nil {
		q.fill(match, &f)
		return
	}
	q.recordProposed(&f, o.id, true)
	p := q.propose(&f)
	p.joins, p.match, p.sessionID = true, match, o.id
}

// fill seats tickets in a running match.
func (q *poolQueue) fill(match uint32, f *formed) {
	o := &q.open[match]
	for len(o.teams) < len(q.ticketsOf(match)) { // a matchmaker outside may name teams only now
		o.teams = append(o.teams, matcher.NoTeam)
	}
	o.teams = append(o.teams, f.teams...)
	q.joinMatch(match, o.id, f)
	q.changed = append(q.changed, match)
}

// openSessions puts the matches of this pass that have free seats into the pool.
// It comes last: rows of the pass are not given out anew before all are looked up.
func (q *poolQueue) openSessions() {
	for _, match := range q.changed {
		if q.playersIn(match) < q.own.Rules.Set.MaxPlayers {
			q.openSession(match)
		}
	}
	q.changed = q.changed[:0]
}

func (q *poolQueue) openSession(match uint32) {
	row, err := q.rules.pool.AddSession(q.session(match))
	if err != nil {
		panic("sim: a match that the rules made is refused as a session: " + err.Error())
	}
	o := &q.open[match]
	o.row, o.waits = row, true
	q.rules.holdSession(row, match)
}

// session describes a match with free seats.
func (q *poolQueue) session(match uint32) matcher.Session {
	o := &q.open[match]
	session := matcher.Session{Match: o.id, CreatedMS: int64(o.began), Region: o.region}
	if q.own.Rules.Outside != nil {
		session.Region = matcher.Region(o.datacenter)
	}
	for i, t := range q.ticketsOf(match) {
		ticket := q.rules.describe(t)
		session.Values = q.own.Rules.Set.SessionValues(session.Values, ticket.Values)
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

// ending implements searching: a match that ends takes nobody any more.
func (q *poolQueue) ending(match uint32) {
	if int(match) < len(q.open) && q.open[match].waits {
		q.rules.pool.Remove(q.open[match].row)
		q.open[match].waits = false
	}
}
