package binding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/external"
	"mmsim/reports/words"
	"mmsim/sim"
)

// Rules are a queue's rules in one replication. Each replication compiles them again, because
// the texts of its population are added to the schema.
type Rules struct {
	*config.Ruleset
	Regions  []Region
	Reads    []Reading
	Sim      *sim.Rules
	Warnings []jsontree.Warning
	Shown    []external.Shown // attributes that an external matchmaker sees, or nil without one
	shown    []Reading        // in the order of Shown
	// RefuseService returns the reason why the vendor's service would refuse a ticket, or nil.
	// An external matchmaker may match the ticket nevertheless.
	RefuseService func(*matcher.Ticket) error

	population *population.Population
}

// Region is a named set of datacenters.
type Region struct {
	Name        string
	Datacenters uint64
}

// Reading is a value that rules read, with the player attribute that supplies it.
type Reading struct {
	matcher.Read
	Attribute *population.Attribute // nil if no player has it; the default then applies to all
	Number    bool                  // whether the attribute is a number
	texts     dictionary[matcher.Value]
}

// Bind creates a queue's rules for the players of a replication. It returns nil if the queue
// has no ruleset. The rules may only refer to the given regions.
func Bind(c *config.Config, q *config.Queue, set *config.Ruleset, regions []Region, population *population.Population) (*Rules, error) {
	if set == nil {
		return nil, nil
	}
	fresh, err := set.Compile(q.Dialect, c.Matcher.CompileOptions)
	if err != nil {
		return nil, err // it compiled without an error when it was loaded
	}
	r := &Rules{Ruleset: fresh, Regions: regions, population: population}
	queue := fresh.Rules.Queue
	if q.Placement == config.PlacementDatacenters {
		r.Regions = nil
	}
	r.Sim = &sim.Rules{Set: queue.Rules, Schema: queue.Schema, Refuse: queue.CheckSize}
	if err := r.addRegions(); err != nil {
		return nil, err
	}
	for _, read := range queue.Reads {
		if err := r.read(read); err != nil {
			return nil, err
		}
	}
	for _, message := range queue.DayWarnings {
		r.warnf("%s", message)
	}
	r.Sim.Describe = r.describe
	return r, nil
}

// addRegions adds r.Regions to the rules of the simulator.
func (r *Rules) addRegions() error {
	for _, region := range r.Regions {
		if _, err := r.Sim.Schema.Region(region.Name); err != nil {
			return fmt.Errorf("regions: %w", err)
		}
		r.Sim.Regions = append(r.Sim.Regions, region.Datacenters)
	}
	return nil
}

// Regions lists the regions that a queue's ruleset or external matchmaker may use. These are the
// configured regions, of which the datacenters in use are left, and every datacenter in use that is in
// none of them, as a region with the datacenter's name. If each datacenter has turns of its own in which
// an external matchmaker makes the matches, every datacenter in use is a region.
func Regions(c *config.Config, q *config.Queue, datacenters []datasets.Datacenter, use uint64) []Region {
	configured := c.Regions
	if q.External.Matcher != "" && q.Placement == config.PlacementDatacenters {
		configured = nil
	}
	index := make(map[string]int)
	for i, dc := range datacenters {
		index[dc.Name] = i
	}
	var list []Region
	var grouped uint64
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		var set uint64
		for _, dc := range configured[name] {
			if i, isListed := index[dc]; isListed {
				set |= 1 << i & use
			}
		}
		list = append(list, Region{name, set})
		grouped |= set
	}
	for i, dc := range datacenters {
		if (use&^grouped)>>i&1 != 0 {
			list = append(list, Region{dc.Name, 1 << i})
		}
	}
	return list
}

// read finds the player attribute that supplies a value to the rules. If players do not have
// the attribute, the rules treat them like the vendor's service treats players without a value.
func (r *Rules) read(read matcher.Read) error {
	if read.Needs != "" && r.population.Attribute(read.Needs) == nil {
		return nil
	}
	for _, name := range read.Names {
		a := r.population.Attribute(name)
		if a == nil {
			continue
		}
		number := a.Kind == datasets.Number
		if read.Map {
			return fmt.Errorf("%s: %s reads an object with numbers, but the attribute %s is a %s", r.File, read.Rule, name, a.Kind)
		}
		if read.Kind == matcher.IsNumber && !number {
			return fmt.Errorf("%s: %s reads a number, but the attribute %s is a %s", r.File, read.Rule, name, a.Kind)
		}
		if read.Kind == matcher.IsText && a.Kind == datasets.List {
			return fmt.Errorf("%s: %s reads a text, but the attribute %s is a list", r.File, read.Rule, name)
		}
		r.Reads = append(r.Reads, Reading{Read: read, Attribute: a, Number: number})
		if read.Refusal != nil {
			r.Sim.Required = append(r.Sim.Required, sim.RequiredColumn{Column: read.Column, Refusal: read.Refusal})
		}
		if read.Union {
			r.Sim.Union = append(r.Sim.Union, read.Column)
		}
		return nil
	}
	if read.Joined || read.Flag || read.Optional {
		return nil
	}
	known := "players have no attributes"
	if names := AttributeNames(r.population); len(names) > 0 {
		known = "players have " + strings.Join(names, ", ")
	}
	missing := fmt.Sprintf("%s reads the attribute %s, which is %s (%s)",
		read.Rule, read.Names[len(read.Names)-1], words.MissingData, known)
	remedy := ""
	if flag := Suggestion(read, r.Sim.Set, r.Sim.Schema); flag != "" {
		remedy = "; to generate it, add " + flag
	}
	switch {
	case read.Needs != "":
		r.warnf("the attribute %s has no effect: it lists players by %s, which is not in the data", read.Needs, read.Names[0])
		return nil
	case read.Refusal != nil:
		r.Sim.Required = append(r.Sim.Required, sim.RequiredColumn{Column: read.Column, Refusal: read.Refusal})
		r.warnf("%s: the service refuses every ticket%s", missing, remedy)
		return nil
	case read.Default.Kind != matcher.Missing:
		r.Reads = append(r.Reads, Reading{Read: read})
		r.warnf("%s: all players have the default value%s", missing, remedy)
		return nil
	}
	r.warnf("%s: no player has a value%s", missing, remedy)
	return nil
}

// warnf adds a warning about the ruleset's file.
func (r *Rules) warnf(format string, args ...any) {
	r.Warnings = append(r.Warnings, jsontree.Warning{File: r.File, Message: fmt.Sprintf(format, args...)})
}

// describe implements sim.Rules.Describe.
func (r *Rules) describe(p *sim.Person, player, ticket []matcher.Value) {
	person := (*population.Person)(p)
	for i := range r.Reads {
		read := &r.Reads[i]
		to := player
		if read.Ticket && !read.Union {
			to = ticket
		}
		if to == nil {
			continue
		}
		if read.Joined {
			r.join(read, person, &to[read.Column])
		} else {
			read.fill(r.Sim.Schema, person, &to[read.Column])
		}
	}
}

// Value returns the value that the rules read for p.
func (a *Reading) Value(schema *matcher.Schema, p *population.Person) (v matcher.Value) {
	a.fill(schema, p, &v)
	return v
}

// fill sets *to to the value that the rules read for p. This is the default if p has no value.
func (a *Reading) fill(schema *matcher.Schema, p *population.Person, to *matcher.Value) {
	if a.Attribute == nil {
		*to = a.Default
		return
	}
	if a.Number {
		x := a.Attribute.Number(p)
		switch {
		case x != x:
			*to = a.Default
		case a.Kind == matcher.IsNumber:
			to.Kind, to.Number = matcher.IsNumber, x
		default:
			*to = a.of(schema, strconv.FormatFloat(x, 'f', -1, 64), nil)
		}
		return
	}
	*to = a.texts.at(a.Attribute, p, func(entry uint32) matcher.Value {
		var items []string
		if a.Attribute.Kind == datasets.List {
			items = a.Attribute.List(entry)
		}
		if value := a.of(schema, a.Attribute.Dictionary()[entry], items); value.Kind != matcher.Missing {
			return value
		}
		return a.Default
	})
}

// of converts an attribute's text, or its list if items is not nil. An empty text gives a
// missing value.
func (a *Reading) of(schema *matcher.Schema, text string, items []string) matcher.Value {
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

// join appends the value that p has in the attribute of read to *to. *to already has the values of
// the attributes before it.
func (r *Rules) join(read *Reading, p *population.Person, to *matcher.Value) {
	v := read.Value(r.Sim.Schema, p)
	if v.Kind == matcher.Missing {
		return
	}
	text := strconv.Quote(read.Names[0]) + ":" + strconv.Quote(r.Sim.Schema.TextString(v.Text))
	if to.Kind == matcher.IsText {
		text = r.Sim.Schema.TextString(to.Text) + "," + text
	}
	*to = matcher.TextValue(r.Sim.Schema.Intern(text))
}

// AttributeNames lists the names of a population's attributes.
func AttributeNames(p *population.Population) []string {
	names := make([]string, len(p.Attributes))
	for i, a := range p.Attributes {
		names[i] = a.Name
	}
	return names
}

// Listed formats names for a message.
func Listed(names []string) string { return cmp.Or(strings.Join(names, ", "), "there is none") }

// Person converts p to the type whose attributes can be read.
func Person(p *sim.Player) *population.Person { return (*population.Person)(&p.Person) }
