package accelservice

import (
	"slices"

	"mmsim/matcher"
)

// Fill fills teams around a seed and reports whether they make a match. It first fills one team
// after another up to firstGoal, until one cannot be filled. It then fills each team up to the
// maximum size, and adds teams if candidates remain. It skips parties that do not fit and never
// backtracks. The seed is such a party if it is larger than firstGoal and the candidates take the
// seats that are left for it: the match is then made without the seed, as the service does.
func (s *Search) Fill(sizes *matcher.TeamSizes) bool {
	if !s.Enough(sizes.MinTeams*sizes.MinPlayers - int(s.rules.Rows.Players[s.Seed])) {
		return false
	}
	s.Members, s.Teams, s.players, s.seated = s.Members[:0], s.Teams[:0], 0, false
	goal := s.firstGoal(sizes)
	for len(s.Teams) < sizes.MinTeams {
		s.Teams = append(s.Teams, Team{})
		if !s.fill(len(s.Teams)-1, goal, sizes) {
			s.Teams = s.Teams[:len(s.Teams)-1]
			break
		}
	}
	for team := 0; team < sizes.MaxTeams; team++ {
		if team == len(s.Teams) {
			s.Teams = append(s.Teams, Team{})
		}
		if s.fill(team, sizes.MaxPlayers, sizes); s.Teams[team].Players == 0 {
			s.Teams = s.Teams[:team]
			break
		}
	}
	if s.players < sizes.MinTeams*sizes.MinPlayers || !s.optionsHold() {
		return false // balancing cannot change this
	}
	if i := slices.IndexFunc(s.Members, func(m Member) bool { return m.At < 0 }); i > 0 { // move the seed to the front
		s.Members[0], s.Members[i] = s.Members[i], s.Members[0]
	}
	if s.rules.Set.Balance {
		s.balance(sizes, nil)
	}
	return s.valid(sizes)
}

// SeedOnly makes the seed a group by itself.
func (s *Search) SeedOnly(seed Row) {
	players := int(s.rules.Rows.Players[seed])
	s.Members, s.Teams = append(s.Members[:0], Member{Row: seed, Players: players, At: -1}), append(s.Teams[:0], Team{Players: players})
}

// firstGoal returns the number of players up to which Fill fills each team in its first step.
func (s *Search) firstGoal(sizes *matcher.TeamSizes) int {
	smallest := int(s.rules.Rows.Players[s.Seed])
	if !s.rules.Set.InTurn.SmallestFirst {
		return sizes.MinPlayers
	}
	for k := 0; smallest > sizes.MinPlayers && s.Have(k); k++ {
		smallest = min(smallest, int(s.List[k].Players))
	}
	return max(sizes.MinPlayers, min(sizes.MaxPlayers, smallest))
}

// fill adds candidates to a team, lowest cost first. The parameter most limits the team's size.
// fill starts with the seed if that has no team yet. If the team does not grow or remains below
// the minimum size, fill undoes its changes and returns false. It always returns true if the team
// reaches the limit.
func (s *Search) fill(team, most int, sizes *matcher.TeamSizes) bool {
	t, from := &s.Teams[team], len(s.Members)
	before := t.Players
	if !s.seated {
		s.seated = s.join(team, s.Seed, -1, most)
	}
	for k := 0; t.Players < most && s.Have(k); k++ {
		if c := &s.List[k]; !c.Used {
			c.Used = s.join(team, c.Row, k, most)
		}
	}
	if t.Players >= sizes.MinPlayers && t.Players > before || t.Players == most {
		return true
	}
	for _, m := range s.Members[from:] {
		if s.players -= m.Players; m.At < 0 {
			s.seated = false
		} else {
			s.List[m.At].Used = false
		}
	}
	s.Members, t.Players = s.Members[:from], before
	return false
}

// join adds a ticket to a team and reports whether it fits.
func (s *Search) join(team int, row Row, at, most int) bool {
	t, players := &s.Teams[team], int(s.rules.Rows.Players[row])
	if t.Players+players > most || s.players+players > matcher.MaxGroupPlayers || !s.mayTeam(team, row) {
		return false
	}
	s.Members = append(s.Members, Member{Row: row, Team: team, Players: players, At: at})
	t.Players += players
	s.players += players
	return true
}

// mayTeam reports whether a ticket may join a team. It may not if blocking separates it from a
// player of that team.
func (s *Search) mayTeam(team int, row Row) bool {
	return s.rules.blockers == 0 || !s.rules.blocksItself(row) && s.rules.MayTeam(row, team, &s.Teams[team], s.Members)
}

// blocksItself reports whether no team takes a ticket because the ticket blocks one of its own
// players. Under OtherTeams, the service compares all players and block lists of a team, including
// those of the ticket that joins.
func (r *Rules) blocksItself(row Row) bool {
	t := &r.Traits[row]
	return r.Set.Blocking == matcher.OtherTeams && matcher.SetsMeet(t.Blocked, t.People)
}

// valid reports whether the number and the sizes of the teams are allowed.
func (s *Search) valid(sizes *matcher.TeamSizes) bool {
	for i := range s.Teams {
		if n := s.Teams[i].Players; n < sizes.MinPlayers || n > sizes.MaxPlayers {
			return false
		}
	}
	return len(s.Teams) >= sizes.MinTeams && len(s.Teams) <= sizes.MaxTeams
}

// optionsHold reports whether the whole group satisfies every option. An option does not apply if
// no ticket of the group has values for it.
func (s *Search) optionsHold() bool {
	s.rows = s.rows[:0]
	for _, m := range s.Members {
		s.rows = append(s.rows, m.Row)
	}
	for i := range s.rules.Set.Options {
		holds := false // overwrites s.wanted, which is no longer needed
		if s.wanted[i], holds = s.rules.common(s.wanted[i][:0], i, s.rows); !holds {
			return false
		}
	}
	return true
}

// common reports whether a group satisfies an option as a whole. It appends values to dst and
// returns the result only so that the caller can reuse the memory.
func (r *Rules) common(dst []matcher.Text, option int, group []Row) ([]matcher.Text, bool) {
	kind := r.Set.Options[option].Kind
	with, values := 0, 0 // number of tickets that have values for the option, and the size of the largest set of values
	for _, row := range group {
		texts := r.Traits[row].Options[option]
		if len(texts) == 0 {
			continue
		}
		with, values = with+1, max(values, len(texts))
		switch {
		case with == 1:
			dst = append(dst, texts...)
		case kind != matcher.NoRepeat:
			dst = matcher.IntersectSets(dst[:0], dst, texts)
		case anyIn(texts, dst):
			return dst, false
		default:
			dst = append(dst, texts...)
		}
	}
	switch {
	case with == 0 || kind == matcher.NoRepeat:
		return dst, true
	case with < len(group):
		return dst, false
	case kind == matcher.SameSet:
		return dst, len(dst) == values
	}
	return dst, len(dst) > 0
}
