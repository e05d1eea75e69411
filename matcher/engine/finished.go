package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/made"
	"mmsim/matcher/engine/internal/pivot"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// Broken appends the indexes in Ruleset.RuleNames of the rules that a match breaks at an
// instant in ms. The match was made outside the engine, of tickets in the pool. session is the
// session that the tickets join, or nil for a new match. The Teams of the proposal contain only
// its tickets.
//
// The rules apply as they do for the waits of the match's own tickets, whatever else is
// waiting. Steps that a method uses only to find a match, such as its order of candidates, are
// not rules. For a match without teams, rules that depend on the teams are not checked. Broken
// makes no decisions, and no ticket leaves the pool.
func (p *Pool) Broken(dst []int, nowMS int64, session *Row, m *matcher.Proposal) []int {
	p.rows.Advance(nowMS)
	f := made.Match{Tickets: m.Tickets, Teams: m.Teams, Region: m.Region, Broken: make([]bool, len(p.names))}
	if session != nil {
		f.Seed, f.Session = *session, p.details[*session]
	} else {
		f.Seed = slices.MinFunc(m.Tickets, p.rows.Compare)
	}
	p.method.judge(&f)
	for at, broken := range f.Broken {
		if broken {
			dst = append(dst, at)
		}
	}
	return dst
}

// judge implements method.
func (g *groups) judge(f *made.Match) {
	rows, group := g.pool.rows, f.Group()
	old, young := group[0], group[0]
	for _, row := range group {
		old, _ = rows.ByWait(old, row)
		_, young = rows.ByWait(young, row)
	}
	for at, c := range g.rules.All {
		l, enforced := g.rules.Basis.InForce(&rows.Stage[old].Limits[at], &rows.Stage[young].Limits[at])
		switch c := c.(type) {
		case *criterion.Region:
			f.Broken[at] = enforced && !c.Suits(l, group, f.Region)
		case criterion.Grouped:
			holds := true
			for depth := range group {
				holds = c.Push(l, group[:depth+1])
			}
			f.Broken[at] = enforced && !(holds && c.Final(l, len(group)))
		case criterion.Ranking:
			f.Broken[at] = g.anyApart(at, c, group)
		case criterion.Teamed:
			f.Broken[at] = enforced && f.Teams != nil && !g.teamsHold(c, l, f)
		}
	}
}

// anyApart reports whether a rule about pairs keeps two rows of a group apart.
func (g *groups) anyApart(at int, c criterion.Ranking, group []Row) bool {
	rows := g.pool.rows
	for i, a := range group {
		for _, b := range group[:i] {
			old, young := rows.ByWait(a, b)
			if l, enforced := g.rules.Basis.InForce(&rows.Stage[old].Limits[at], &rows.Stage[young].Limits[at]); enforced {
				if !c.Meet(l, a, b) {
					return true
				}
			}
		}
	}
	return false
}

// teamsHold reports whether the teams of a match satisfy a rule about teams.
func (g *groups) teamsHold(c criterion.Teamed, l *store.Limit, f *made.Match) bool {
	d := criterion.Division{Session: f.Session != nil, MaxSpread: split.MaxPlayers}
	c.Ask(&d, l, true)
	sizes, teams := f.Sizes(g.pool.rows), teamsOf(f)
	return slices.Max(sizes)-slices.Min(sizes) <= d.MaxSpread &&
		(!d.LargeInAll || g.largeInAll(f)) &&
		!slices.ContainsFunc(d.Gaps, func(gap criterion.Gap) bool { return averagesApart(gap.Rule, sizes, teams) > gap.Limit }) &&
		!slices.ContainsFunc(d.Checks, func(keeps func([]criterion.Team) bool) bool { return !keeps(teams) })
}

// teamsOf returns the tickets and the session's members in each team.
func teamsOf(f *made.Match) []criterion.Team {
	teams := make([]criterion.Team, len(f.Teams))
	for i, side := range f.Teams {
		teams[i].Rows = side.Tickets
	}
	for _, m := range f.Seated() {
		if m.Team >= 0 && m.Team < len(teams) {
			teams[m.Team].Members = append(teams[m.Team].Members, m.Player)
		}
	}
	return teams
}

// largeInAll reports whether every team of a match has a large party, or none has.
func (g *groups) largeInAll(f *made.Match) bool {
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

// averagesApart returns the difference between the highest and the lowest average of the teams
// that have players.
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

// judge implements method.
func (v *seats) judge(f *made.Match) {
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
	v.search.Seated = v.seated[f.Seed]
	v.search.Judge(f.Broken, group, team, f.Region)
}

// judge implements method.
func (v *pivots) judge(f *made.Match) {
	v.rules.Judge(f.Broken, f.Seed, f.Group(), f.Region)
	blocked := v.rules.Set.Blocking == matcher.OtherTeams && anyBlocked(f, v.rules.Block, v.rules.Blocks)
	sizes := v.rules.Sizes(f.Seed)
	v.settle(f, blocked, sizes, pivot.Single(sizes))
}

// judge implements method.
func (v *scans) judge(f *made.Match) {
	v.rules.Judge(f.Broken, f.Seed, f.Group(), f.Region)
	blocked := v.rules.Set.Blocking == matcher.OtherTeams && anyBlocked(f, v.rules.Block, v.rules.Blocks)
	v.settle(f, blocked, v.rules.Sizes(f.Seed), v.rules.Single())
}

// settle marks the broken rules about teams. single is set if every ticket is a match of its
// own.
func (v *pivots) settle(f *made.Match, blocked bool, sizes *matcher.TeamSizes, single bool) {
	at := len(f.Broken) - 1 // team sizes are the last entry
	f.Broken[at-1] = f.Broken[at-1] || blocked
	if single && f.Session == nil {
		f.Broken[at] = len(f.Tickets) > 1
		return
	}
	f.Broken[at] = !v.sized(f, sizes)
}

// anyBlocked reports whether two players of the same team block each other. block compares two
// tickets, blocks a ticket and a player of a session.
func anyBlocked(f *made.Match, block func(a, b Row) bool, blocks func(a Row, member *matcher.Player) bool) bool {
	for team, side := range f.Teams {
		for i, a := range side.Tickets {
			if slices.ContainsFunc(side.Tickets[:i], func(b Row) bool { return block(a, b) }) {
				return true
			}
			if slices.ContainsFunc(f.Seated(), func(m matcher.Member) bool { return m.Team == team && blocks(a, &m.Player) }) {
				return true
			}
		}
	}
	return false
}

// sized reports whether the number of teams and their sizes are allowed. For a session, only
// the teams that tickets join are checked, and they need not reach the minimum, because the
// allowed sizes may have changed since the match began.
func (v *pivots) sized(f *made.Match, s *matcher.TeamSizes) bool {
	players := v.pool.rows.Players
	least, fewest := s.MinPlayers, s.MinTeams
	if f.Session != nil {
		least, fewest = 0, 0
	}
	if f.Teams == nil {
		total := 0
		for _, row := range f.Group() {
			total += int(players[row])
		}
		return total >= fewest*least && total <= s.MaxTeams*s.MaxPlayers
	}
	teams, there := 0, 0 // teams with players; number of teams of the session
	if f.Session != nil {
		there = f.Session.Teams
	}
	for _, m := range f.Seated() {
		there = max(there, m.Team+1)
	}
	for team, n := range f.Sizes(v.pool.rows) {
		if n == 0 {
			continue
		}
		teams++
		joins := len(f.Teams[team].Tickets) > 0
		if joins && (n < least || n > s.MaxPlayers || f.Session != nil && team >= max(there, s.MaxTeams)) {
			return false
		}
	}
	return teams >= fewest && (f.Session != nil || teams <= s.MaxTeams)
}
