package lifecycle

import "mmsim/sim"

// VisitKey returns the key of draws for a player that are new at every visit of a season. Without a
// season, every player visits once.
func (q *Queue) VisitKey(p *sim.Person) uint64 {
	if q.Config.Season == nil {
		return p.Entity
	}
	return q.Config.Season.VisitKey(p)
}

// playAgain returns the chance that a ticket plays again after its match.
func (q *Queue) playAgain(first *Player) float64 {
	if q.Config.Season == nil {
		return q.Config.PlayAgain
	}
	return q.Config.Season.PlayAgain(q.Index, &first.Person)
}

// keepTeams stores the teams of tickets that were just added to a match, for reportFinished.
func (q *Queue) keepTeams(match uint32, f *Group) {
	if q.Config.Season != nil {
		q.matches.setTeams(match, len(f.Tickets), f.Teams)
	}
}

// reportFinished tells the season that a match ends. Matches with bots do not count.
func (q *Queue) reportFinished(match uint32) {
	if q.Config.Season == nil || !q.Playing(match) {
		return
	}
	finished := &q.scratch.finished
	finished.Queue, finished.At, finished.Players = q.Index, q.Now(), finished.Players[:0]
	teams := q.matches.teamsOf(match)
	for i, t := range q.matches.of(match) {
		members := q.Players.Members(t)
		for k := range members {
			finished.Players = append(finished.Players, sim.Finisher{Person: members[k].Person, First: t, Team: teams[i]})
		}
	}
	q.Config.Season.Finished(finished)
}

// reportLeft tells the season that a ticket leaves. If failed is set, its search found no match.
func (q *Queue) reportLeft(t Ticket, failed bool) {
	if q.Config.Season == nil {
		return
	}
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
