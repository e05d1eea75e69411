package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/clique"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// teams divides groups by the rules about teams.
type teams struct {
	pool   *Pool
	rules  *clique.Rules
	solver split.Solver
	limits split.Limits
	gaps   []gap
	units  []teamUnit
	values []float64
	hit    bool // a budget ended the search for a group of this seed

	rows  []Row // of proposals
	sides []matcher.Side
}

// gap is a rule about team averages as it holds for the group.
type gap struct {
	rule  *criterion.TeamGap
	limit float64 // +Inf while it is not enforced
}

// teamUnit is a ticket, or a player of a session who may be put into any team.
type teamUnit struct {
	row    Row
	member int // of the session; -1 for a ticket
}

// Begin implements clique.Divider.
func (t *teams) Begin() { t.limits.Budget, t.hit = split.TeamBudget, false }

// Divide implements clique.Divider.
func (t *teams) Divide(group []Row, old, young Row) bool {
	session := t.pool.details[group[0]]
	t.enforce(t.pool.rows.Stage[old], t.pool.rows.Stage[young], session != nil)
	t.describe(group, session)
	found, exact := t.solver.Split(&t.limits)
	t.hit = t.hit || !found && !exact
	return found
}

// enforce reads the rules about teams as they hold for a group. All that are enforced must
// hold: of several of one kind the strictest counts.
func (t *teams) enforce(old, young *store.Stage, open bool) {
	t.gaps = t.gaps[:0]
	l := &t.limits
	l.MaxSpread, l.LargeInAll, l.MaxGaps = split.MaxPlayers, false, l.MaxGaps[:0]
	for at, c := range t.rules.All {
		held, enforced := t.rules.Basis.InForce(&old.Limits[at], &young.Limits[at])
		switch c := c.(type) {
		case *criterion.TeamGap:
			limit := math.Inf(1)
			if enforced {
				limit = held.Bound + criterion.Tolerance
			}
			t.gaps = append(t.gaps, gap{c, limit})
		case *criterion.TeamBalance:
			if enforced {
				l.MaxSpread = int(math.Floor(max(-1, min(float64(l.MaxSpread), held.Bound+criterion.Tolerance))))
			}
		case *criterion.LargeParties:
			l.LargeInAll = l.LargeInAll || enforced && !open
		}
	}
	slices.SortStableFunc(t.gaps, func(a, b gap) int { return cmp.Compare(a.limit, b.limit) })
	if len(t.pool.rules.Teams) > 2 { // one that is not enforced would only cost time
		t.gaps = slices.DeleteFunc(t.gaps, func(g gap) bool { return math.IsInf(g.limit, 1) })
	}
	for _, g := range t.gaps {
		l.MaxGaps = append(l.MaxGaps, g.limit)
	}
}

// describe lists the teams as they stand, and the units.
func (t *teams) describe(group []Row, session *matcher.Session) {
	t.solver.Reset(len(t.gaps))
	t.units = t.units[:0]
	largest := 0
	for _, team := range t.pool.rules.Teams {
		t.solver.AddTeam(team.Min, team.Max)
		largest = max(largest, team.Max)
	}
	if session != nil {
		group = group[1:]
		for i := range session.Members {
			m := &session.Members[i]
			t.values = t.values[:0]
			for _, g := range t.gaps {
				t.values = append(t.values, g.rule.SumOf([]matcher.Player{m.Player}))
			}
			if m.Team != matcher.NoTeam {
				t.solver.Seat(m.Team, 1, t.values...)
				continue
			}
			t.units = append(t.units, teamUnit{member: i})
			t.solver.AddUnit(1, false, t.values...)
		}
	}
	for _, row := range group {
		t.values = t.values[:0]
		for _, g := range t.gaps {
			t.values = append(t.values, g.rule.Sum(row))
		}
		players := int(t.pool.rows.Players[row])
		t.units = append(t.units, teamUnit{row: row, member: -1})
		t.solver.AddUnit(players, t.limits.LargeInAll && players >= (largest+1)/2, t.values...)
	}
}

// begin forgets the proposals of the last pass.
func (t *teams) begin() { t.rows, t.sides = t.rows[:0], t.sides[:0] }

// result returns the teams of the group that was divided last around a seed.
func (t *teams) result(seed Row) []matcher.Side {
	from, session := len(t.sides), t.pool.details[seed]
	for team := range t.pool.rules.Teams {
		var side matcher.Side
		first := len(t.rows)
		if session != nil {
			for i := range session.Members {
				if session.Members[i].Team == team {
					side.Members = append(side.Members, i)
				}
			}
		}
		for k := range t.units {
			if unit, in := t.solver.Placed(k); in != team {
				continue
			} else if u := t.units[unit]; u.member >= 0 {
				side.Members = append(side.Members, u.member)
			} else {
				t.rows = append(t.rows, u.row)
			}
		}
		side.Tickets = t.rows[first:len(t.rows):len(t.rows)]
		t.sides = append(t.sides, side)
	}
	return t.sides[from:len(t.sides):len(t.sides)]
}
