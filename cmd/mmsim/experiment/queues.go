package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// replicationQueue is one queue of a replication.
type replicationQueue struct {
	config *config.Queue
	rules  *binding.Rules // nil without rules: matches then follow the states IDEAL, EXPAND and WARMBODY
}

// newQueues creates the queues of the replication, or what places its players on servers.
func (r *Replication) newQueues() (err error) {
	in := r.inputs
	r.warn(r.Config.UnusedStates()...)
	if unused := r.Config.Differs(config.Default(), "servers"); r.Config.Placement != config.PlacementServers && len(unused) > 0 {
		r.warn(strings.Join(unused, ", ") + ": not used without placement servers")
	}
	if unused := r.Config.Differs(config.Default(), "fleet"); in.fleet == nil && len(unused) > 0 {
		r.warn(strings.Join(unused, ", ") + ": not used without fleet.prices")
	}
	if r.Config.Placement == config.PlacementServers {
		r.placing, err = binding.NewPlacing(&binding.PlacingInputs{Config: r.Config, Set: in.ruleset, Datacenters: in.Datacenters, Day: r.Day, Population: r.population})
		if err == nil {
			r.warn(r.placing.Warnings...)
		}
		return err
	}
	for i, q := range r.Config.AllQueues() {
		regions := binding.Regions(r.Config, q, in.Datacenters, in.InUse)
		bind := binding.Bind
		if q.External.Matcher != "" {
			bind = binding.BindExternal
		}
		rules, err := bind(r.Config, q, in.rulesets[i], regions, r.population)
		if err != nil {
			return err
		}
		if rules != nil {
			r.Warnings = append(r.Warnings, rules.Warnings...)
		}
		r.queues = append(r.queues, &replicationQueue{q, rules})
		r.warn(r.queues[i].requeueWarnings(r.Config)...)
		r.warn(q.PartyWarnings("party_id", r.Day.PartySizes(), in.rulesets[i])...)
	}
	r.router, err = r.newRouter()
	return err
}

// matchSize returns the number of players in a full match.
func (q *replicationQueue) matchSize() int {
	if q.rules != nil {
		return q.rules.Sim.Set.MaxPlayers
	}
	return q.config.Match.Size
}

// setup returns the description of the queue for reports.
func (q *replicationQueue) setup(c *config.Config) setup.Queue {
	simulated := q.sim(c)
	return setup.Queue{
		Name: q.config.Name, MatchSize: q.matchSize(), Rules: q.rulesetSetup(c), Asks: q.config.Match.Acceptance.Required, Refills: q.config.Match.Leave.Refills(),
		Steps: binding.Steps(c, q.config, simulated.InForce()),
	}
}

// requeueWarnings warns if tickets that begin to wait anew after a proposal differ in nothing from those
// that keep their age.
func (q *replicationQueue) requeueWarnings(c *config.Config) []string {
	a := &q.config.Match.Acceptance
	if !a.Required || !a.Anew || q.config.External.Matcher != "" {
		return nil
	}
	if slices.ContainsFunc(q.setup(c).Steps, func(s setup.Step) bool { return s.State == sim.StateNew && s.After > 0 }) {
		return nil
	}
	of := ""
	if q.config.Name != "" {
		of = " of the queue " + q.config.Name
	}
	return []string{"match.acceptance.requeue: new is the same as age, because no rule" + of + " relaxes with the wait"}
}

// sim converts the queue to the simulator's type.
func (q *replicationQueue) sim(c *config.Config) sim.Queue {
	m := &q.config.Match
	s := sim.Queue{
		WarmBodyFor: config.SimSpan(c.WarmbodyFor(q.config)),
		MatchSize:   m.Size, Leave: m.Leave.Sim(), MatchLength: m.Length, Order: m.Order, Prefer: m.Prefer,
		PartnerCooldown: config.SimSpan(m.PartnerCooldown), KeepTogether: m.KeepTogether,
	}
	if q.rules != nil {
		s.Rules = q.rules.Sim
	}
	if q.config.Placement == config.PlacementPool {
		s.Placement, s.GiveUp = sim.PlacePool, config.SimSpan(c.Players.GiveUpAfter)
	}
	if m.Acceptance.Required {
		s.Acceptance = &m.Acceptance.Acceptance
	}
	return s
}

// router assigns parties to queues. A party goes to the first queue whose condition its first
// player meets. If there is none, a random draw for the first player picks one of the queues
// without a condition, according to their shares.
type router struct {
	conditions []queueCondition
	rest       []int     // queues without a condition
	upTo       []float64 // cumulative shares of rest, up to 1
	draw       sim.Stream
}

// queueCondition is a queue's condition on a player attribute.
type queueCondition struct {
	queue     int
	attribute *population.Attribute
	number    float64 // if the attribute is a number
	text      string  // if the attribute is a text
}

// newRouter creates the router of a replication. It returns nil if a single queue takes all
// parties.
func (r *Replication) newRouter() (*router, error) {
	if len(r.queues) == 1 && r.queues[0].config.When == (config.Condition{}) {
		return nil, nil
	}
	c := &router{draw: sim.NewStream(r.Config.Seed, uint64(r.Config.Run), sim.PurposeQueue)}
	sum := 0.0
	for i, q := range r.queues {
		if q.config.When == (config.Condition{}) {
			sum += max(q.config.Share, 1e-9) // not 0, because the sum is a divisor below
			c.rest, c.upTo = append(c.rest, i), append(c.upTo, sum)
			continue
		}
		condition, err := r.newCondition(i, q.config.When)
		if err != nil {
			return nil, err
		}
		c.conditions = append(c.conditions, condition)
	}
	for i := range c.upTo {
		c.upTo[i] /= sum
	}
	if len(c.rest) == 0 {
		return c, c.checkAll(r)
	}
	return c, nil
}

// newCondition looks up the attribute of a condition in the population.
func (r *Replication) newCondition(queue int, when config.Condition) (queueCondition, error) {
	key := fmt.Sprintf("queues[%d].when", queue)
	c := queueCondition{queue: queue, attribute: r.population.Attribute(when.Attribute), text: when.Value}
	switch {
	case c.attribute == nil:
		names := binding.AttributeNames(r.population)
		return c, r.Config.Errorf(key, "got the attribute %q, expected a column of the data or an entry of players.attributes: %s%s",
			when.Attribute, binding.Listed(names), input.DidYouMean(when.Attribute, names))
	case r.season != nil && r.season.Hides(c.attribute):
		return c, r.season.Hidden("which the queues read (" + key + ")")
	case c.attribute.Kind == datasets.List:
		return c, r.Config.Errorf(key, "got the list %s, expected an attribute with one value", when.Attribute)
	case c.attribute.Kind == datasets.Number:
		var err error
		if c.number, err = strconv.ParseFloat(when.Value, 64); err != nil {
			return c, r.Config.Errorf(key, "got %q for %s, expected a number, because the attribute is numeric", when.Value, when.Attribute)
		}
	}
	return c, nil
}

// checkAll checks, before the run, that every party meets the condition of at least one queue. A
// queue without a condition accepts all parties, so the check is needed only if there is none. It
// replays all days of the run, because generated attributes differ between days. A season has more
// persons than these: see beginSeason.
func (c *router) checkAll(r *Replication) error {
	all := r.arrivals()
	all.router = c
	for next := (sim.Arrival{}); all.Next(&next); {
		if next.Queue != noQueue {
			continue
		}
		return c.noQueueError(r, &next.Members[0])
	}
	return nil
}

// noQueueError returns the error about a party that no queue takes.
func (c *router) noQueueError(r *Replication, first *sim.Person) error {
	var has []string
	for i := range c.conditions {
		a := c.conditions[i].attribute
		value := fmt.Sprintf("%s %q", a.Name, a.Append(nil, (*population.Person)(first)))
		if !slices.Contains(has, value) {
			has = append(has, value)
		}
	}
	return r.Config.Errorf("queues", "got a player with %s (row %d of the data) who fits no queue: expected a when for every value, or a queue without when",
		strings.Join(has, ", "), first.Row+1)
}

// noQueue is the result of queueOf for a party that no queue takes.
const noQueue = -1

// queueOf returns the queue of the party whose first player is p, or noQueue.
func (c *router) queueOf(p *sim.Person) int {
	for i := range c.conditions {
		if d := &c.conditions[i]; d.holds((*population.Person)(p)) {
			return d.queue
		}
	}
	switch len(c.rest) {
	case 0:
		return noQueue // in a run only in a season, see checkAll
	case 1:
		return c.rest[0]
	}
	u := c.draw.Uniform(p.Entity, 0)
	for i, upTo := range c.upTo {
		if u < upTo {
			return c.rest[i]
		}
	}
	return c.rest[len(c.rest)-1]
}

func (c *queueCondition) holds(p *population.Person) bool {
	if c.attribute.Kind == datasets.Number {
		return c.attribute.Number(p) == c.number
	}
	return c.attribute.Dictionary()[c.attribute.Text(p)] == c.text
}
