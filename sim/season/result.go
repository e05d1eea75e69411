package season

import (
	"cmp"
	"math"

	"mmsim/sim"
)

// result is the memory of Finished about one match.
type result struct {
	players []player // like sim.Finished.Players
	teams   []team
	order   []int // the teams in the order in which they finished, as indexes into teams
	ratings []Rating
	ranked  [][]Rating // parts of ratings, by rank
	fetched []uint32   // players who left the match and are not online
}

// player is a player of a match that ends.
type player struct {
	visitor uint32 // index into Season.visitors
	team    int32  // index into result.teams
	rating  int    // index into result.ratings
}

// team is a team of a match that ends.
type team struct {
	number      int16 // as in sim.Finisher
	players     int
	key         uint64 // smallest key of its players,
	matches     uint32 // and that player's finished matches
	skill       float64
	performance float64
	rank        int // 0 for the winner
	next        int // index into result.ratings
}

// Finished implements sim.Season.
func (s *Season) Finished(m *sim.Finished) {
	s.reach(m.At)
	s.gather(m)
	if m.Decided = len(s.result.teams) > 1; m.Decided {
		s.contest()
		s.rank()
		s.decide(m)
	}
	for _, number := range s.result.fetched {
		s.alight(number)
	}
}

// gather divides the players of a match into teams. Without teams in the rules, each ticket is one.
func (s *Season) gather(m *sim.Finished) {
	r := &s.result
	r.players, r.teams, r.fetched = r.players[:0], r.teams[:0], r.fetched[:0]
	for i := range m.Players {
		number := m.Players[i].Number
		at := s.at[number] &^ online
		if s.at[number]&online == 0 {
			at = s.board(&m.Players[i].Person)
			r.fetched = append(r.fetched, number)
		}
		index := r.teamOf(m.Players, i)
		v, t := &s.visitors[at], &r.teams[index]
		t.skill += v.skill // the sum, until contest makes it the mean
		if t.players == 0 || v.entity < t.key {
			t.key, t.matches = v.entity, v.matches
		}
		t.players++
		r.players = append(r.players, player{visitor: at, team: int32(index)})
	}
}

// teamOf returns the index of the team of the player at an index.
func (r *result) teamOf(players []sim.Finisher, i int) int {
	number := players[i].Team
	if number == sim.NoTeam {
		if i > 0 && players[i-1].Ticket == players[i].Ticket {
			return len(r.teams) - 1
		}
	} else {
		for k := range r.teams {
			if r.teams[k].number == number {
				return k
			}
		}
	}
	r.teams = append(r.teams, team{number: number})
	return len(r.teams) - 1
}

// contest draws the performance of the teams, and the order in which they finish.
func (s *Season) contest() {
	r := &s.result
	r.order = r.order[:0]
	for i := range r.teams {
		t := &r.teams[i]
		t.skill /= float64(t.players)
		u := (float64(s.draws.result.Bits(t.key, uint64(t.matches))>>12) + 0.5) * 0x1p-52 // inside (0, 1)
		t.performance = s.config.Contest.Performance(t.skill, u)
		r.order = append(r.order, i)
		k := i
		for ; k > 0 && cmp.Less(r.teams[r.order[k-1]].performance, t.performance); k-- {
			r.order[k] = r.order[k-1]
		}
		r.order[k] = i
	}
}

// rank sets the ratings of the teams in the order in which they finished.
func (s *Season) rank() {
	r := &s.result
	r.ratings, r.ranked = r.ratings[:0], r.ranked[:0]
	for range r.players {
		r.ratings = append(r.ratings, Rating{})
	}
	from := 0
	for rank, i := range r.order {
		t := &r.teams[i]
		t.rank, t.next = rank, from
		r.ranked = append(r.ranked, r.ratings[from:][:t.players])
		from += t.players
	}
	for i := range r.players {
		p := &r.players[i]
		t := &r.teams[p.team]
		p.rating = t.next
		t.next++
		r.ratings[p.rating] = s.visitors[p.visitor].rating
	}
}

// decide changes the ratings and completes the record of a match.
func (s *Season) decide(m *sim.Finished) {
	r := &s.result
	twoTeams := len(r.teams) == 2
	unfair, winner := 0.0, math.NaN() // winner is the predicted chance of the team that won
	if m.At >= 0 {
		s.tally.teams += len(r.teams)
	}
	if twoTeams {
		winner = s.config.System.Predict(r.ranked[0], r.ranked[1])
		fair := s.config.Contest.Chance(r.teams[r.order[0]].skill - r.teams[r.order[1]].skill)
		unfair = max(fair, 1-fair) - 0.5
		if m.At >= 0 {
			s.tally.decided(winner, max(fair, 1-fair))
		}
	}
	s.config.System.Update(r.ranked)
	for i := range r.players {
		p, to := &r.players[i], &m.Players[i]
		to.Won, to.Chance = r.teams[p.team].rank == 0, winner
		v := &s.visitors[p.visitor]
		v.rating = r.ratings[p.rating]
		v.matches++
		v.streak = min(v.streak+1, MaxLossStreak)
		if to.Won {
			v.streak = 0
		} else {
			to.Chance = 1 - winner
		}
		if m.At >= 0 {
			s.tally.played(v.tenth, to.Won, unfair, twoTeams)
		}
	}
	if s.felt {
		s.experience(m, unfair)
	}
}

// experience completes the features of the match for each ticket. One that left the match before its
// end has already drawn whether it plays again, and is perhaps in another match.
func (s *Season) experience(m *sim.Finished, unfair float64) {
	for i := 0; i < len(m.Players); {
		first, at := &m.Players[i], s.result.players[i].visitor
		i += int(s.visitors[at].party)
		if first.Left {
			continue
		}
		v := &s.visits[at]
		v.last[Unfair] = unfair
		if first.Won {
			v.last[Win] = 1
		}
		s.addRecord(&v.last, first.Ticket)
		for f := range v.sum {
			v.sum[f] += v.last[f]
		}
		v.matches++
	}
}
