package experiment

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/matcher/external"
	"mmsim/reports/outcome"
)

// Metrics lists the metrics that runs of the configuration have. A "*" replaces names that are
// known only after a run.
func (in *Inputs) Metrics() []outcome.Metric {
	c := in.Config
	e := outcome.Expected{Facts: c.Facts(in.IsChosen), Continents: continents, Servers: c.Placement == config.PlacementServers, Events: len(c.Events)}
	if c.Searches() && in.Day != nil {
		_, e.NamedSearches = in.Day.Column(datasets.ColumnPlayer)
	}
	if l := c.Limits.Given(); l != nil {
		e.WaitLimits, e.RTTLimits, e.UnmatchedLimits = l.Wait != nil, l.RTT != nil, l.Unmatched != nil
	}
	e.Datacenters, e.Fleet, e.SeasonDays = in.UsedNames(), in.fleet != nil, c.Season.Days(c.Clock.Duration)
	day := &datasets.Day{} // has no players: the names and kinds of attributes do not depend on them
	if in.Day != nil {
		day.Columns = in.Day.Columns
	}
	r := &Replication{Config: c, Day: day}
	err := r.populate()
	if err == nil && e.SeasonDays > 0 {
		r.population.Replace(c.Season.Rating.Attribute, nil)
	}
	for i := 0; err == nil && i < len(r.population.Attributes); i++ { // the run will report the error
		if a := r.population.Attributes[i]; a.Kind == datasets.Number {
			e.Attributes = append(e.Attributes, a.Name)
		} else if a.Generated() && !e.Servers {
			e.Texts = true
		}
	}
	for i, q := range c.AllQueues() {
		queue := outcome.ExpectedQueue{Name: q.Name, External: q.External.Matcher != "", Acceptance: q.Match.Acceptance.Required, Refills: q.Match.Leave.Refills()}
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
