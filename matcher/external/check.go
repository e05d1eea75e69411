package external

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// A checker holds accepted matches against a ruleset.
//
// Rules about pairs and about the match as a whole are each asked by themselves: a pool of
// the engine with the match's tickets, that rule alone and the match's size either makes
// the match or it does not. Rules about teams are computed for the teams that were named.
// Under PivotRules every ticket is compared with the oldest one. SeatRules are not checked.
type checker struct {
	set    *matcher.Ruleset
	schema *matcher.Schema
	names  []string
	pools  map[ruleAndSize]*engine.Pool
	rows   []matcher.Row
	apart  engine.Apart
}

// ruleAndSize names a pool; of PivotRules there is one.
type ruleAndSize struct{ rule, players int }

// ruled is a ticket as rules see it.
type ruled struct{ matcher.Ticket }

// Checks tells whether matches can be held against a ruleset.
func Checks(set *matcher.Ruleset) bool { return set.Seats == nil }

func newChecker(set *matcher.Ruleset, schema *matcher.Schema) (*checker, error) {
	c := &checker{set: set, schema: schema, names: set.RuleNames(), pools: map[ruleAndSize]*engine.Pool{}}
	if set.Pivot == nil {
		return c, nil
	}
	pool, err := engine.NewPool(set, schema)
	c.pools[ruleAndSize{}] = pool
	return c, err
}

// keep copies a ticket.
func (c *checker) keep(t *matcher.Ticket) *ruled {
	r := &ruled{*t}
	r.Values = clone(t.Values)
	r.Players = slices.Clone(t.Players)
	for i := range r.Players {
		r.Players[i].Values = clone(t.Players[i].Values)
	}
	return r
}

func clone(values []matcher.Value) []matcher.Value {
	values = slices.Clone(values)
	for i := range values {
		values[i].Set = slices.Clone(values[i].Set)
	}
	return values
}

// match returns the names of the rules that an accepted proposal breaks.
func (c *checker) match(p *Pool, proposal *matcher.Proposal, nowMS int64) []string {
	tickets := make([]*matcher.Ticket, len(proposal.Tickets))
	for i, row := range proposal.Tickets {
		tickets[i] = &p.rows[row].params.Ticket
	}
	datacenter := int(proposal.Region)
	if proposal.Region == matcher.NoRegion {
		datacenter = p.fairest(proposal.Tickets)
	}
	for i, row := range proposal.Tickets {
		for j := range tickets[i].Players { // the match goes there: rules look at no other region
			list := slices.Repeat([]float64{math.NaN()}, len(p.Hello.Datacenters))
			list[datacenter] = p.rows[row].ticket.Players[j].RTTMS[datacenter]
			tickets[i].Players[j].RTTMS = list
		}
	}
	if c.set.Pivot != nil {
		return c.aroundOldest(tickets, nowMS)
	}
	players := 0
	for _, t := range tickets {
		players += len(t.Players)
	}
	var broken []string
	for at, rule := range c.set.Rules {
		holds := true
		if matcher.IsTeamRule(rule) {
			holds = proposal.Teams == nil || c.teams(rule, p, proposal, nowMS)
		} else if len(tickets) > 1 {
			holds = c.whole(at, players, tickets, nowMS)
		}
		if !holds {
			broken = append(broken, c.names[at])
		}
	}
	return broken
}

// fairest returns the datacenter with the lowest worst RTT, the first such.
func (p *Pool) fairest(rows []matcher.Row) int {
	best, bestMS := 0, math.Inf(1)
	for datacenter := range p.Hello.Datacenters {
		worst := 0.0
		for _, row := range rows {
			t := p.rows[row].ticket
			for i := range t.Players {
				worst = max(worst, t.Players[i].RTTMS[datacenter])
			}
		}
		if worst < bestMS {
			best, bestMS = datacenter, worst
		}
	}
	return best
}

// whole tells whether a rule lets the tickets be one match.
func (c *checker) whole(at, players int, tickets []*matcher.Ticket, nowMS int64) bool {
	key := ruleAndSize{at, players}
	pool := c.pools[key]
	if pool == nil {
		alone := *c.set
		alone.MinPlayers, alone.MaxPlayers, alone.MaxTicket, alone.PartitionAbove = players, players, 0, 0
		alone.Teams, alone.Rules = nil, []matcher.Rule{c.set.Rules[at]}
		var err error
		if pool, err = engine.NewPool(&alone, c.schema); err != nil {
			panic("external: a rule by itself is refused: " + err.Error())
		}
		c.pools[key] = pool
	}
	c.rows = c.rows[:0]
	for _, t := range tickets {
		row, err := pool.Add(*t)
		if err != nil {
			c.empty(pool)
			return false
		}
		c.rows = append(c.rows, row)
	}
	if out := pool.Pass(nowMS); len(out.Matches) == 1 {
		return true
	}
	c.empty(pool)
	return false
}

// empty takes the tickets of a match out of a pool.
func (c *checker) empty(pool *engine.Pool) {
	for _, row := range c.rows {
		pool.Remove(row)
	}
}

// aroundOldest returns the rules that keep a ticket apart from the oldest one.
func (c *checker) aroundOldest(tickets []*matcher.Ticket, nowMS int64) []string {
	pool := c.pools[ruleAndSize{}]
	c.rows = c.rows[:0]
	oldest, refused := 0, false
	for i, t := range tickets {
		row, err := pool.Add(*t)
		if err != nil {
			refused = true
			continue
		}
		if c.rows = append(c.rows, row); t.CreatedMS < tickets[oldest].CreatedMS {
			oldest = i
		}
	}
	var broken []string
	if !refused {
		clear(c.apart.ByRule)
		c.apart = engine.Apart{ByRule: c.apart.ByRule}
		pool.KeptApart(nowMS, c.rows[oldest], &c.apart)
		for at, n := range c.apart.ByRule {
			if n > 0 {
				broken = append(broken, c.names[at])
			}
		}
	}
	if refused || c.apart.TooMany > 0 {
		broken = append(broken, c.names[len(c.names)-1]) // team sizes
	}
	c.empty(pool)
	return broken
}

// teams tells whether the teams of a proposal keep a rule about teams.
func (c *checker) teams(rule matcher.Rule, p *Pool, proposal *matcher.Proposal, nowMS int64) bool {
	longest, shortest := int64(0), matcher.Never
	for _, row := range proposal.Tickets {
		wait := nowMS - p.rows[row].ticket.CreatedMS
		longest, shortest = max(longest, wait), min(shortest, wait)
	}
	stage, optional := longest, shortest
	if c.set.ExpansionBasis == matcher.ShortestWait {
		stage = shortest
	}
	if c.set.OptionalBasis == matcher.AnyWaited {
		optional = longest
	}
	if optional >= rule.Settings().OptionalAfterMS {
		return true
	}
	switch rule := rule.(type) {
	case *matcher.TeamGap:
		bound, active := rule.Max.At(stage)
		return !active || c.spread(p, proposal, func(t *matcher.Ticket) (sum, weight float64) {
			for i := range t.Players {
				v := t.Players[i].Value(rule.Column)
				if v.Kind != matcher.IsNumber {
					v.Number = rule.Default
				}
				sum, weight = sum+v.Number, weight+1
			}
			return sum, weight
		}) <= bound+tolerance
	case *matcher.TeamBalance:
		bound, active := rule.Max.At(stage)
		return !active || c.spread(p, proposal, func(t *matcher.Ticket) (sum, weight float64) {
			return float64(len(t.Players)), 0
		}) <= bound
	case *matcher.LargeParties:
		most := 0
		for _, team := range c.set.Teams {
			most = max(most, team.Max)
		}
		with := c.teamsWith(p, proposal, most)
		return with == 0 || with == len(proposal.Teams)
	}
	return true
}

// tolerance is that of the engine for sums of decimal numbers.
const tolerance = 1e-9

// spread returns the difference between the highest and the lowest value of a team: the
// sum over its tickets, divided by the weights where there are any.
func (c *checker) spread(p *Pool, proposal *matcher.Proposal, of func(*matcher.Ticket) (sum, weight float64)) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, side := range proposal.Teams {
		sum, weight := 0.0, 0.0
		for _, row := range side.Tickets {
			s, w := of(&p.rows[row].params.Ticket)
			sum, weight = sum+s, weight+w
		}
		if weight > 0 {
			sum /= weight
		}
		low, high = min(low, sum), max(high, sum)
	}
	return high - low
}

// teamsWith counts the teams that have a party of at least half of so many players.
func (c *checker) teamsWith(p *Pool, proposal *matcher.Proposal, most int) int {
	n := 0
	for _, side := range proposal.Teams {
		if slices.ContainsFunc(side.Tickets, func(row matcher.Row) bool { return 2*len(p.rows[row].params.Players) >= most }) {
			n++
		}
	}
	return n
}
