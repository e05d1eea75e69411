package engine

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/clique"
	"mmsim/matcher/engine/internal/store"
)

// groups forms groups in which every rule holds for every pair and for the whole.
type groups struct {
	pool     *Pool
	rules    *clique.Rules
	search   clique.Search
	ranker   *clique.Ranker
	teams    teams
	ordered  bool // the longest wait determines the stages
	negative bool // whether a ticket's sum was negative at the last call of changed
	regions  int  // number of regions of the schema at the last call of changed
	largest  int  // players of the largest ticket
	listed   []Row

	// memory of the proposals
	rows       []Row
	regionList []matcher.Region
}

func newGroups(p *Pool) *groups {
	g := &groups{pool: p, rules: clique.Compile(p.rules, p.schema), ordered: p.rules.ExpansionBasis == matcher.LongestWait}
	g.largest = p.rules.MaxPlayers - 1
	if p.rules.MaxTicket > 0 {
		g.largest = min(g.largest, p.rules.MaxTicket)
	}
	team := 0
	for _, t := range p.rules.Teams {
		team = max(team, t.Max)
	}
	if team > 0 {
		g.largest = min(g.largest, team)
	}
	return g
}

// begin implements method: it sets up the parts that need the rows.
func (g *groups) begin() {
	g.search = clique.Search{Rules: g.rules, Rows: g.pool.rows, Budget: g.pool.rules.Budget}
	if g.search.Budget == 0 {
		g.search.Budget = matcher.DefaultBudget
	}
	g.ranker = clique.NewRanker(g.rules, g.pool.rows)
	if len(g.pool.rules.Teams) > 0 {
		g.teams = teams{pool: g.pool, rules: g.rules}
		g.search.Teams = &g.teams
	}
}

// forget implements method.
func (g *groups) forget() {
	g.rows, g.regionList = g.rows[:0], g.regionList[:0]
	g.teams.begin()
}

func (g *groups) largestTicket() int { return g.largest }

func (g *groups) refuse(*matcher.Ticket) error { return nil }

func (g *groups) refuseSession(s *matcher.Session) error {
	teams := len(g.pool.rules.Teams)
	for i := range s.Members {
		if team := s.Members[i].Team; team != matcher.NoTeam && (team < 0 || team >= teams) {
			return matcher.Refusal(fmt.Sprintf("a player of a session is in team %d of %d", team, teams))
		}
	}
	return nil
}

func (g *groups) load(row Row, t *matcher.Ticket) {
	for _, c := range g.rules.All {
		if c == g.rules.Region && t.From != matcher.NoPlace {
			g.rules.Region.LoadPlace(row, int32(t.From))
			continue
		}
		c.Load(row, t.Players)
	}
}

func (g *groups) loadSession(row Row, s *matcher.Session) {
	players := playersOf(s)
	for _, c := range g.rules.All {
		if c == g.rules.Region {
			g.rules.Region.LoadSession(row, s.Region)
			continue
		}
		c.Load(row, players)
	}
}

func (g *groups) clear(row Row) {
	for _, c := range g.rules.All {
		c.Clear(row)
	}
}

func (g *groups) addPlace(rttMS []float64) int32 {
	if g.rules.Region == nil {
		return 1 // the rules do not use it
	}
	return g.rules.Region.AddPlace(rttMS)
}

func (g *groups) changed() bool {
	negative, regions := g.rules.Negative(), g.pool.schema.Regions()
	changed := negative != g.negative || regions != g.regions
	g.negative, g.regions = negative, regions
	return changed
}

func (g *groups) stageAt(waitMS int64) store.Stage { return g.rules.StageAt(waitMS) }

func (g *groups) indexRules() *candidate.Rules { return &g.rules.Index }

// room returns the number of players that fit in addition to a seed.
func (g *groups) room(seed Row) int32 {
	if g.pool.rows.Kind[seed] == store.Session {
		s := g.pool.details[seed]
		return int32(s.Capacity - len(s.Members))
	}
	return int32(g.pool.rules.MaxPlayers) - g.pool.rows.Players[seed]
}

// try implements method.
func (g *groups) try(c *circle) verdict {
	p, index := g.pool, c.subset.index
	if c.session {
		p.around(c)
	}
	need := int32(p.rules.MinPlayers) - p.rows.Players[c.seed]
	exact := g.ordered && !c.session && c.reserve == nil && !index.Tied()
	if c.reserve == nil && !c.session && !index.Enough(need) {
		return failed
	}
	seats := int32(p.rules.MaxPlayers)
	if c.session {
		seats = int32(p.details[c.seed].Capacity)
	}
	g.search.Begin(c.seed, seats, exact)
	lazy := exact && p.parts == nil && g.ranker.Lazy(c.seed, index.Reach())
	if lazy {
		g.listed = index.AppendKeyless(g.listed[:0])
	} else if g.listed = index.Append(g.listed[:0]); p.parts != nil {
		g.listed = p.samePart(g.listed, c.seed)
	}
	g.listed = g.search.Meeting(g.listed, !p.Unfiltered)
	if !lazy && c.reserve == nil {
		if g.listed = g.search.Core(g.listed); len(g.listed) == 0 {
			return failed
		}
	}
	if g.ranker.Begin(c.seed, g.listed, exact); lazy {
		g.ranker.Outward(index.Outward())
	}
	if c.reserve != nil {
		for i := range c.reserve.members {
			if row := c.reserve.members[i].Row; p.rows.Kind[row] == store.Ticket && row != c.seed {
				g.ranker.Reserve(row)
			}
		}
	}
	v := g.search.Run(g.ranker)
	return g.settle(c, v)
}

// settle adds the result of a search to the outcome.
func (g *groups) settle(c *circle, v clique.Verdict) verdict {
	p := g.pool
	if v == clique.Exhausted {
		p.out.BudgetHits = append(p.out.BudgetHits, matcher.BudgetHit{Seed: c.seed, What: matcher.GroupSearch})
	}
	if g.teams.hit {
		p.out.BudgetHits = append(p.out.BudgetHits, matcher.BudgetHit{Seed: c.seed, What: matcher.TeamSearch})
	}
	switch {
	case v == clique.Exhausted || v == clique.Nothing && g.teams.hit:
		return exhausted
	case v == clique.Nothing:
		return failed
	}
	proposal := g.propose()
	if c.session {
		proposal.Tickets = proposal.Tickets[1:]
		if at := p.details[c.seed].Region; at != matcher.NoRegion {
			g.regionList = append(g.regionList, at)
			proposal.Region, proposal.Regions = at, g.regionList[len(g.regionList)-1:len(g.regionList):len(g.regionList)]
		}
		p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: c.seed, Proposal: proposal})
		p.Remove(c.seed)
	} else {
		p.out.Matches = append(p.out.Matches, proposal)
	}
	for _, row := range proposal.Tickets {
		p.Remove(row)
		c.subset.index.Close(row)
	}
	return matched
}

// propose converts the group of the search into a proposal.
func (g *groups) propose() matcher.Proposal {
	p := g.pool
	from := len(g.rows)
	g.rows = append(g.rows, g.search.Group...)
	group := g.rows[from:len(g.rows):len(g.rows)]
	proposal := matcher.Proposal{Tickets: group, Region: matcher.NoRegion}
	if region := g.rules.Region; region != nil {
		players := 0
		for _, row := range group {
			if p.rows.Kind[row] == store.Ticket {
				players += int(p.rows.Players[row])
			}
		}
		enforced := g.rules.RegionEnforced(p.rows, g.search.Old, g.search.Young)
		first := len(g.regionList)
		g.regionList = region.Choices(g.regionList, group, players, enforced)
		proposal.Regions = g.regionList[first:len(g.regionList):len(g.regionList)]
	}
	if len(proposal.Regions) > 0 {
		proposal.Region = proposal.Regions[0]
	}
	if g.search.Teams != nil {
		proposal.Teams = g.teams.result(group[0])
	}
	return proposal
}
