package flexmatch

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// teams reads the teams.
func (c *compiler) teams(o *jsontree.Object) {
	if v, ok := o.Get("teams"); !ok {
		o.Missing("teams", "a list of at least one team")
	} else if v.Kind() == jsontree.List && len(v.Elements()) == 0 {
		o.Misfit(v, "teams", "a list of at least one team")
	}
	seen := map[string]bool{}
	total, last := 0.0, jsontree.Value{}
	for _, entry := range c.entries(o, "teams") {
		name := c.name(entry, seen)
		least := c.required(entry, "minPlayers", counts)
		most := c.required(entry, "maxPlayers", limits{1, matchMax, true})
		quantity := 1.0
		if v, ok := entry.Get("quantity"); ok {
			quantity = c.number(v, entry.Label("quantity"), limits{1, matchMax, true})
		}
		if v, ok := entry.Get("minPlayers"); ok && least != nil && most != nil && least[0].Value > most[0].Value {
			entry.Misfit(v, "minPlayers", fmt.Sprintf("at most maxPlayers, which is %v", most[0].Value))
		}
		c.unknown(entry)
		if most == nil {
			continue
		}
		total += float64(quantity * most[0].Value)
		last, _ = entry.Get("maxPlayers")
		c.addTeams(teamGroup{name, len(c.set.Teams), int(quantity), entry.Value}, least, most)
	}
	if total > matchMax {
		c.problems.Errorf(last, "teams: maxPlayers of all teams adds up to %v, expected at most %d", total, matchMax)
	}
}

// addTeams adds the teams of an entry. If the quantity is above 1, their names get numbers from 1.
func (c *compiler) addTeams(g teamGroup, least, most matcher.Steps[float64]) {
	c.set.groups = append(c.set.groups, g)
	for i := range g.many {
		name := g.name
		if g.many > 1 {
			name = fmt.Sprintf("%s_%d", g.name, i+1)
		}
		c.set.Teams = append(c.set.Teams, matcher.SeatTeam{Name: name, Min: slices.Clone(least), Max: slices.Clone(most)})
	}
}
