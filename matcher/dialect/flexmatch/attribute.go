package flexmatch

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// attributes reads the declarations of attributes.
func (c *compiler) attributes(o *jsontree.Object) {
	seen := map[string]bool{}
	for _, entry := range o.Entries("playerAttributes", entriesMax) {
		a := Attribute{Name: c.name(entry, seen), value: entry.Value}
		kind := entry.OneOf("type", typeNames...)
		a.Type = AttributeType(max(0, slices.Index(typeNames, kind)))
		a.Column = c.set.Schema.Column("attribute " + a.Name)
		if v, ok := entry.Get("default"); ok {
			if why := misfit(a.Type, v); why != "" && kind != "" {
				entry.Misfit(v, "default", why+", because "+a.Name+" has type "+kind)
			}
			a.Default = v
		}
		entry.Done()
		c.set.Attributes = append(c.set.Attributes, a)
		c.set.read = append(c.set.read, false)
	}
}

// misfit returns the kind of value that an attribute of type t expects, or "" if v is of that kind.
func misfit(t AttributeType, v jsontree.Value) string {
	switch t {
	case IsNumber:
		if _, ok := format.NumberOf(v); !ok {
			return "a number"
		}
	case IsText:
		if v.Kind() != jsontree.Text {
			return "a text"
		}
	case IsTextList:
		if _, _, ok := v.Texts(); !ok {
			return "a list of texts"
		}
	case IsNumberMap:
		for _, m := range v.Members() {
			if _, ok := format.NumberOf(m.Value); !ok {
				return "an object with numbers"
			}
		}
		if v.Kind() != jsontree.Struct {
			return "an object with numbers"
		}
	}
	return ""
}

// KeyColumn returns the column for the numbers under one key of a map attribute.
func (r *Ruleset) KeyColumn(a *Attribute, key matcher.Text) matcher.Column {
	return r.Schema.Column("attribute " + a.Name + " key " + r.Schema.TextString(key))
}

// Player converts a player's attributes to values for the rules. If the service refuses the
// player's ticket, it returns an error with the reason.
func (r *Ruleset) Player(id string, attributes jsontree.Value) (matcher.Player, error) {
	p := matcher.Player{Values: make([]matcher.Value, r.Schema.Columns())}
	p.Values[r.playerIDs] = matcher.TextValue(r.Schema.Intern(id))
	for i := range r.Attributes {
		a := &r.Attributes[i]
		v, ok := attributes.Member(a.Name)
		if !ok {
			if v = a.Default; v.Kind() == jsontree.Null {
				return p, fmt.Errorf("attribute %q is missing and has no default", a.Name)
			}
		} else if why := misfit(a.Type, v); why != "" {
			return p, fmt.Errorf("attribute %q is %v, expected %s", a.Name, v, why)
		}
		r.load(&p, a, v)
	}
	return p, nil
}

// load stores the value of an attribute in the columns of the attribute.
func (r *Ruleset) load(p *matcher.Player, a *Attribute, v jsontree.Value) {
	switch a.Type {
	case IsNumber:
		n, _ := format.NumberOf(v)
		p.Values[a.Column] = matcher.NumberValue(n)
	case IsText:
		p.Values[a.Column] = matcher.TextValue(r.Schema.Intern(v.Text()))
	case IsTextList:
		texts, _, _ := v.Texts()
		p.Values[a.Column] = matcher.SetValue(r.Schema.Set(texts))
	case IsNumberMap:
		var keys []string
		for _, m := range v.Members() {
			n, _ := format.NumberOf(m.Value)
			column := r.KeyColumn(a, r.Schema.Intern(m.Name))
			for int(column) >= len(p.Values) {
				p.Values = append(p.Values, matcher.Value{})
			}
			p.Values[column] = matcher.NumberValue(n)
			keys = append(keys, m.Name)
		}
		p.Values[a.Column] = matcher.SetValue(r.Schema.Set(keys))
	}
}

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
