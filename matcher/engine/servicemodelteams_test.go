package engine_test

import (
	"math"
	"slices"
)

// apart reports whether two tickets must not be in the same team because one blocks a player of the
// other. The two may be the same ticket.
func (m *model) apart(a, b *modelTicket) bool {
	if m.Blocked != "blockedPlayerCanMatchOnDifferentTeam" {
		return false
	}
	mine, _ := optionOf(a.Attributes, "blocked_players")
	theirs, _ := optionOf(b.Attributes, "blocked_players")
	return meet(mine, idsOf(b.Players)) || meet(theirs, idsOf(a.Players))
}

// teams forms teams from a list of tickets in its order: the pivot and then its candidates.
func (m *model) teams(list []*modelTicket, a modelAlliance) [][]*modelTicket {
	used := map[*modelTicket]bool{}
	fill := func(team []*modelTicket, h int) ([]*modelTicket, bool) {
		grown, before := slices.Clone(team), players(team)
		for _, t := range list {
			if !used[t] && !slices.Contains(grown, t) && players(grown)+len(t.Players) <= h && !m.apart(t, t) &&
				!slices.ContainsFunc(grown, func(o *modelTicket) bool { return m.apart(t, o) }) {
				grown = append(grown, t)
			}
		}
		n := players(grown)
		if n >= a.PlayerMinNumber && n > before || n == h {
			for _, t := range grown {
				used[t] = true
			}
			return grown, true
		}
		return team, false
	}
	h := a.PlayerMinNumber
	if m.core {
		smallest := math.MaxInt
		for _, t := range list {
			smallest = min(smallest, len(t.Players))
		}
		h = max(a.PlayerMinNumber, min(a.PlayerMaxNumber, smallest))
	}
	var teams [][]*modelTicket
	for len(teams) < a.MinNumber {
		team, filled := fill(nil, h)
		if !filled {
			break
		}
		teams = append(teams, team)
	}
	for i := 0; i < a.MaxNumber; i++ {
		if i == len(teams) {
			teams = append(teams, nil)
		}
		if teams[i], _ = fill(teams[i], a.PlayerMaxNumber); len(teams[i]) == 0 {
			teams = teams[:i]
			break
		}
	}
	if !m.core {
		teams = m.rebalance(teams, a)
	}
	return teams
}

// valid reports whether teams form a valid match.
func (m *model) valid(teams [][]*modelTicket, a modelAlliance) bool {
	if len(teams) < a.MinNumber || len(teams) > a.MaxNumber {
		return false
	}
	for _, team := range teams {
		if n := players(team); n < a.PlayerMinNumber || n > a.PlayerMaxNumber {
			return false
		}
		for i := range team {
			for k := range i {
				if m.apart(team[i], team[k]) {
					return false
				}
			}
		}
	}
	return true
}

// balancing returns the rules whose attributes are used to balance teams. If an attribute has
// several rules, its normalization is that of the first.
func (m *model) balancing() []modelRule {
	var flagged, first []modelRule
	allRefused := true
	for _, r := range m.MatchingRule {
		if r.Criteria != "distance" {
			continue
		}
		i := slices.IndexFunc(m.MatchingRule, func(o modelRule) bool { return o.Attribute == r.Attribute })
		r.NormalizationMax = m.MatchingRule[i].NormalizationMax
		if len(first) == 0 {
			first = []modelRule{r}
		}
		if r.IsForBalancing != nil && *r.IsForBalancing {
			flagged = append(flagged, r)
		}
		allRefused = allRefused && r.IsForBalancing != nil && !*r.IsForBalancing
	}
	if len(flagged) == 0 && !allRefused {
		flagged = first
	}
	return flagged
}

// worth returns the value with which a ticket counts when teams are balanced.
func (m *model) worth(t *modelTicket) (sum float64) {
	for _, r := range m.balancing() {
		for _, p := range t.Players {
			x, _ := p.Attributes[r.Attribute].(float64)
			if r.NormalizationMax > 0 {
				x /= r.NormalizationMax
			}
			sum += x
		}
	}
	return sum
}

// modelDivision is a search for the most even teams.
type modelDivision struct {
	*model
	modelAlliance
	tickets []*modelTicket
	slots   [][]*modelTicket
	best    [][]*modelTicket
	size    int
	average float64
	left    int // number of complete arrangements that may still be tried; negative if there is no limit
}

// rebalance returns the most even teams that it finds. If the teams in greedy are more even, it
// returns greedy.
func (m *model) rebalance(greedy [][]*modelTicket, a modelAlliance) [][]*modelTicket {
	d := &modelDivision{model: m, modelAlliance: a, left: -1, size: math.MaxInt, average: math.Inf(1)}
	d.tickets = slices.Concat(greedy...)
	if len(d.tickets) == 0 {
		return greedy
	}
	slices.SortStableFunc(d.tickets, func(x, y *modelTicket) int { return int(math.Copysign(1, m.worth(y)-m.worth(x))) })
	if len(d.tickets) > 12 {
		d.left = 1000
	}
	d.slots = make([][]*modelTicket, min(a.MaxNumber, len(d.tickets)+1))
	order := make([]int, len(d.slots))
	for i := range order {
		order[i] = i
	}
	d.place(0, order)
	if d.best == nil {
		return greedy
	}
	empty := a.MaxNumber - len(d.best)
	size, average := d.gaps(d.best, empty)
	greedySize, greedyAverage := d.gaps(greedy, (a.MaxNumber-len(greedy)+1)/2)
	if size < greedySize || size <= greedySize && average <= greedyAverage {
		return d.best
	}
	return greedy
}

// place tries to put the next ticket in every slot. A slot is a team.
func (d *modelDivision) place(next int, order []int) {
	if d.left == 0 {
		return
	}
	if next == len(d.tickets) {
		d.left--
		d.complete()
		return
	}
	t := d.tickets[next]
	sum := func(slot int) (sum float64) {
		for _, t := range d.slots[slot] {
			sum += d.worth(t)
		}
		return sum
	}
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := sum(a), sum(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	emptyTried := false
	for _, slot := range order {
		if players(d.slots[slot])+len(t.Players) > d.PlayerMaxNumber || d.left < 0 && emptyTried && len(d.slots[slot]) == 0 {
			continue
		}
		emptyTried = emptyTried || len(d.slots[slot]) == 0
		d.slots[slot] = append(d.slots[slot], t)
		d.place(next+1, order)
		d.slots[slot] = d.slots[slot][:len(d.slots[slot])-1]
	}
}

// complete records a complete arrangement if it is the best so far.
func (d *modelDivision) complete() {
	var teams [][]*modelTicket
	for _, slot := range d.slots {
		if len(slot) > 0 {
			teams = append(teams, slices.Clone(slot))
		}
	}
	if !d.valid(teams, d.modelAlliance) {
		return
	}
	empty := 0
	if len(teams) < d.MaxNumber {
		empty = 1
	}
	size, _ := d.gaps(teams, empty)
	_, average := d.gaps(teams, 0)
	if size < d.size || size == d.size && average < d.average {
		d.best, d.size, d.average = teams, size, average
	}
}

// gaps returns the largest differences between teams in size and in average. If the parameter empty
// is above 0, an empty team counts too.
func (d *modelDivision) gaps(teams [][]*modelTicket, empty int) (size int, average float64) {
	least, most, lowest, highest := math.MaxInt, 0, math.Inf(1), math.Inf(-1)
	for i := range len(teams) + min(empty, 1) {
		n, sum := 0, 0.0
		if i < len(teams) {
			n = players(teams[i])
			for _, t := range teams[i] {
				sum += d.worth(t)
			}
			sum /= float64(n)
		}
		least, most, lowest, highest = min(least, n), max(most, n), min(lowest, sum), max(highest, sum)
	}
	return most - least, highest - lowest
}
