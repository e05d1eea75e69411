package experiment

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// populate prepares the attributes of the replication's players.
func (r *Replication) populate() (err error) {
	o := population.Options{
		Generated: r.Config.Players.Attributes,
		Draws:     binding.DrawsOf(r.Config.Seed, uint64(r.Config.Run)),
	}
	if len(o.Generated) > 0 {
		o.Locate = NewLocator().Of(r.Day)
	}
	if r.population, err = population.New(r.Day, o); err == nil {
		r.warn(r.population.Warnings...)
	}
	return err
}

// numbers converts the numeric attributes to the type that reports use.
func (r *Replication) numbers() []setup.Attribute {
	var list []setup.Attribute
	for _, a := range r.population.Attributes {
		if a.Kind != datasets.Number {
			continue
		}
		number := setup.Attribute{Name: a.Name, Rules: r.rulesOn(a)}
		if a.Generated() {
			number.Sample = binding.Sample(r.Day, a, r.season)
			number.Of = func(p *sim.Player) float64 { return a.Number(binding.Person(p)) }
		} else {
			number.Sample = a.Column().Numbers
		}
		list = append(list, number)
	}
	return list
}

// RecordColumns converts the attributes to the type that package records uses.
func (r *Replication) RecordColumns() []records.Attribute {
	columns := make([]records.Attribute, len(r.population.Attributes))
	for i, a := range r.population.Attributes {
		columns[i] = records.Attribute{Name: a.Name, Append: func(to []byte, p *sim.Player) []byte {
			return a.Append(to, binding.Person(p))
		}}
		if a.Kind == datasets.Number {
			columns[i].Number = func(p *sim.Player) float64 { return a.Number(binding.Person(p)) }
			columns[i].Rating = r.season != nil && a.Name == r.Config.Season.Rating.Attribute
		}
	}
	return columns
}

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
			list = append(list, setup.Texts{Name: a.Name, Rules: rules, Of: binding.Elements(a)})
		}
	}
	return list
}
