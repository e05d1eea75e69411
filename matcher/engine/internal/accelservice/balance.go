package accelservice

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/split"
)

// someTries is the number of assignments that the solver tries if there are more than
// split.ExactUnits tickets.
const someTries = 1000

// balance makes the teams as even as possible, first in size and then in average worth. settled
// contains the players that a session already has in each team.
func (s *Search) balance(sizes *matcher.TeamSizes, settled []Team) {
	for i := range s.Teams {
		s.Teams[i].Worth = 0
		if i < len(settled) {
			s.Teams[i].Worth = settled[i].Worth
		}
	}
	for _, m := range s.Members {
		s.Teams[m.Team].Worth += s.rules.Traits[m.Row].Worth
	}
	s.describe(sizes, settled)
	if found, _ := s.solver.Split(&s.inTurn); !found {
		return
	}
	teams := len(s.divided)
	for k := range s.Members {
		unit, team := s.solver.Assigned(k)
		m := &s.Members[s.units[unit]]
		s.divided[team].Players += m.Players
		s.divided[team].Worth += s.rules.Traits[m.Row].Worth
	}
	for teams > 0 && s.divided[teams-1].Players == 0 {
		teams--
	}
	size, average := gaps(s.divided[:teams], sizes.MaxTeams-teams)
	greedySize, greedyAverage := gaps(s.Teams, (sizes.MaxTeams-len(s.Teams)+1)/2)
	if size > greedySize || size == greedySize && average > greedyAverage {
		return
	}
	for len(s.Teams) < teams {
		s.Teams = append(s.Teams, Team{})
	}
	s.Teams = s.Teams[:teams]
	for i := range s.Teams {
		s.Teams[i].Players = s.divided[i].Players
	}
	for k := range s.Members {
		unit, team := s.solver.Assigned(k)
		s.Members[s.units[unit]].Team = team
	}
}

// describe passes the teams and the group to the solver. It adds the tickets team by team,
// because the solver considers tickets of equal worth in that order. The solver sees at most one
// more team than there are tickets, since others would remain empty.
func (s *Search) describe(sizes *matcher.TeamSizes, settled []Team) {
	s.divided = append(s.divided[:0], settled...)
	for len(s.divided) < min(sizes.MaxTeams, len(settled)+len(s.Members)+1) {
		s.divided = append(s.divided, Team{})
	}
	s.solver.Reset(1)
	for i := range s.divided {
		t := &s.divided[i]
		s.solver.AddTeam(sizes.MinPlayers, max(sizes.MaxPlayers, t.Players))
		if t.Players > 0 {
			s.solver.Seat(i, t.Players, t.Worth)
		}
	}
	s.units = s.units[:0]
	for team := range s.Teams {
		for i, m := range s.Members {
			if m.Team == team {
				s.units = append(s.units, i)
				s.solver.AddUnit(m.Players, false, s.rules.Traits[m.Row].Worth)
			}
		}
	}
	s.inTurn = split.InTurn{Tries: someTries}
	s.inTurn.MinTeams, s.inTurn.MoreTeams = sizes.MinTeams, sizes.MaxTeams > len(s.divided)
	if s.rules.Set.Blocking == matcher.OtherTeams && s.rules.blockers > 0 {
		row := func(unit int) Row { return s.Members[s.units[unit]].Row }
		s.inTurn.Apart = func(a, b int) bool { return s.rules.Block(row(a), row(b)) }
		s.inTurn.Barred = func(unit, team int) bool {
			return matcher.SetsMeet(s.rules.Traits[row(unit)].Blocked, s.divided[team].People)
		}
	}
}

// gaps returns the difference between the largest and the smallest team, and between the highest
// and the lowest average worth. empty is the number of additional teams without players.
func gaps(teams []Team, empty int) (size int, average float64) {
	least, most, lowest, highest := math.MaxInt, 0, math.Inf(1), math.Inf(-1)
	for i := range len(teams) + min(empty, 1) {
		players, mean := 0, 0.0
		if i < len(teams) && teams[i].Players > 0 {
			players, mean = teams[i].Players, teams[i].Worth/float64(teams[i].Players)
		}
		least, most, lowest, highest = min(least, players), max(most, players), min(lowest, mean), max(highest, mean)
	}
	return most - least, highest - lowest
}
