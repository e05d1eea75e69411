package pivot

import "mmsim/matcher"

// repacking looks for teams that seat candidates left out by first fit. A candidate is taken,
// in rank, if it and all taken so far can be divided among the teams.
type repacking struct {
	taken []int // indexes in the list of candidates; -1: the seed
	sizes []int // players of each taken ticket
	team  []int // team of each taken ticket
	fill  []int // players by team
}

// repack tries to seat more players than first fit did, if there are empty seats and parties
// were left out. It changes the group only if it succeeds.
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
	for k := 0; seated+left < most && s.have(k); k++ {
		if c := &s.list[k]; !c.used && s.admits(c.row) {
			left += int(c.players)
		}
	}
	if left == 0 || seated == most {
		return
	}
	members, teams, seats := append(s.kept[:0], s.Members...), append([]Team(nil), s.Teams...), s.steps
	s.kept = members
	if !s.takeInRank(sizes, most) || s.packed.players() <= seated || !s.divide(0, 0, sizes, sizes.MinTeams, sizes.MinPlayers) {
		s.restore(members, teams)
		s.steps = seats
		return
	}
	s.steps = seats
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

// takeInRank takes candidates as long as all taken ones can be divided. It returns false if the
// budget is used up.
func (s *Search) takeInRank(sizes *matcher.TeamSizes, most int) bool {
	p := &s.packed
	s.restart()
	size := s.Members[0].players
	p.taken, p.sizes, p.team = append(p.taken[:0], -1), append(p.sizes[:0], size), append(p.team[:0], 0)
	tooLarge := most + 1 // size of the smallest ticket that did not fit; later ones of this size do not fit either
	for k := 0; p.players() < most && s.have(k); k++ {
		c := &s.list[k]
		if p.players()+int(c.players) > most || int(c.players) >= tooLarge || !s.admits(c.row) {
			continue
		}
		p.taken, p.sizes, p.team = append(p.taken, k), append(p.sizes, int(c.players)), append(p.team, 0)
		if s.divide(0, 0, sizes, 0, 0) {
			s.join(k, 0)
			continue
		}
		if s.steps > s.budget {
			return false
		}
		if s.rules.Set.Blocking != matcher.OtherTeams {
			tooLarge = int(c.players)
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

// divide assigns the i-th taken ticket and all after it to teams, each to the first for which
// the rest can be assigned. teams is the number of teams with players so far.
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

// togetherIn reports whether blocks allow the i-th taken ticket in a team with the earlier
// ones.
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

// rowOf returns the row of a candidate, or of the seed for -1.
func (s *Search) rowOf(k int) Row {
	if k < 0 {
		return s.seed
	}
	return s.list[k].row
}

// giveUp removes a team and the tickets that joined it.
func (s *Search) giveUp(team, before int) {
	for _, m := range s.Members[before:] {
		for k := range s.list {
			if s.list[k].row == m.Row {
				s.list[k].used = false
			}
		}
	}
	s.Members, s.Teams = s.Members[:before], s.Teams[:team]
}

// restore restores an earlier group.
func (s *Search) restore(members []Member, teams []Team) {
	s.restart()
	for _, m := range members[1:] {
		for len(s.Teams) <= m.Team {
			s.Teams = append(s.Teams, Team{})
		}
		for k := range s.list {
			if s.list[k].row == m.Row {
				s.join(k, m.Team)
			}
		}
	}
	s.Teams = append(s.Teams[:0], teams...)
}
