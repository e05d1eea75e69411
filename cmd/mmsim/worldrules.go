package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/sim"
)

// worldRules are the rules of a queue in one replication. They are compiled anew
// for each, because the texts of its population are entered into the schema.
type worldRules struct {
	*config.Ruleset
	regions []region
	reads   []reading
	sim     *sim.Rules
}

// region is a name and its datacenters.
type region struct {
	name        string
	datacenters uint64
}

// reading is one attribute of the population as rules look at it.
type reading struct {
	matcher.Read
	attribute *datasets.Attribute
	number    bool            // the attribute is a Number
	texts     []matcher.Value // by entry of the attribute's dictionary, as far as it was needed
}

// newWorldRules makes the rules of a queue for the world's replication, nil where it
// has none.
func (w *world) newWorldRules(in *inputs, q *config.Queue, set *config.Ruleset) (*worldRules, error) {
	if set == nil {
		return nil, nil
	}
	fresh, err := set.Compile(q.Dialect, in.config.Matcher.Options())
	if err != nil {
		return nil, err // compiled well before
	}
	r := &worldRules{Ruleset: fresh, regions: in.regions()}
	queue := fresh.Rules.Queue
	if q.Placement == config.PlacementDatacenters {
		r.regions = nil
	}
	r.sim = &sim.Rules{Set: queue.Rules, Schema: queue.Schema, Refuse: queue.CheckSize}
	for _, region := range r.regions {
		if _, err := r.sim.Schema.Region(region.name); err != nil {
			return nil, fmt.Errorf("regions: %w", err)
		}
		r.sim.Regions = append(r.sim.Regions, region.datacenters)
	}
	for _, read := range queue.Reads {
		if err := r.read(w, read); err != nil {
			return nil, err
		}
	}
	for _, name := range queue.Unread {
		if w.population.Attribute(name) != nil {
			w.warnings = append(w.warnings, fmt.Sprintf("%s: the attribute %s is not looked at: it names other players, who are not told apart in a day", r.File, name))
		}
	}
	r.sim.Describe = r.describe
	return r, nil
}

// regions lists the regions that a vendor may choose from: those that are named,
// then every datacenter in none of them by its own name.
func (in *inputs) regions() []region {
	index := make(map[string]int)
	for i, dc := range in.datacenters {
		index[dc.Name] = i
	}
	var list []region
	var grouped uint64
	for _, name := range slices.Sorted(maps.Keys(in.config.Regions)) {
		var set uint64
		for _, dc := range in.config.Regions[name] {
			set |= 1 << index[dc]
		}
		list = append(list, region{name, set})
		grouped |= set
	}
	for i, dc := range in.datacenters {
		if grouped>>i&1 == 0 {
			list = append(list, region{dc.Name, 1 << i})
		}
	}
	return list
}

// read finds an attribute that the rules look at in the population. Without it
// players are as those of whom the vendor's service knows nothing.
func (r *worldRules) read(w *world, read matcher.Read) error {
	for _, name := range read.Names {
		a := w.population.Attribute(name)
		if a == nil {
			continue
		}
		number := a.Kind == datasets.Number
		if read.Kind == matcher.IsNumber && !number {
			return fmt.Errorf("%s: %s reads a number, but the attribute %s is a %s", r.File, read.Rule, name, a.Kind)
		}
		if read.Kind == matcher.IsText && a.Kind == datasets.List {
			return fmt.Errorf("%s: %s reads a text, but the attribute %s is a list", r.File, read.Rule, name)
		}
		r.reads = append(r.reads, reading{Read: read, attribute: a, number: number})
		if read.Refusal != nil {
			r.sim.Required = append(r.sim.Required, sim.RequiredColumn{Column: read.Column, Refusal: read.Refusal})
		}
		return nil
	}
	if read.Joined || read.Flag {
		return nil // nobody has to have it
	}
	known := "there is none"
	if names := w.attributeNames(); len(names) > 0 {
		known = "there are " + strings.Join(names, ", ")
	}
	missing := fmt.Sprintf("%s: %s reads the attribute %s, which no column of the data and no entry of players.attributes has (%s)",
		r.File, read.Rule, read.Names[len(read.Names)-1], known)
	if read.Refusal != nil {
		return fmt.Errorf("%s: the service would refuse every ticket", missing)
	}
	w.warnings = append(w.warnings, missing+": everybody goes without")
	return nil
}

// describe implements sim.Rules.Describe.
func (r *worldRules) describe(p *sim.Person, player, ticket []matcher.Value) {
	who := (*datasets.Person)(p)
	for i := range r.reads {
		read := &r.reads[i]
		to := player
		if read.Ticket {
			to = ticket
		}
		if to == nil {
			continue
		}
		if read.Joined {
			r.join(read, who, &to[read.Column])
		} else {
			read.fill(r.sim.Schema, who, &to[read.Column])
		}
	}
}

// value returns a person's value.
func (a *reading) value(schema *matcher.Schema, p *datasets.Person) (v matcher.Value) {
	a.fill(schema, p, &v)
	return v
}

// fill sets a missing value to that of a person.
func (a *reading) fill(schema *matcher.Schema, p *datasets.Person, to *matcher.Value) {
	if a.number {
		x := a.attribute.Number(p)
		switch {
		case x != x:
		case a.Kind == matcher.IsNumber:
			to.Kind, to.Number = matcher.IsNumber, x
		default:
			*to = a.of(schema, strconv.FormatFloat(x, 'f', -1, 64), nil)
		}
		return
	}
	entry := a.attribute.Text(p)
	for int(entry) >= len(a.texts) {
		n := uint32(len(a.texts))
		text := a.attribute.Dictionary()[n]
		var items []string
		if a.attribute.Kind == datasets.List {
			items = a.attribute.List(n)
		}
		a.texts = append(a.texts, a.of(schema, text, items))
	}
	*to = a.texts[entry]
}

// of returns the value of a text, or of a list where items are given; missing when
// it is empty.
func (a *reading) of(schema *matcher.Schema, text string, items []string) matcher.Value {
	switch {
	case text == "":
		return matcher.Value{}
	case a.Flag && !strings.EqualFold(text, "true"):
		return matcher.Value{}
	case a.Flag:
		return matcher.NumberValue(1)
	case a.Kind != matcher.IsSet:
		return matcher.TextValue(schema.Intern(text))
	case items == nil:
		items = []string{text}
	}
	return matcher.SetValue(schema.Set(items))
}

// join adds a person's text to that of the reads before it.
func (r *worldRules) join(read *reading, p *datasets.Person, to *matcher.Value) {
	v := read.value(r.sim.Schema, p)
	if v.Kind == matcher.Missing {
		return
	}
	text := strconv.Quote(read.Names[0]) + ":" + strconv.Quote(r.sim.Schema.TextString(v.Text))
	if to.Kind == matcher.IsText {
		text = r.sim.Schema.TextString(to.Text) + "," + text
	}
	*to = matcher.TextValue(r.sim.Schema.Intern(text))
}
