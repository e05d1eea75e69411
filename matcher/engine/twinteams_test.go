package engine

import (
	"fmt"
	"math"
	"mmsim/matcher"
	"slices"
)

// This file has the twin's rules about teams. A new rule about teams needs a case in teamsFit.

// teamUnit is a unit that joins one team as a whole: a ticket or a session's member.
type teamUnit struct {
	players []matcher.Player
	ticket  bool
	fixed   int // the piece's team, or NoTeam if it may join any team
}

func teamUnits(group []*twinEntry) []teamUnit {
	var list []teamUnit
	for _, w := range group {
		if w.session == nil {
			list = append(list, teamUnit{w.players, true, matcher.NoTeam})
			continue
		}
		for _, m := range w.session.Members {
			list = append(list, teamUnit{[]matcher.Player{m.Player}, false, m.Team})
		}
	}
	return list
}

// anyTeams reports whether a group can be divided into teams. It tries all numbers of teams and all
// assignments.
func (t *twin) anyTeams(group []*twinEntry) bool {
	if len(t.rules.Teams) == 0 {
		return true
	}
	list := teamUnits(group)
	teams := make([]int, len(list))
	count := len(t.rules.Teams)
	if t.rules.MinTeams > 0 {
		count = t.rules.MinTeams
	}
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(list) {
			return t.teamsFit(group, list, teams, count)
		}
		for team := range count {
			if list[i].fixed != matcher.NoTeam && list[i].fixed != team {
				continue
			}
			if teams[i] = team; try(i + 1) {
				return true
			}
		}
		return false
	}
	for ; count <= len(t.rules.Teams); count++ {
		if try(0) {
			return true
		}
	}
	return false
}

// teamsFit reports whether an assignment to the first count teams satisfies the team sizes and every
// enforced rule about teams.
func (t *twin) teamsFit(group []*twinEntry, list []teamUnit, teams []int, count int) bool {
	size := make([]int, count)
	largest := 0
	for i := range list {
		size[teams[i]] += len(list[i].players)
	}
	for i, team := range t.rules.Teams {
		if i < count && (size[i] < team.Min || size[i] > team.Max) {
			return false
		}
		largest = max(largest, team.Max)
	}
	for _, rule := range t.rules.Rules {
		v, enforced := t.held(rule, group)
		if !enforced {
			continue
		}
		switch r := rule.(type) {
		case *matcher.TeamBalance:
			if float64(slices.Max(size)-slices.Min(size)) > v[0]+1e-9 {
				return false
			}
		case *matcher.TeamGap:
			lowest, highest := math.Inf(1), math.Inf(-1)
			for team := range size {
				sum := 0.0
				for i := range list {
					if teams[i] == team {
						sum += total(numbersIn(r.Column, false, r.Default, &twinEntry{players: list[i].players}))
					}
				}
				if size[team] > 0 {
					lowest, highest = min(lowest, sum/float64(size[team])), max(highest, sum/float64(size[team]))
				}
			}
			if highest-lowest > v[0]+1e-9 {
				return false
			}
		case *matcher.LargeParties:
			large := make([]bool, len(size))
			for i := range list {
				large[teams[i]] = large[teams[i]] || list[i].ticket && 2*len(list[i].players) >= largest
			}
			if group[0].session == nil && slices.Contains(large, true) && slices.Contains(large, false) {
				return false
			}
		default:
			if matcher.IsTeamRule(rule) {
				panic(fmt.Sprintf("the twin does not know %T", rule))
			}
		}
	}
	return true
}
