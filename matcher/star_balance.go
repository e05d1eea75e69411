package matcher

// balance divides the group's tickets into teams as even as can be. A session's
// players stay where they are, and no team of it has a minimum.
func (s *starSearch) balance(sizes *TeamSizes, session *Session) {
	tickets := s.members
	if session != nil {
		tickets = tickets[1:]
	}
	if sizes.MaxTeams == 1 || sizes.single() {
		return
	}
	b := &s.balancer
	b.sizes, b.units, b.teams = *sizes, b.units[:0], b.teams[:0]
	first := len(s.members) - len(tickets)
	for i, m := range tickets {
		b.units = append(b.units, balanceUnit{first + i, m.size, s.rows[m.row].balance, m.team})
	}
	for range min(sizes.MaxTeams, len(s.teams)+len(tickets)) {
		b.teams = append(b.teams, balanceTeam{})
	}
	if session != nil {
		for i := range session.Members {
			m := &session.Members[i]
			t := &b.teams[m.Team]
			t.size, t.fixed = t.size+1, true
			t.sum += s.strength(&m.Player)
		}
	}
	b.apart, b.barred = nil, nil
	if s.rules.Blocking == OtherTeams {
		b.apart, b.barred = s.unitsApart, s.unitBarred
	}
	b.solve()
	for i := range b.units {
		u := &b.units[i]
		for len(s.teams) <= u.team {
			s.teams = append(s.teams, starTeam{})
		}
		s.members[u.member].team = u.team
	}
}

// strength returns what a player adds to the value of his team.
func (s *starSearch) strength(player *Player) float64 {
	strength := 0.0
	for i := range s.rules.Distances {
		d := &s.rules.Distances[i]
		if v := player.value(d.Column); d.Balanced && v.Kind == IsNumber {
			if d.Scale > 0 {
				v.Number /= d.Scale
			}
			strength += v.Number
		}
	}
	return strength
}

// unitsApart tells whether one of two units blocks the other.
func (s *starSearch) unitsApart(i, k int) bool {
	x, y := &s.rows[s.members[s.balancer.units[i].member].row], &s.rows[s.members[s.balancer.units[k].member].row]
	return common(x.blocked, y.people) || common(y.blocked, x.people)
}

// unitBarred tells whether a unit blocks one of a session's players in a team.
func (s *starSearch) unitBarred(i, team int) bool {
	row := s.members[s.balancer.units[i].member].row
	return team < len(s.teams) && common(s.rows[row].blocked, s.teams[team].fixed)
}
