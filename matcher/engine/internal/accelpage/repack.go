package accelpage

import "mmsim/matcher"

// repacking is the state of a search for teams with more players than first fit found. The search
// goes through the candidates, lowest cost first. It takes a candidate if the teams have room for
// it and for all tickets taken before it.
type repacking struct {
	taken []int // index of each taken ticket in Ranker.List; -1 is the seed
	sizes []int // players of each taken ticket
	team  []int // team of each taken ticket
	fill  []int // players of each team so far
}

// repack tries to seat more players than first fit did. It does so only if there are free seats
// and first fit skipped parties. It changes the group only if it finds a larger one.
func (s *Search) repack(sizes *matcher.TeamSizes) {
	seated := 0
	for i := range s.Teams {
		seated += s.Teams[i].Players
	}
	most := matcher.MaxGroupPlayers
	if sizes.MaxTeams <= most && sizes.MaxPlayers <= most {
		most = min(most, sizes.MaxTeams*sizes.MaxPlayers)
	}
	left := 0
	for k := 0; seated+left < most && s.Have(k); k++ {
		if c := &s.List[k]; !c.Used && s.admits(c.Row) {
			left += int(c.Players)
		}
	}
	if left == 0 || seated == most {
		return
	}
	members, teams, steps := append(s.kept[:0], s.Members...), append([]Team(nil), s.Teams...), s.steps
	s.kept = members
	if !s.takeInRank(sizes, most) || s.packed.players() <= seated || !s.divide(0, 0, sizes, sizes.MinTeams, sizes.MinPlayers) {
		s.restore(members, teams)
		s.steps = steps
		return
	}
	s.steps = steps
	p := &s.packed
	s.restart()
	for i, k := range p.taken {
		for len(s.Teams) <= p.team[i] {
			s.Teams = append(s.Teams, Team{})
		}
		if k >= 0 {
			s.join(k, p.team[i])
		}
	}
}

// takeInRank takes candidates, lowest cost first, and skips each candidate that cannot be divided
// into teams along with those already taken. It returns false if the budget is used up.
func (s *Search) takeInRank(sizes *matcher.TeamSizes, most int) bool {
	p := &s.packed
	s.restart()
	size := s.Members[0].Players
	p.taken, p.sizes, p.team = append(p.taken[:0], -1), append(p.sizes[:0], size), append(p.team[:0], 0)
	tooLarge := most + 1 // size of the smallest ticket that did not fit: no later ticket of this size fits either
	for k := 0; p.players() < most && s.Have(k); k++ {
		c := &s.List[k]
		if p.players()+int(c.Players) > most || int(c.Players) >= tooLarge || !s.admits(c.Row) {
			continue
		}
		p.taken, p.sizes, p.team = append(p.taken, k), append(p.sizes, int(c.Players)), append(p.team, 0)
		if s.divide(0, 0, sizes, 0, 0) {
			s.join(k, 0)
			continue
		}
		if s.steps > s.budget {
			return false
		}
		if s.rules.Set.Blocking != matcher.OtherTeams {
			tooLarge = int(c.Players)
		}
		n := len(p.taken) - 1
		p.taken, p.sizes, p.team = p.taken[:n], p.sizes[:n], p.team[:n]
	}
	return true
}

func (p *repacking) players() (players int) {
	for _, size := range p.sizes {
		players += size
	}
	return players
}

// divide assigns taken tickets i and later to teams. It puts each ticket in the first team for
// which it can still assign the tickets after it. teams is the number of teams that already have
// players.
func (s *Search) divide(i, teams int, sizes *matcher.TeamSizes, minTeams, minPlayers int) bool {
	p := &s.packed
	if i == 0 {
		p.fill = p.fill[:0]
	}
	if s.steps++; s.steps > s.budget {
		return false
	}
	missing, left := 0, 0
	for _, n := range p.fill[:teams] {
		missing += max(0, minPlayers-n)
	}
	missing += max(0, minTeams-teams) * minPlayers
	for _, size := range p.sizes[i:] {
		left += size
	}
	if left < missing {
		return false
	}
	if i == len(p.taken) {
		return true
	}
	for team := range min(teams+1, sizes.MaxTeams) {
		if team == len(p.fill) {
			p.fill = append(p.fill, 0)
		} else if team == teams {
			p.fill[team] = 0
		}
		if p.fill[team]+p.sizes[i] > sizes.MaxPlayers || !s.togetherIn(team, i) {
			continue
		}
		p.team[i] = team
		p.fill[team] += p.sizes[i]
		if s.divide(i+1, max(teams, team+1), sizes, minTeams, minPlayers) {
			return true
		}
		p.fill[team] -= p.sizes[i]
	}
	return false
}

// togetherIn reports whether taken ticket i may be in a team with the earlier taken tickets
// there. Under OtherTeams, it may not if one of the tickets blocks the other.
func (s *Search) togetherIn(team, i int) bool {
	if s.rules.Set.Blocking != matcher.OtherTeams {
		return true
	}
	for k := range i {
		if p := &s.packed; p.team[k] == team && s.rules.Block(s.rowOf(p.taken[i]), s.rowOf(p.taken[k])) {
			return false
		}
	}
	return true
}

// rowOf returns the row of the candidate at index k, or the seed if k is -1.
func (s *Search) rowOf(k int) Row {
	if k < 0 {
		return s.Seed
	}
	return s.List[k].Row
}

// restore makes members and teams the current group again.
func (s *Search) restore(members []Member, teams []Team) {
	s.restart()
	for _, m := range members[1:] {
		for len(s.Teams) <= m.Team {
			s.Teams = append(s.Teams, Team{})
		}
		s.join(m.At, m.Team)
	}
	s.Teams = append(s.Teams[:0], teams...)
}
