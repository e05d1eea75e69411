package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/clique"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/split"
)

// teams divides groups into teams. It implements clique.Divider.
type teams struct {
	pool   *Pool
	rules  *clique.Rules
	solver split.Solver
	limits split.Limits
	asked  criterion.Division
	units  []teamMember
	values []float64
	hit    bool // a budget ended the search for teams of one of this seed's groups

	count   int              // number of teams in the last division
	session *matcher.Session // session of the group, or nil
	teams   []criterion.Team // scratch space for keeps
}

// Begin implements clique.Divider.
func (t *teams) Begin() { t.limits.Budget, t.hit = split.TeamBudget, false }

// Divide divides a group into teams, and reports whether it has found a division that the rules
// allow. The parameters old and young are the members with the longest and the shortest wait. If the
// number of teams may vary, it tries the smallest number first.
func (t *teams) Divide(group []Row, old, young Row) bool {
	session := t.pool.details[group[0]]
	t.enforce(old, young, session != nil)
	for t.count = t.fewest(session); t.count <= len(t.pool.rules.Teams); t.count++ {
		t.describe(group, session)
		found, exact := t.solver.Split(&t.limits)
		if t.hit = t.hit || !found && !exact; found {
			return true
		}
	}
	return false
}

// fewest returns the smallest number of teams of a match: at least those in which a session has players.
func (t *teams) fewest(session *matcher.Session) int {
	least := cmp.Or(t.pool.rules.MinTeams, len(t.pool.rules.Teams))
	if session != nil {
		for i := range session.Members {
			least = max(least, session.Members[i].Team+1)
		}
	}
	return least
}

// enforce sets the solver's limits. They come from the rules about teams that are enforced for a
// group. The parameters old and young are the members with the longest and the shortest wait.
func (t *teams) enforce(old, young Row, session bool) {
	d := &t.asked
	*d = criterion.Division{Session: session, MaxSpread: split.MaxPlayers, Gaps: d.Gaps[:0], Checks: d.Checks[:0]}
	for at, c := range t.rules.All {
		if c, ok := c.(criterion.Teamed); ok {
			l, enforced := t.rules.InForce(t.pool.rows, at, old, young)
			c.Ask(d, l, enforced)
		}
	}
	slices.SortStableFunc(d.Gaps, func(a, b criterion.Gap) int { return cmp.Compare(a.Limit, b.Limit) })
	if len(t.pool.rules.Teams) > 2 { // with more than two teams, a gap that is not enforced costs time but has no effect
		d.Gaps = slices.DeleteFunc(d.Gaps, func(g criterion.Gap) bool { return math.IsInf(g.Limit, 1) })
	}
	l := &t.limits
	l.MaxSpread, l.LargeInAll, l.MaxGaps, l.Check = d.MaxSpread, d.LargeInAll, l.MaxGaps[:0], nil
	for _, g := range d.Gaps {
		l.MaxGaps = append(l.MaxGaps, g.Limit)
	}
	if len(d.Checks) > 0 {
		l.Check = t.keeps
	}
}

// keeps reports whether complete teams satisfy Division.Checks. The parameter team has the team of
// each unit.
func (t *teams) keeps(team []int) bool {
	t.teams = slices.Grow(t.teams[:0], t.count)[:t.count]
	for i := range t.teams {
		t.teams[i].Rows, t.teams[i].Members = t.teams[i].Rows[:0], t.teams[i].Members[:0]
	}
	if t.session != nil {
		for i := range t.session.Members {
			if m := &t.session.Members[i]; m.Team != matcher.NoTeam {
				t.teams[m.Team].Members = append(t.teams[m.Team].Members, m.Player)
			}
		}
	}
	for i, u := range t.units {
		to := &t.teams[team[i]]
		if u.member < 0 {
			to.Rows = append(to.Rows, u.row)
		} else {
			to.Members = append(to.Members, t.session.Members[u.member].Player)
		}
	}
	for _, keeps := range t.asked.Checks {
		if !keeps(t.teams) {
			return false
		}
	}
	return true
}

// describe adds the teams and the units to the solver. A session player whose team is fixed goes
// directly into that team.
func (t *teams) describe(group []Row, session *matcher.Session) {
	t.solver.Reset(len(t.asked.Gaps))
	t.units, t.session = t.units[:0], session
	largest := 0
	for i, team := range t.pool.rules.Teams {
		if i < t.count {
			t.solver.AddTeam(team.Min, team.Max)
		}
		largest = max(largest, team.Max)
	}
	if session != nil {
		group = group[1:]
		for i := range session.Members {
			m := &session.Members[i]
			t.values = t.values[:0]
			for _, g := range t.asked.Gaps {
				t.values = append(t.values, g.Rule.SumOf([]matcher.Player{m.Player}))
			}
			if m.Team != matcher.NoTeam {
				t.solver.Seat(m.Team, 1, t.values...)
				continue
			}
			t.units = append(t.units, teamMember{member: i})
			t.solver.AddUnit(1, false, t.values...)
		}
	}
	for _, row := range group {
		t.values = t.values[:0]
		for _, g := range t.asked.Gaps {
			t.values = append(t.values, g.Rule.Sum(row))
		}
		players := int(t.pool.rows.Players[row])
		t.units = append(t.units, teamMember{row: row, member: -1})
		t.solver.AddUnit(players, t.limits.LargeInAll && players >= (largest+1)/2, t.values...)
	}
}

// result appends the tickets of the group that was last divided, and the session's players who may
// be in any team.
func (t *teams) result(dst []teamMember) []teamMember {
	for k := range t.units {
		unit, team := t.solver.Assigned(k)
		dst = append(dst, t.units[unit])
		dst[len(dst)-1].team = team
	}
	return dst
}
