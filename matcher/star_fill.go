package matcher

import (
	"math"
	"slices"
)

// fill puts candidates into the teams of a new match: first every team up to its
// minimum, in the order of the candidates, then each up to its maximum, then
// further teams. A party that does not fit is passed over for those behind it; a
// further team that stays below the minimum is given up. When that leaves a team
// too small, the smallest teams are packed by a search; what makes the difference
// is parties. False when there is no match.
func (s *starSearch) fill(sizes *TeamSizes) bool {
	if sizes.single() {
		return true
	}
	if s.members[0].size > sizes.MaxPlayers {
		return false
	}
	if !s.start(sizes) && !s.pack(sizes) {
		return false
	}
	for team := range s.teams {
		s.stack(team, sizes.MaxPlayers, sizes.MaxPlayers)
	}
	for len(s.teams) < sizes.MaxTeams {
		team, before := len(s.teams), len(s.members)
		s.teams = append(s.teams, starTeam{})
		if s.stack(team, sizes.MaxPlayers, sizes.MaxPlayers); s.teams[team].size < sizes.MinPlayers {
			s.members, s.teams = s.members[:before], s.teams[:team]
			break
		}
	}
	return true
}

// start fills the smallest number of teams up to their minimum; false when one
// stays below it. If nobody who may meet the seed is that small, the smallest
// tickets set the limit.
func (s *starSearch) start(sizes *TeamSizes) bool {
	limit := sizes.MinPlayers
	if smallest := s.members[0].size; smallest > limit {
		for k := 0; s.have(k); k++ {
			if s.admits(s.list[k]) {
				smallest = min(smallest, int(s.pool.size[s.list[k]]))
			}
		}
		limit = max(limit, smallest)
	}
	for team := range sizes.MinTeams {
		if team > 0 {
			s.teams = append(s.teams, starTeam{})
		}
		if s.stack(team, sizes.MinPlayers, limit); s.teams[team].size < sizes.MinPlayers {
			return false
		}
	}
	return true
}

// stack adds candidates to a team, in rank, until it has so many players, and
// never more than a limit.
func (s *starSearch) stack(team, until, limit int) {
	players := 0
	for _, t := range s.teams {
		players += t.size
	}
	for k := 0; s.teams[team].size < until && players < MaxGroupPlayers && s.have(k); k++ {
		size := int(s.pool.size[s.list[k]])
		if s.used[k] || s.teams[team].size+size > limit || players+size > MaxGroupPlayers {
			continue
		}
		if s.admits(s.list[k]) && s.mayTeam(team, s.list[k]) {
			s.join(k, team)
			players += size
		}
	}
}

// pack looks for teams that all reach the minimum, depth first through the
// candidates in rank. A step of the ruleset's budget is a candidate looked at; it
// bounds the search of one seed in all of its regions.
func (s *starSearch) pack(sizes *TeamSizes) bool {
	s.restart(s.members[0].row)
	for k := 0; s.have(k); k++ {
	}
	s.plain = !s.related()
	for i := range s.rules.Options {
		s.plain = s.plain && s.rules.Options[i].Kind == SameSet
	}
	for len(s.teams) < sizes.MinTeams {
		s.teams = append(s.teams, starTeam{})
	}
	return s.place(0, sizes)
}

// related tells whether it matters among the candidates who is who: somebody
// blocks others, or waits twice.
func (s *starSearch) related() bool {
	people := slices.Clone(s.rows[s.members[0].row].people)
	for _, row := range s.list {
		if s.rules.Blocking != IgnoreBlocks && len(s.rows[row].blocked) > 0 {
			return true
		}
		people = append(people, s.rows[row].people...)
	}
	slices.Sort(people)
	distinct := len(slices.Compact(slices.Clone(people)))
	return distinct < len(people) || s.rules.Blocking != IgnoreBlocks && len(s.rows[s.members[0].row].blocked) > 0
}

// place tries the candidates from one on for the teams below the minimum. Where
// only sizes count, one of each size is tried: the others would fail alike.
func (s *starSearch) place(from int, sizes *TeamSizes) bool {
	missing, left := 0, 0
	for i := range s.teams {
		missing += max(0, sizes.MinPlayers-s.teams[i].size)
	}
	if missing == 0 {
		return true
	}
	for k := from; k < len(s.list); k++ {
		left += int(s.pool.size[s.list[k]])
	}
	tried := [MaxGroupPlayers + 1]bool{}
	for k := from; k < len(s.list) && left >= missing; k++ {
		size := int(s.pool.size[s.list[k]])
		left -= size
		if s.plain && tried[size] {
			continue
		}
		if s.steps++; s.steps > s.pool.budget {
			s.hit = true
			return false
		}
		if !s.admits(s.list[k]) {
			continue
		}
		tried[size] = true
		for team := range s.teams {
			if !s.worthPlacing(team, size, sizes) || !s.mayTeam(team, s.list[k]) {
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

// worthPlacing tells whether a team needs players, has room, and is not the like
// of one before it.
func (s *starSearch) worthPlacing(team, size int, sizes *TeamSizes) bool {
	t := &s.teams[team]
	if t.size >= sizes.MinPlayers || t.size+size > sizes.MaxPlayers {
		return false
	}
	for before := range team {
		if s.teams[before].size == t.size && (s.plain || t.size == 0) {
			return false
		}
	}
	return true
}

// admitAll puts candidates, in rank, into the teams of an open session: each into
// the one with the fewest players that has room, else into a further one. False
// when nobody joins.
func (s *starSearch) admitAll(session *Session, sizes *TeamSizes) bool {
	players := len(session.Members)
	for k := 0; players < session.Capacity && s.have(k); k++ {
		row := s.list[k]
		size := int(s.pool.size[row])
		if players+size > session.Capacity || !s.admits(row) {
			continue
		}
		team := s.emptiest(row, size, sizes)
		if team < 0 {
			if len(s.teams) >= sizes.MaxTeams || size > sizes.MaxPlayers {
				if s.full(sizes) {
					break
				}
				continue
			}
			team = len(s.teams)
			s.teams = append(s.teams, starTeam{})
		}
		s.join(k, team)
		players += size
	}
	return len(s.members) > 1
}

// emptiest returns the smallest team that has room for a ticket, -1 without one.
func (s *starSearch) emptiest(row Row, size int, sizes *TeamSizes) int {
	best, least := -1, math.MaxInt
	for team := range s.teams {
		if n := s.teams[team].size; n < least && n+size <= sizes.MaxPlayers && s.mayTeam(team, row) {
			best, least = team, n
		}
	}
	return best
}

// full tells whether no team has room for anybody.
func (s *starSearch) full(sizes *TeamSizes) bool {
	for i := range s.teams {
		if s.teams[i].size < sizes.MaxPlayers {
			return false
		}
	}
	return len(s.teams) >= sizes.MaxTeams
}
