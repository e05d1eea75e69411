package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// judge implements method.judge.
func (g *groups) judge(f *finished) {
	rows, group := g.pool.rows, f.group
	old, young := group[0], group[0]
	for _, row := range group {
		old, _ = rows.ByWait(old, row)
		_, young = rows.ByWait(young, row)
	}
	for at, c := range g.rules.All {
		l, enforced := g.rules.InForce(rows, at, old, young)
		switch c := c.(type) {
		case *criterion.Region:
			f.broken[at] = enforced && !c.Suits(l, group, f.Region)
		case criterion.Grouped:
			holds := true
			for depth := range group {
				holds = c.Push(l, group[:depth+1])
			}
			f.broken[at] = enforced && !(holds && c.Final(l, len(group)))
		case criterion.Ranking:
			f.broken[at] = g.anyApart(at, c, group)
		case criterion.Teamed:
			f.broken[at] = enforced && f.Teams != nil && !g.teamsSatisfy(c, l, f)
		}
	}
}

// anyApart reports whether a rule about pairs keeps any two rows of a group apart.
func (g *groups) anyApart(at int, c criterion.Ranking, group []Row) bool {
	rows := g.pool.rows
	for i, a := range group {
		for _, b := range group[:i] {
			old, young := rows.ByWait(a, b)
			if l, enforced := g.rules.InForce(rows, at, old, young); enforced {
				if !c.Meet(l, a, b) {
					return true
				}
			}
		}
	}
	return false
}

// teamsSatisfy reports whether the teams of a match satisfy a rule about teams.
func (g *groups) teamsSatisfy(c criterion.Teamed, l *store.Limit, f *finished) bool {
	d := criterion.Division{Session: f.session, MaxSpread: split.MaxPlayers}
	c.Ask(&d, l, true)
	teams := teamsOf(f)
	return slices.Max(f.sizes)-slices.Min(f.sizes) <= d.MaxSpread &&
		(!d.LargeInAll || g.largeInAll(f)) &&
		!slices.ContainsFunc(d.Gaps, func(gap criterion.Gap) bool { return averagesApart(gap.Rule, f.sizes, teams) > gap.Limit }) &&
		!slices.ContainsFunc(d.Checks, func(keeps func([]criterion.Team) bool) bool { return !keeps(teams) })
}

// teamsOf returns, for each team, its tickets and the players of the open session, if there is one.
func teamsOf(f *finished) []criterion.Team {
	teams := make([]criterion.Team, len(f.Teams))
	for i, side := range f.Teams {
		teams[i].Rows = side.Tickets
	}
	for _, m := range f.seated {
		if m.Team >= 0 && m.Team < len(teams) {
			teams[m.Team].Members = append(teams[m.Team].Members, m.Player)
		}
	}
	return teams
}

// largeInAll reports whether a match satisfies LargeParties: no team has a large party, or all
// teams have one.
func (g *groups) largeInAll(f *finished) bool {
	largest, with := 0, 0
	for _, team := range g.pool.rules.Teams {
		largest = max(largest, team.Max)
	}
	for _, side := range f.Teams {
		if slices.ContainsFunc(side.Tickets, func(row Row) bool { return 2*int(g.pool.rows.Players[row]) >= largest }) {
			with++
		}
	}
	return with == 0 || with == len(f.Teams)
}

// averagesApart returns the difference between the highest and the lowest team average. Teams
// without players are ignored.
func averagesApart(rule *criterion.TeamGap, sizes []int, teams []criterion.Team) float64 {
	var averages []float64
	for i, team := range teams {
		sum := rule.SumOf(team.Members)
		for _, row := range team.Rows {
			sum += rule.Sum(row)
		}
		if sizes[i] > 0 {
			averages = append(averages, sum/float64(sizes[i]))
		}
	}
	return slices.Max(averages) - slices.Min(averages)
}

// judge implements method.judge.
func (v *seats) judge(f *finished) {
	var team []int
	sides := f.Teams
	if sides == nil && len(v.pool.rules.Seats.Teams) == 1 {
		sides = []matcher.Side{{Tickets: f.Tickets}}
	}
	var group []Row
	for at, side := range sides {
		for _, row := range side.Tickets {
			group, team = append(group, row), append(team, at)
		}
	}
	if sides == nil {
		group = f.Tickets
	}
	v.search.Seated = v.seated[f.seed]
	v.search.Judge(f.broken, group, team, f.Region)
}
