package lifecycle

import (
	"slices"

	"mmsim/sim"
)

// VisitKey returns the key of draws for a player that are new at every visit of a season. Without a
// season, every player visits once.
func (q *Queue) VisitKey(p *sim.Person) uint64 {
	if q.Players.Keys == nil {
		return p.Entity
	}
	return q.Players.Keys[p.Slot]
}

// The following methods are called only in a season.

// keepKeys stores the keys of the visit that the players of a ticket begin.
func (q *Queue) keepKeys(t Ticket) {
	p := &q.Players
	p.Keys = append(p.Keys, make([]uint64, len(p.Slots)-len(p.Keys))...)
	members := p.Members(t)
	for i := range members {
		p.Keys[members[i].Slot] = q.Config.Season.VisitKey(&members[i].Person)
	}
}

// keepTeams stores what reportFinished needs: the teams of tickets that were just added to a match, and
// the ID of a new match. If a player left the match and now returns to it, keepTeams forgets the earlier
// result, because the player plays only once in it.
func (q *Queue) keepTeams(match uint32, f *Group) {
	if !f.Backfill {
		q.matches.ids[match] = q.Matches() - 1
	}
	q.matches.setTeams(match, len(f.Tickets), f.Teams)
	left := &q.matches.left[match]
	if len(*left) == 0 {
		return
	}
	for _, t := range f.Tickets {
		number := q.Players.Of(t).Number
		*left = slices.DeleteFunc(*left, func(p sim.Finisher) bool { return p.Ticket == number })
	}
}

// keepResult keeps the players of the ticket at an index, who leave a match before its end and get the
// result of their team.
func (q *Queue) keepResult(match uint32, index int) {
	left := &q.matches.left[match]
	from := len(*left)
	*left = q.appendFinishers(*left, q.matches.of(match)[index], q.matches.teamsOf(match)[index])
	for i := from; i < len(*left); i++ {
		(*left)[i].Left = true
	}
}

// reportFinished tells the season that a match ends, and tells observers the result. A match with bots has
// no result.
func (q *Queue) reportFinished(match uint32) {
	if !q.Playing(match) {
		return
	}
	finished := &q.scratch.finished
	finished.Match, finished.Queue, finished.At, finished.Players = q.matches.ids[match], q.Index, q.Now(), finished.Players[:0]
	teams := q.matches.teamsOf(match)
	for i, t := range q.matches.of(match) {
		finished.Players = q.appendFinishers(finished.Players, t, teams[i])
	}
	finished.Players = append(finished.Players, q.matches.left[match]...)
	q.Config.Season.Finished(finished)
	for _, o := range q.Observers {
		if o, is := o.(sim.ResultObserver); is {
			o.Finished(finished)
		}
	}
}

// appendFinishers appends the players of a ticket that plays for a team. Like Record, it writes into the
// list directly.
func (q *Queue) appendFinishers(list []sim.Finisher, t Ticket, team int16) []sim.Finisher {
	members := q.Players.Members(t)
	for i := range members {
		list = append(list, sim.Finisher{})
		f := &list[len(list)-1]
		f.Person, f.Ticket, f.Team = members[i].Person, members[0].Number, team
	}
	return list
}

// reportLeft tells the season that a ticket leaves. If failed is set, its search found no match.
func (q *Queue) reportLeft(t Ticket, failed bool) {
	left := &q.scratch.left
	left.Queue, left.At, left.Failed, left.Wait = q.Index, q.Now(), failed, 0
	if failed {
		left.Wait = q.Now().Sub(q.Players.Of(t).Began)
	}
	left.Players = left.Players[:0]
	members := q.Players.Members(t)
	for i := range members {
		left.Players = append(left.Players, sim.Player{ID: uint64(members[i].ID), Person: members[i].Person})
	}
	q.Config.Season.Left(left)
}
