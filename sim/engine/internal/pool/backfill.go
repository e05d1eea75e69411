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
	waits      bool // whether the session is in the pool
	closed     bool // whether the match takes no more tickets, because a ticket has left it
	shut       bool // whether the match would take tickets if its datacenter were usable
	asks       bool // whether the players of tickets are asked to join
	unseen     []leaver
	empty      int     // seats that the game has seen become empty and nobody has taken
	teams      []int16 // team of each ticket of the match
	region     matcher.Region
	datacenter int
	id         uint64 // ID of the match
	began      sim.Instant
}

// leaver is a ticket that has left a match. Until the game sees it, its seats count as taken.
type leaver struct {
	members []matcher.Member
	values  []matcher.Value // of the ticket
	seen    sim.Instant
}

// announce registers a new match that may have free seats.
func (q *Queue) announce(match uint32, f *lifecycle.Group) {
	for int(match) >= len(q.open) {
		q.open = append(q.open, openSession{})
	}
	o := &q.open[match]
	*o = openSession{
		teams: append(o.teams[:0], f.Teams...), unseen: o.unseen[:0],
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
	o.asks = true
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
	players := 0
	for _, t := range f.Tickets {
		players += int(q.Players.Of(t).Size)
	}
	f.Refills = min(o.empty, players)
	o.empty -= f.Refills
	o.asks = false
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
		case o.closed || o.waits || o.asks || !q.Playing(match):
		case q.PlayersIn(match) == 0 || q.PlayersIn(match)+o.stillSeen() >= q.Own.Rules.Set.MaxPlayers:
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
	for i := range q.TicketsOf(match) {
		members, values := q.members(match, i)
		session.Values = q.Own.Rules.Set.SessionValues(session.Values, values)
		session.Members = append(session.Members, members...)
	}
	for i := range o.unseen {
		session.Values = q.Own.Rules.Set.SessionValues(session.Values, o.unseen[i].values)
		session.Members = append(session.Members, o.unseen[i].members...)
	}
	return session
}

// members describes the ticket at an index of TicketsOf. The values of the ticket are valid until the
// next call.
func (q *Queue) members(match uint32, index int) (members []matcher.Member, values []matcher.Value) {
	ticket, team := q.rules.Describe(q.TicketsOf(match)[index]), matcher.NoTeam
	if teams := q.open[match].teams; index < len(teams) {
		team = int(teams[index])
	}
	for _, p := range ticket.Players {
		members = append(members, matcher.Member{
			Player: matcher.Player{ID: p.ID, Values: slices.Clone(p.Values), RTTMS: slices.Clone(p.RTTMS)},
			Team:   team,
		})
	}
	return members, ticket.Values
}

// stillSeen returns the number of players who have left the match and whom the game still sees there.
func (o *openSession) stillSeen() (players int) {
	for i := range o.unseen {
		players += len(o.unseen[i].members)
	}
	return players
}

// Ending implements lifecycle.Searcher. A match that ends leaves the pool.
func (q *Queue) Ending(match uint32) {
	if int(match) < len(q.open) && q.open[match].waits {
		q.rules.Pool.Remove(q.open[match].row)
		q.open[match].waits = false
	}
}

// Leaving implements lifecycle.Searcher. The match goes on. It takes more tickets only if seats are
// refilled, and the seats of this ticket only when the game has seen that they are empty.
func (q *Queue) Leaving(match uint32, index int) {
	if int(match) >= len(q.open) {
		return
	}
	o := &q.open[match]
	if q.Own.Refills() {
		members, values := q.members(match, index)
		o.unseen = append(o.unseen, leaver{members, slices.Clone(values), q.Now().Add(q.Own.Leave.Notice)})
	} else {
		q.Ending(match)
		o.closed = true
	}
	if index < len(o.teams) {
		o.teams = slices.Delete(o.teams, index, index+1)
	}
}

// SeatsSeen implements lifecycle.Searcher. The match enters the pool with its free seats.
func (q *Queue) SeatsSeen(match uint32) {
	if int(match) >= len(q.open) || !q.Playing(match) {
		return
	}
	o := &q.open[match]
	for len(o.unseen) > 0 && o.unseen[0].seen <= q.Now() {
		o.empty += len(o.unseen[0].members)
		o.unseen = slices.Delete(o.unseen, 0, 1)
	}
	q.Ending(match)
	q.changed = append(q.changed, match)
}
