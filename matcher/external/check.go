package external

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// A checker checks accepted matches against a ruleset. It puts the tickets of a match into an empty
// pool of the engine, which returns the rules that the match breaks. See engine.Pool.Broken.
type checker struct {
	set    *matcher.Ruleset
	names  []string
	refuse func(*matcher.Ticket) error
	pool   *engine.Pool
	rows   []matcher.Row // rows of the match's tickets, by index in its proposal, and then the row of its session
	broken []int
}

// RefusedTicket is listed among the broken rules if the service would have refused a ticket of the
// match.
const RefusedTicket = "refused ticket"

// checkedTicket is a copy of a ticket for the checker.
type checkedTicket struct {
	matcher.Ticket
	order   int   // position in the order in which tickets were added
	refused error // why the service would have refused the ticket, or nil
}

func newChecker(set *matcher.Ruleset, schema *matcher.Schema, refuse func(*matcher.Ticket) error) (*checker, error) {
	pool, err := engine.NewPool(set, schema)
	return &checker{set: set, names: set.RuleNames(), refuse: refuse, pool: pool}, err
}

// keep copies a ticket.
func (c *checker) keep(t *matcher.Ticket, order int) *checkedTicket {
	r := &checkedTicket{Ticket: *t, order: order}
	if c.refuse != nil {
		r.refused = c.refuse(t)
	}
	r.Values = clone(t.Values)
	r.Players = slices.Clone(t.Players)
	for i := range r.Players {
		r.Players[i].Values, r.Players[i].RTTMS = clone(t.Players[i].Values), slices.Clone(t.Players[i].RTTMS)
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

// match returns the names of the rules that an accepted proposal breaks. session is the session
// that the tickets join, or nil for a new match.
func (c *checker) match(p *Pool, session *matcher.Session, proposal *matcher.Proposal, nowMS int64) (names []string) {
	defer c.empty()
	c.rows = make([]matcher.Row, len(proposal.Tickets))
	byAge := make([]int, len(proposal.Tickets)) // for tickets of equal age, the engine uses the order in which they are added
	for i := range byAge {
		byAge[i] = i
	}
	ticket := func(i int) *checkedTicket { return p.rows[proposal.Tickets[i]].checked }
	slices.SortFunc(byAge, func(a, b int) int { return ticket(a).order - ticket(b).order })
	for i := range c.rows {
		c.rows[i] = noRow
	}
	made := matcher.Proposal{Region: proposal.Region}
	refused := false
	for _, i := range byAge {
		row, err := c.pool.Add(ticket(i).Ticket)
		if err != nil || ticket(i).refused != nil {
			refused = true
		}
		if err == nil {
			c.rows[i] = row
			made.Tickets = append(made.Tickets, row)
		}
	}
	made.Teams = c.teams(proposal)
	joins, known := c.join(session)
	if known && len(made.Tickets) > 0 {
		c.broken = c.pool.Broken(c.broken[:0], nowMS, joins, &made)
		for _, at := range c.broken {
			names = append(names, c.names[at])
		}
	}
	if refused {
		names = append(names, RefusedTicket)
	}
	return names
}

// teams returns the teams of a proposal with the rows of its tickets in the checker's pool. If the
// matches of the ruleset have no teams, it returns nil, and the teams are not checked.
func (c *checker) teams(proposal *matcher.Proposal) (teams []matcher.Side) {
	if !c.divides() {
		return nil
	}
	for _, side := range proposal.Teams {
		var rows []matcher.Row
		for _, row := range side.Tickets {
			if at := c.rows[slices.Index(proposal.Tickets, row)]; at != noRow {
				rows = append(rows, at)
			}
		}
		teams = append(teams, matcher.Side{Tickets: rows})
	}
	return teams
}

// noRow is the row of a ticket that the pool refused.
const noRow matcher.Row = -1

// join adds a session to the pool. known is false if the engine refuses the session, for example
// because the rules do not have the team of a player.
func (c *checker) join(session *matcher.Session) (row *matcher.Row, known bool) {
	if session == nil {
		return nil, true
	}
	s := *session
	s.Members = slices.Clone(s.Members)
	for i := range s.Members {
		m := &s.Members[i]
		switch {
		case !c.divides():
			m.Team = matcher.NoTeam
		case m.Team == matcher.NoTeam && (c.set.Pivot != nil || c.set.Seats != nil):
			m.Team = 0 // the engine refuses NoTeam under these rules, and Broken ignores the team if the proposal has no teams
		}
	}
	at, err := c.pool.AddSession(s)
	if err != nil {
		return nil, false
	}
	c.rows = append(c.rows, at)
	return &at, true
}

// divides reports whether the matches of the ruleset have teams.
func (c *checker) divides() bool { return c.set.Pivot != nil || len(c.set.TeamNames()) > 0 }

// empty removes the tickets and the session of the match from the pool.
func (c *checker) empty() {
	for _, row := range c.rows {
		if row != noRow {
			c.pool.Remove(row)
		}
	}
}

// fairest returns the datacenter in which the highest RTT of the players is lowest. If several are
// equal, it returns the first. If no datacenter was measured by all players, it returns NoRegion.
func (p *Pool) fairest(rows []matcher.Row) matcher.Region {
	best, bestMS := matcher.NoRegion, math.Inf(1)
	for datacenter := range p.Hello.Datacenters {
		worst := 0.0
		for _, row := range rows {
			t := p.rows[row].ticket
			for i := range t.Players {
				worst = max(worst, t.Players[i].RTTMS[datacenter])
			}
		}
		if worst < bestMS {
			best, bestMS = matcher.Region(datacenter), worst
		}
	}
	return best
}
