package experiment

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/matcher/external"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// rulesetSetup converts the queue's rules to the type that reports use. It returns nil if
// there are none.
func (q *replicationQueue) rulesetSetup(c *config.Config) *setup.Ruleset {
	r := q.rules
	if r == nil || r.Ruleset == nil {
		return nil
	}
	queue := q.sim(c)
	set := queue.InForce()
	ruleset := &setup.Ruleset{
		Name: set.Name, Dialect: r.Dialect, Placement: q.config.Placement, Follow: r.Rules.Reading(),
		ExpansionBasis: set.ExpansionBasis.String(), OptionalBasis: set.OptionalBasis.String(),
		MinPlayers: set.MinPlayers,
	}
	atStart := set.Relaxation(nil, []int64{0})
	for i, name := range set.RuleNames() {
		ruleset.Rules = append(ruleset.Rules, setup.Rule{Name: name, AtStart: atStart[i]})
	}
	if s := r.Rules.Queue.Statistics; s != nil {
		service := &setup.Service{Window: sim.Duration(s.WindowMS)}
		if s.ShowPlayers {
			service.PlayersSee = append(service.PlayersSee, outcome.SeePlayersMatching)
		}
		if s.ShowTimeToMatch {
			service.PlayersSee = append(service.PlayersSee, outcome.SeeTimeToMatch)
		}
		ruleset.Service = service
	}
	return ruleset
}

// rulesOn lists the rules, of all queues, that read the attribute a as a property of players. It
// leaves out ids and lists of ids, because it means nothing if the players of a match share these.
func (r *Replication) rulesOn(a *population.Attribute) []string {
	var rules []string
	for _, q := range r.queues {
		if q.rules == nil {
			continue
		}
		for i := range q.rules.Reads {
			if read := &q.rules.Reads[i]; read.Attribute == a && !read.Identity && !read.Union && !slices.Contains(rules, read.Rule) {
				rules = append(rules, read.Rule)
			}
		}
	}
	return rules
}

// texts converts text and list attributes to the type that reports use. It includes the
// attributes that rules read and, unless players are placed on servers, those in
// players.attributes.
func (r *Replication) texts() []setup.Texts {
	var list []setup.Texts
	for _, a := range r.population.Attributes {
		if rules := r.rulesOn(a); a.Kind != datasets.Number && (len(rules) > 0 || a.Generated() && r.Config.Placement != config.PlacementServers) {
			elements := &elementTable{attribute: a, numbers: map[string]uint32{}}
			list = append(list, setup.Texts{Name: a.Name, Rules: rules, Of: elements.of})
		}
	}
	return list
}

// elementTable numbers the elements of an attribute's values.
type elementTable struct {
	attribute *population.Attribute
	numbers   map[string]uint32
	values    [][]uint32 // by entry of the dictionary; entries are added when needed
}

// of returns the numbers of the elements in p's value, in ascending order.
func (t *elementTable) of(p *sim.Player) []uint32 {
	entry := t.attribute.Text(binding.Person(p))
	for int(entry) >= len(t.values) {
		t.values = append(t.values, t.elements(uint32(len(t.values))))
	}
	return t.values[entry]
}

func (t *elementTable) elements(entry uint32) []uint32 {
	switch {
	case entry == 0: // the value is missing
		return nil
	case t.attribute.Kind == datasets.Text:
		return []uint32{entry}
	}
	var list []uint32
	for _, item := range t.attribute.List(entry) {
		if _, known := t.numbers[item]; !known {
			t.numbers[item] = uint32(len(t.numbers))
		}
		list = append(list, t.numbers[item])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Metrics lists the metrics that runs of the configuration have. A "*" replaces names that are
// known only after a run.
func (in *Inputs) Metrics() []outcome.Metric {
	c := in.Config
	e := outcome.Expected{Continents: continents, Servers: c.Placement == config.PlacementServers, Jitter: c.Latency.JitterSD > 0, Patience: c.MayCancel(), Missing: c.PlayersMissing()}
	if c.Searches() && in.Day != nil {
		_, e.NamedSearches = in.Day.Column(datasets.ColumnPlayer)
	}
	if l := c.Limits.Given(); l != nil {
		e.WaitLimits, e.RTTLimits, e.UnmatchedLimits = l.Wait != nil, l.RTT != nil, l.Unmatched != nil
	}
	e.Datacenters, e.OverAll, e.Fleet = in.Used(), in.list.IsChosen, in.fleet != nil
	day := &datasets.Day{} // has no players: the names and kinds of attributes do not depend on them
	if in.Day != nil {
		day.Columns = in.Day.Columns
	}
	population, err := (&Replication{Config: c, Day: day}).populate()
	for i := 0; err == nil && i < len(population.Attributes); i++ { // the run will report the error
		if a := population.Attributes[i]; a.Kind == datasets.Number {
			e.Attributes = append(e.Attributes, a.Name)
		} else if a.Generated() && !e.Servers {
			e.Texts = true
		}
	}
	for i, q := range c.AllQueues() {
		queue := outcome.ExpectedQueue{Name: q.Name, External: q.External.Matcher != "", Acceptance: q.Match.Acceptance.Required}
		if set := in.rulesets[i]; set != nil && !e.Servers {
			rules := set.Rules.Queue.Rules
			if q.Placement == config.PlacementDatacenters {
				rules = rules.WithoutRegion()
			}
			if queue.External {
				queue.Violations = append(rules.RuleNames(), external.RefusedTicket)
			}
			queue.Ruleset, queue.Rules, queue.Statistics = true, rules.RuleNames(), set.Rules.Queue.Statistics != nil
		}
		e.Queues = append(e.Queues, queue)
	}
	return e.Metrics()
}
