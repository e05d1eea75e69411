package flexmatch

import (
	"fmt"

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
	for _, entry := range o.Entries("teams", entriesMax) {
		name := c.name(entry, seen)
		least, most := entry.Number("minPlayers", counts), entry.Number("maxPlayers", matchPlayers)
		quantity := entry.NumberOr("quantity", 1, matchPlayers)
		if v, ok := entry.Get("minPlayers"); ok && entry.Has("maxPlayers") && least > most {
			entry.Misfit(v, "minPlayers", fmt.Sprintf("at most maxPlayers, which is %v", most))
		}
		entry.Done()
		total += float64(quantity * most)
		last, _ = entry.Get("maxPlayers")
		c.addTeams(teamGroup{name, len(c.set.Teams), int(quantity), entry.Value}, least, most)
	}
	if total > matchMax {
		c.problems.Errorf(last, "teams: maxPlayers of all teams adds up to %v, expected at most %d", total, matchMax)
	}
	for i := range c.set.Teams {
		t := &c.set.Teams[i]
		c.expands("teams["+t.Name+"].minPlayers", c.replacing(&t.Min, counts))
		c.expands("teams["+t.Name+"].maxPlayers", c.replacing(&t.Max, matchPlayers))
	}
}

// addTeams adds the teams of an entry. If the quantity is above 1, their names get numbers from 1.
func (c *compiler) addTeams(g teamGroup, least, most float64) {
	c.set.groups = append(c.set.groups, g)
	for i := range g.many {
		name := g.name
		if g.many > 1 {
			name = fmt.Sprintf("%s_%d", g.name, i+1)
		}
		c.set.Teams = append(c.set.Teams, matcher.SeatTeam{Name: name,
			Min: matcher.Steps[float64]{{Value: least}}, Max: matcher.Steps[float64]{{Value: most}}})
	}
}
