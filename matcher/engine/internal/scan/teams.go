package scan

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/internal/textset"
)

// Member is a ticket of the group.
type Member struct {
	Row     Row
	Team    int
	players int
	at      int // index in the candidates; -1: the seed
}

// Team is a team that is being filled.
type Team struct {
	Number  int // number of a session's team, as in matcher.Member.Team
	Players int
	worth   float64
	people  []matcher.Text // ids of a session's players in the team
}

// Fill fills teams around a seed and reports whether they make a match. First it fills every
// team up to a goal, one after another, until one fails; then each up to its maximum, and
// further ones. A party that does not fit is skipped, and there is no backtracking.
func (s *Search) Fill(sizes *matcher.TeamSizes) bool {
	if !s.enough(sizes.MinTeams*sizes.MinPlayers - int(s.rules.rows.Players[s.seed])) {
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
	if !s.seated || s.players < sizes.MinTeams*sizes.MinPlayers || !s.optionsHold() {
		return false // no match, whatever the teams are
	}
	if i := slices.IndexFunc(s.Members, func(m Member) bool { return m.at < 0 }); i > 0 { // move the seed to the front
		s.Members[0], s.Members[i] = s.Members[i], s.Members[0]
	}
	if s.rules.Set.Balance {
		s.balance(sizes, nil)
	}
	return s.valid(sizes)
}

// Alone makes the seed a group of its own.
func (s *Search) Alone(seed Row) {
	players := int(s.rules.rows.Players[seed])
	s.Members, s.Teams = append(s.Members[:0], Member{seed, 0, players, -1}), append(s.Teams[:0], Team{Players: players})
}

// firstGoal returns the number of players up to which each team is filled first.
func (s *Search) firstGoal(sizes *matcher.TeamSizes) int {
	smallest := int(s.rules.rows.Players[s.seed])
	if !s.rules.Set.Scan.SmallestFirst {
		return sizes.MinPlayers
	}
	for k := 0; smallest > sizes.MinPlayers && s.have(k); k++ {
		smallest = min(smallest, int(s.list[k].players))
	}
	return max(sizes.MinPlayers, min(sizes.MaxPlayers, smallest))
}

// fill adds the seed, unless it is seated, and unused candidates in rank to a team of at most
// most players. It returns false if nothing changed or the team remains too small.
func (s *Search) fill(team, most int, sizes *matcher.TeamSizes) bool {
	t, from := &s.Teams[team], len(s.Members)
	before := t.Players
	if !s.seated {
		s.seated = s.join(team, s.seed, -1, most)
	}
	for k := 0; t.Players < most && s.have(k); k++ {
		if c := &s.list[k]; !c.used {
			c.used = s.join(team, c.row, k, most)
		}
	}
	if t.Players >= sizes.MinPlayers && t.Players > before || t.Players == most {
		return true
	}
	for _, m := range s.Members[from:] {
		if s.players -= m.players; m.at < 0 {
			s.seated = false
		} else {
			s.list[m.at].used = false
		}
	}
	s.Members, t.Players = s.Members[:from], before
	return false
}

// join adds a ticket to a team, unless it does not fit.
func (s *Search) join(team int, row Row, at, most int) bool {
	t, players := &s.Teams[team], int(s.rules.rows.Players[row])
	if t.Players+players > most || s.players+players > matcher.MaxGroupPlayers || !s.mayTeam(team, row) {
		return false
	}
	s.Members = append(s.Members, Member{row, team, players, at})
	t.Players += players
	s.players += players
	return true
}

// mayTeam reports whether a ticket neither blocks a player of a team nor is blocked by one.
func (s *Search) mayTeam(team int, row Row) bool {
	r := s.rules
	if r.Set.Blocking != matcher.OtherTeams || r.blockers == 0 {
		return true
	}
	if textset.Meet(r.traits[row].blocked, s.Teams[team].people) {
		return false
	}
	for _, m := range s.Members {
		if m.Team == team && r.Block(m.Row, row) {
			return false
		}
	}
	return true
}

// valid reports whether the teams make a match.
func (s *Search) valid(sizes *matcher.TeamSizes) bool {
	for i := range s.Teams {
		if n := s.Teams[i].Players; n < sizes.MinPlayers || n > sizes.MaxPlayers {
			return false
		}
	}
	return len(s.Teams) >= sizes.MinTeams && len(s.Teams) <= sizes.MaxTeams
}

// optionsHold checks, for each option that at least one ticket of the group has, the condition
// on the whole group.
func (s *Search) optionsHold() bool {
	s.rows = s.rows[:0]
	for _, m := range s.Members {
		s.rows = append(s.rows, m.Row)
	}
	for i := range s.rules.Set.Options {
		holds := false // the conditions for candidates are no longer needed
		if s.wanted[i], holds = s.rules.common(s.wanted[i][:0], i, s.rows); !holds {
			return false
		}
	}
	return true
}

// common reports whether a group satisfies the condition of an option on a whole match. It
// returns dst, which it uses as memory.
func (r *Rules) common(dst []matcher.Text, option int, group []Row) ([]matcher.Text, bool) {
	kind := r.Set.Options[option].Kind
	with, values := 0, 0 // tickets that have the option, values of the largest set
	for _, row := range group {
		mine := r.traits[row].options[option]
		if len(mine) == 0 {
			continue
		}
		with, values = with+1, max(values, len(mine))
		switch {
		case with == 1:
			dst = append(dst, mine...)
		case kind != matcher.NoRepeat:
			dst = textset.Intersect(dst[:0], dst, mine)
		case anyIn(mine, dst):
			return dst, false
		default:
			dst = append(dst, mine...)
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
