package matcher

import (
	"cmp"
	"math"
	"slices"
)

// TeamBudget is the number of placements that the search for teams may try for
// all groups of one seed where it is not exact: with an enforced rule about team
// averages, and more than two teams and exactTickets tickets; or two teams and
// several such rules.
const TeamBudget = 200_000

// windowBudget is the part of TeamBudget that may go into one attempt at one
// group, so that the next ones have some left.
const windowBudget = 20_000

// exactTickets is up to how many tickets the search for more than two teams with a
// rule about averages sees every assignment.
const exactTickets = 12

// unit is what goes into one team as a whole: a ticket, or a session's player who
// is free.
type unit struct {
	row    Row
	member int // of the session, or -1 for a ticket
	size   int
	large  bool
	value  []float64 // sum over players, by TeamGap rule in teamer.gaps
}

// side is a team while it is made up.
type side struct {
	least, most int // players
	players     int
	large       bool
	sum         []float64 // by TeamGap rule
}

// gap is a TeamGap rule as it holds for the group.
type gap struct {
	column *column
	limit  float64 // +Inf when it is not enforced
}

// teamer divides a group into teams: tickets whole, every team within its bounds,
// every enforced rule about teams kept. It prefers the smallest difference between
// team sizes, and with two teams then the smallest between averages.
//
// It finds an assignment whenever there is one: by sizes alone it searches all,
// remembering team loads that failed; with a rule about averages and two teams it
// meets in the middle; see TeamBudget for the rest.
type teamer struct {
	pool     *Pool
	gaps     []gap
	units    []unit
	sides    []side // as the session has filled them
	balance  int    // largest difference in players
	allLarge bool   // a large party in every team
	players  int
	team     []int // of each unit: the assignment found
	left     int   // of TeamBudget
	window   int   // of windowBudget
	hit      bool  // a budget ended the last search
	saved    []float64
	loads    loadSearch
	halves   halves
}

func (t *teamer) init(p *Pool) {
	t.pool = p
	t.sides = make([]side, len(p.rules.Teams))
}

// assign looks for teams; they are then in units and team. hit tells that a budget
// ended the search.
func (t *teamer) assign(group []frame, top *frame) bool {
	t.hit = false
	session := t.pool.details[group[0].row]
	t.enforce(top, session != nil)
	t.gather(group, session)
	least, most := 0, 0
	for i := range t.sides {
		least, most = least+t.sides[i].least, most+t.sides[i].most
		if t.sides[i].players > t.sides[i].most {
			return false
		}
	}
	if t.players < least || t.players > most {
		return false
	}
	valid := false
	if len(t.sides) == 2 && len(t.gaps) > 0 {
		valid = t.halves.solve(t)
	} else {
		valid = t.bySpread()
	}
	t.hit = t.hit && !valid
	return valid
}

// spent counts a placement; true when an inexact search may try no more.
func (t *teamer) spent() bool {
	t.left, t.window = t.left-1, t.window-1
	t.hit = t.hit || t.left < 0 || t.window < 0
	return t.left < 0 || t.window < 0
}

// enforce reads the rules about teams as they hold for the group.
func (t *teamer) enforce(top *frame, open bool) {
	t.gaps, t.balance, t.allLarge = t.gaps[:0], MaxTeamPlayers, false
	for _, c := range t.pool.teams {
		f, enforced := c.inForce(top.old, top.young)
		switch c.kind {
		case teamGap:
			limit := math.Inf(1)
			if enforced {
				limit = f.bound + tolerance
			}
			t.gaps = append(t.gaps, gap{c, limit})
		case teamBalance:
			if enforced {
				t.balance = int(math.Floor(max(-1, min(MaxTeamPlayers, f.bound+tolerance))))
			}
		case largeParties:
			t.allLarge = enforced && !open
		}
	}
	slices.SortStableFunc(t.gaps, func(a, b gap) int { return cmp.Compare(a.limit, b.limit) })
	if len(t.sides) > 2 { // one that is not enforced would only cost time
		t.gaps = slices.DeleteFunc(t.gaps, func(g gap) bool { return math.IsInf(g.limit, 1) })
	}
}

// gather lists the units, largest first, and the sides as they stand.
func (t *teamer) gather(group []frame, session *Session) {
	t.units, t.players = t.units[:0], int(group[len(group)-1].players)
	half := (t.pool.largestTeam + 1) / 2
	for i, team := range t.pool.rules.Teams {
		t.sides[i] = side{least: team.Min, most: team.Max, sum: t.zeros(t.sides[i].sum)}
	}
	if session != nil {
		group = group[1:]
		for i := range session.Members {
			m := &session.Members[i]
			if m.Team == NoTeam {
				u := t.unit()
				u.member, u.size, u.large = i, 1, false
				t.add(u.value, &m.Player)
				continue
			}
			s := &t.sides[m.Team]
			s.players++
			t.add(s.sum, &m.Player)
		}
	}
	for i := range group {
		u, row := t.unit(), group[i].row
		u.row, u.member, u.size = row, -1, int(t.pool.size[row])
		u.large = t.allLarge && u.size >= half
		for k, g := range t.gaps {
			u.value[k] = g.column.number[row]
		}
	}
	alike := len(t.gaps) == 0
	for i := range t.units {
		alike = alike && t.units[i].size == t.units[0].size
	}
	if !alike {
		t.sort()
	}
	t.allLarge = t.allLarge && len(t.units) > 0 && t.units[0].large
	t.team = append(t.team[:0], make([]int, len(t.units))...)
}

// sort brings the units into order: the largest first, of a size the highest value.
func (t *teamer) sort() {
	slices.SortStableFunc(t.units, func(a, b unit) int {
		if c := cmp.Compare(b.size, a.size); c != 0 || len(t.gaps) == 0 {
			return c
		}
		return cmp.Compare(b.value[0], a.value[0])
	})
}

// unit appends a unit and reuses the values of the one that was there.
func (t *teamer) unit() *unit {
	if n := len(t.units); n < cap(t.units) {
		t.units = t.units[:n+1]
	} else {
		t.units = append(t.units, unit{})
	}
	u := &t.units[len(t.units)-1]
	u.value = t.zeros(u.value)
	return u
}

func (t *teamer) zeros(values []float64) []float64 {
	return append(values[:0], make([]float64, len(t.gaps))...)
}

// add adds a player's values.
func (t *teamer) add(sums []float64, player *Player) {
	for k, g := range t.gaps {
		rule := g.column.rule.(*TeamGap)
		if v := player.value(rule.Column); v.Kind == IsNumber {
			sums[k] += v.Number
		} else {
			sums[k] += rule.Default
		}
	}
}

// result returns the teams that assign found for a seed and its group.
func (t *teamer) result(seed Row) []Side {
	p := t.pool
	from := len(p.sides)
	for team := range t.sides {
		var side Side
		if p.state[seed] == rowSession {
			side.Members = t.members(p.details[seed], team)
		}
		first, n := len(p.rows), 0
		p.rows = slices.Grow(p.rows, len(t.units))[:first+len(t.units)]
		for i := range t.units { // no branch: a team is as good as random
			u := &t.units[i]
			p.rows[first+n] = u.row
			n += one(t.team[i] == team) & one(u.member < 0)
		}
		p.rows = p.rows[:first+n]
		side.Tickets = p.rows[first : first+n : first+n]
		p.sides = append(p.sides, side)
	}
	return p.sides[from:len(p.sides):len(p.sides)]
}

// members lists a session's players in a team.
func (t *teamer) members(session *Session, team int) []int {
	var list []int
	for i := range session.Members {
		if session.Members[i].Team == team {
			list = append(list, i)
		}
	}
	for i := range t.units {
		if u := &t.units[i]; u.member >= 0 && t.team[i] == team {
			list = append(list, u.member)
		}
	}
	return list
}
