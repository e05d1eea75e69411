package accelpage

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
)

// Fill assigns candidates to the teams of a new match, lowest cost first. It skips parties that
// do not fit:
//
//  1. It fills the required teams (MinTeams) up to MinPlayers. If party sizes leave one of them
//     too small, pack searches for a combination that fits. If there is none, Fill returns false.
//  2. It fills these teams up to MaxPlayers.
//  3. It adds teams, up to MaxTeams, and drops any that stays below MinPlayers.
//  4. If seats are free although parties were skipped, repack looks for a better assignment.
func (s *Search) Fill(sizes *matcher.TeamSizes) bool {
	if around.Single(sizes) {
		return true
	}
	s.Rank()
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
			for len(s.Members) > before {
				s.leave()
			}
			s.Teams = s.Teams[:team]
			break
		}
	}
	if sizes.MinPlayers < sizes.MaxPlayers || sizes.MinTeams < sizes.MaxTeams {
		s.repack(sizes)
	}
	return true
}

// start fills MinTeams teams up to MinPlayers, and returns false if one of them cannot be filled.
// The limit is higher if the seed and all its candidates are larger than MinPlayers. It is then the
// size of the smallest of them.
func (s *Search) start(sizes *matcher.TeamSizes) bool {
	limit := sizes.MinPlayers
	if smallest := s.Members[0].Players; smallest > limit {
		for k := 0; s.Have(k); k++ {
			if c := &s.List[k]; s.admits(c.Row) {
				smallest = min(smallest, int(c.Players))
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

// stack adds candidates to a team, lowest cost first, until the team has the number of players in
// the parameter until. It skips candidates that would make the team larger than limit.
func (s *Search) stack(team, until, limit int) {
	players := 0
	for i := range s.Teams {
		players += s.Teams[i].Players
	}
	for k := 0; s.Teams[team].Players < until && players < matcher.MaxGroupPlayers && s.Have(k); k++ {
		c := &s.List[k]
		size := int(c.Players)
		if c.Used || s.Teams[team].Players+size > limit || players+size > matcher.MaxGroupPlayers {
			continue
		}
		if s.admits(c.Row) && s.mayTeam(team, c.Row) {
			s.join(k, team)
			players += size
		}
	}
}

// pack looks for an assignment in which all teams have the minimum. It searches depth first,
// trying candidates with the lowest cost first. Each candidate that it tries counts as a step
// toward the ruleset's budget. All searches for one seed, in any region, share this budget.
func (s *Search) pack(sizes *matcher.TeamSizes) bool {
	s.restart()
	for k := len(s.List); s.Have(k); k++ {
	}
	s.plain = !s.related()
	for i := range s.rules.Set.Options {
		s.plain = s.plain && s.rules.Set.Options[i].Kind == matcher.SameSet
	}
	for len(s.Teams) < sizes.MinTeams {
		s.Teams = append(s.Teams, Team{})
	}
	return s.raise(0, sizes)
}

// related reports whether it matters which tickets are matched and not only how large they are.
// That is so if a ticket blocks a player or if a player is in two tickets.
func (s *Search) related() bool {
	blocks := s.rules.Set.Blocking != matcher.IgnoreBlocks
	seed := &s.rules.Traits[s.Seed]
	if blocks && len(seed.Blocked) > 0 {
		return true
	}
	people := slices.Clone(seed.People)
	for k := range s.List {
		t := &s.rules.Traits[s.List[k].Row]
		if blocks && len(t.Blocked) > 0 {
			return true
		}
		people = append(people, t.People...)
	}
	slices.Sort(people)
	all := len(people)
	return len(slices.Compact(people)) < all
}

// raise searches depth first for candidates that bring every team to the minimum. It starts with
// the candidate at index from. If only sizes matter, it tries one candidate of each size, because
// others of that size would fail in the same way.
func (s *Search) raise(from int, sizes *matcher.TeamSizes) bool {
	missing, left := 0, 0
	for i := range s.Teams {
		missing += max(0, sizes.MinPlayers-s.Teams[i].Players)
	}
	if missing == 0 {
		return true
	}
	for k := from; k < len(s.List); k++ {
		left += int(s.List[k].Players)
	}
	tried := [matcher.MaxGroupPlayers + 1]bool{}
	for k := from; k < len(s.List) && left >= missing; k++ {
		row, size := s.List[k].Row, int(s.List[k].Players)
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
			if s.raise(k+1, sizes) {
				return true
			}
			s.leave()
		}
	}
	return false
}

// worthPlacing reports whether a team needs players and has room for a ticket of the given size.
// It returns false if an earlier team is equivalent, because that one was already tried.
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

// Join assigns candidates to the teams of an open session, lowest cost first. A candidate joins
// the team with the fewest players that has room. If no team has room, Join adds a team. It
// returns false if no candidate joins.
func (s *Search) Join(session *matcher.Session, sizes *matcher.TeamSizes) bool {
	s.Rank()
	s.Teams = s.rules.Seated(session)
	players := len(session.Members)
	for k := 0; players < session.Capacity && s.Have(k); k++ {
		row, size := s.List[k].Row, int(s.List[k].Players)
		if players+size > session.Capacity || !s.admits(row) {
			continue
		}
		team := s.emptiest(row, size, sizes)
		if team < 0 {
			if len(s.Teams) >= sizes.MaxTeams || size > sizes.MaxPlayers {
				continue
			}
			team = len(s.Teams)
			s.Teams = append(s.Teams, Team{Number: team})
		}
		s.join(k, team)
		players += size
	}
	return len(s.Members) > 1
}

// emptiest returns the team with the fewest players among the teams that have room for a ticket.
// It returns -1 if no team has room.
func (s *Search) emptiest(row Row, size int, sizes *matcher.TeamSizes) int {
	best, least := -1, math.MaxInt
	for team := range s.Teams {
		if n := s.Teams[team].Players; n < least && n+size <= sizes.MaxPlayers && s.mayTeam(team, row) {
			best, least = team, n
		}
	}
	return best
}
