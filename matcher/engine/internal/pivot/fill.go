package pivot

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// Fill assigns candidates to the teams of a new match, the best rank first, and skips parties
// that do not fit:
//
//  1. It fills the required teams (MinTeams) up to MinPlayers. If party sizes leave one of them
//     too small, pack searches for a combination that fits. If there is none, Fill returns false.
//  2. It fills these teams up to MaxPlayers.
//  3. It adds teams, up to MaxTeams. One that stays below MinPlayers is dropped.
//  4. If seats are free although parties were left out, repack looks for a better assignment.
func (s *Search) Fill(sizes *matcher.TeamSizes) bool {
	if Single(sizes) {
		return true
	}
	s.rank()
	if !s.start(sizes) && !s.pack(sizes) {
		return false
	}
	for team := range s.Teams {
		s.stack(team, sizes.MaxPlayers, sizes.MaxPlayers)
	}
	for len(s.Teams) < sizes.MaxTeams {
		team, before := len(s.Teams), len(s.Members)
		s.Teams = append(s.Teams, Team{})
		if s.stack(team, sizes.MaxPlayers, sizes.MaxPlayers); s.Teams[team].Players < sizes.MinPlayers {
			s.giveUp(team, before)
			break
		}
	}
	if sizes.MinPlayers < sizes.MaxPlayers || sizes.MinTeams < sizes.MaxTeams {
		s.repack(sizes)
	}
	return true
}

// start fills the smallest allowed number of teams up to their minimum. It returns false if a
// team stays below it. If every ticket that may meet the seed is larger than the minimum, the
// smallest of them sets the limit.
func (s *Search) start(sizes *matcher.TeamSizes) bool {
	limit := sizes.MinPlayers
	if smallest := s.Members[0].players; smallest > limit {
		for k := 0; s.have(k); k++ {
			if c := &s.list[k]; s.admits(c.row) {
				smallest = min(smallest, int(c.players))
			}
		}
		limit = max(limit, smallest)
	}
	for team := range sizes.MinTeams {
		if team > 0 {
			s.Teams = append(s.Teams, Team{})
		}
		if s.stack(team, sizes.MinPlayers, limit); s.Teams[team].Players < sizes.MinPlayers {
			return false
		}
	}
	return true
}

// stack adds candidates to a team, in order of rank, until it has the given number of players. The team
// never gets more than limit.
func (s *Search) stack(team, until, limit int) {
	players := 0
	for i := range s.Teams {
		players += s.Teams[i].Players
	}
	for k := 0; s.Teams[team].Players < until && players < matcher.MaxGroupPlayers && s.have(k); k++ {
		c := &s.list[k]
		size := int(c.players)
		if c.used || s.Teams[team].Players+size > limit || players+size > matcher.MaxGroupPlayers {
			continue
		}
		if s.admits(c.row) && s.mayTeam(team, c.row) {
			s.join(k, team)
			players += size
		}
	}
}

// pack looks for teams that all reach the minimum, depth first through the candidates in order of rank.
// Each tried candidate is a step of the ruleset's budget, which bounds the search of one seed
// over all its regions.
func (s *Search) pack(sizes *matcher.TeamSizes) bool {
	s.restart()
	for k := len(s.list); s.have(k); k++ {
	}
	s.plain = !s.related()
	for i := range s.rules.Set.Options {
		s.plain = s.plain && s.rules.Set.Options[i].Kind == matcher.SameSet
	}
	for len(s.Teams) < sizes.MinTeams {
		s.Teams = append(s.Teams, Team{})
	}
	return s.place(0, sizes)
}

// related reports whether the identity of candidates matters: a ticket blocks a player, or a
// player is in two tickets.
func (s *Search) related() bool {
	blocks := s.rules.Set.Blocking != matcher.IgnoreBlocks
	seed := &s.rules.traits[s.seed]
	if blocks && len(seed.blocked) > 0 {
		return true
	}
	people := slices.Clone(seed.people)
	for k := range s.list {
		t := &s.rules.traits[s.list[k].row]
		if blocks && len(t.blocked) > 0 {
			return true
		}
		people = append(people, t.people...)
	}
	slices.Sort(people)
	all := len(people)
	return len(slices.Compact(people)) < all
}

// place tries the candidates from an index on for the teams below the minimum. If only sizes
// matter, it tries one candidate of each size, because the others would fail in the same way.
func (s *Search) place(from int, sizes *matcher.TeamSizes) bool {
	missing, left := 0, 0
	for i := range s.Teams {
		missing += max(0, sizes.MinPlayers-s.Teams[i].Players)
	}
	if missing == 0 {
		return true
	}
	for k := from; k < len(s.list); k++ {
		left += int(s.list[k].players)
	}
	tried := [matcher.MaxGroupPlayers + 1]bool{}
	for k := from; k < len(s.list) && left >= missing; k++ {
		row, size := s.list[k].row, int(s.list[k].players)
		left -= size
		if s.plain && tried[size] {
			continue
		}
		if s.steps++; s.steps > s.budget {
			s.Hit = true
			return false
		}
		if !s.admits(row) {
			continue
		}
		tried[size] = true
		for team := range s.Teams {
			if !s.worthPlacing(team, size, sizes) || !s.mayTeam(team, row) {
				continue
			}
			s.join(k, team)
			if s.place(k+1, sizes) {
				return true
			}
			s.leave(k)
		}
	}
	return false
}

// worthPlacing reports whether a team needs players, has room, and is not equivalent to an
// earlier team.
func (s *Search) worthPlacing(team, size int, sizes *matcher.TeamSizes) bool {
	players := s.Teams[team].Players
	if players >= sizes.MinPlayers || players+size > sizes.MaxPlayers {
		return false
	}
	for before := range team {
		if s.Teams[before].Players == players && (s.plain || players == 0) {
			return false
		}
	}
	return true
}

// Join assigns candidates, in order of rank, to the teams of an open session: each to the team with the
// fewest players that has room, otherwise to a further team. It returns false if none joins.
func (s *Search) Join(session *matcher.Session, sizes *matcher.TeamSizes) bool {
	s.rank()
	s.seat(session)
	players := len(session.Members)
	for k := 0; players < session.Capacity && s.have(k); k++ {
		row, size := s.list[k].row, int(s.list[k].players)
		if players+size > session.Capacity || !s.admits(row) {
			continue
		}
		team := s.emptiest(row, size, sizes)
		if team < 0 {
			if len(s.Teams) >= sizes.MaxTeams || size > sizes.MaxPlayers {
				continue
			}
			team = len(s.Teams)
			s.Teams = append(s.Teams, Team{})
		}
		s.join(k, team)
		players += size
	}
	return len(s.Members) > 1
}

// emptiest returns the team with the fewest players that has room for a ticket, -1 if none has.
func (s *Search) emptiest(row Row, size int, sizes *matcher.TeamSizes) int {
	best, least := -1, math.MaxInt
	for team := range s.Teams {
		if n := s.Teams[team].Players; n < least && n+size <= sizes.MaxPlayers && s.mayTeam(team, row) {
			best, least = team, n
		}
	}
	return best
}
