package engine

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/clique"
	"mmsim/matcher/engine/internal/store"
)

// groups forms matches in which every pair of tickets, and the match as a whole, satisfies all
// rules.
type groups struct {
	pool     *Pool
	rules    *clique.Rules
	search   *clique.Search
	teams    teams
	negative bool  // whether any ticket had a negative sum when begin was last called
	listed   []Row // candidates of the current seed
	reserve  []Row // scratch space for try

	members []teamMember     // scratch space for propose
	choices []matcher.Region // scratch space for propose
}

func newGroups(p *Pool) *groups {
	g := &groups{pool: p, rules: clique.Compile(p.rules, p.schema)}
	largest, team := p.rules.MaxPlayers-1, 0
	if p.rules.MaxTicket > 0 {
		largest = min(largest, p.rules.MaxTicket)
	}
	for _, t := range p.rules.Teams {
		team = max(team, t.Max)
	}
	if team > 0 {
		largest = min(largest, team)
	}
	p.rows, p.index, p.largest, p.teams = store.New(g.rules.StageAt), &g.rules.Index, largest, len(p.rules.Teams)
	p.split, p.partSize, p.ranking, p.ownObstacle = g.split, p.rules.PartitionAbove, g.ranking, g.ownObstacle
	p.ordered = p.rules.OldestDecides()
	g.search = clique.NewSearch(g.rules, p.rows, p.budget)
	if p.teams > 0 {
		g.teams = teams{pool: p, rules: g.rules}
		g.search.Teams = &g.teams
	}
	return g
}

func (g *groups) load(row Row, t *matcher.Ticket) {
	for _, c := range g.rules.All {
		if c == g.rules.Region {
			g.rules.Region.LoadTicket(row, t.Players, t.From)
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

func (g *groups) addPlace(rttMS []float64) matcher.Place {
	if g.rules.Region == nil {
		return 1 // any value except NoPlace, because no rule reads places
	}
	return g.rules.Region.AddPlace(rttMS)
}

// begin implements method.begin.
func (g *groups) begin() (changed bool) {
	negative := g.rules.Negative()
	changed = negative != g.negative
	g.negative = negative
	return changed
}

// seats returns the largest number of players in a match around a seed.
func (g *groups) seats(seed Row) int {
	if g.pool.rows.Kind[seed] == store.Session {
		return g.pool.details[seed].Capacity
	}
	return g.pool.rules.MaxPlayers
}

// room returns the number of players for whom there is room in a match around a seed.
func (g *groups) room(seed Row) int32 { return int32(g.seats(seed)) - g.pool.rows.Players[seed] }

// try implements method.try.
func (g *groups) try(w *window) verdict {
	p, q := g.pool, w.query
	if w.session {
		p.around(w)
	}
	need := int32(p.rules.MinPlayers) - p.rows.Players[w.seed]
	exact := p.ordered && !w.session && w.reserve == nil && !w.subset.index.Tied()
	if w.reserve == nil && !w.session {
		if w.missing = q.Shortfall(need); w.missing > 0 {
			return failed
		}
	}
	g.search.Begin(w.seed, int32(g.seats(w.seed)), exact)
	lazy := exact && p.parts == nil && g.search.Lazy(w.seed, q.Size())
	if lazy {
		g.listed = q.AppendKeyless(g.listed[:0])
	} else {
		g.listed = p.samePart(q.Append(g.listed[:0]), w.seed)
	}
	g.listed = g.search.Meeting(g.listed, !p.Unfiltered)
	if !lazy && w.reserve == nil {
		if g.listed = g.search.Core(g.listed); len(g.listed) == 0 {
			if exact {
				w.missing = max(0, g.search.Missing)
			}
			return failed
		}
	}
	if w.reserve != nil {
		g.reserve = w.reserve.AppendRows(g.reserve[:0])
		g.search.Reserve(g.reserve)
	}
	if lazy {
		g.search.Outward(q.Outward())
	}
	g.search.Rank(g.listed)
	v := g.search.Run()
	if v == clique.Exhausted {
		p.exhaust(w.seed, matcher.GroupSearch)
	}
	if g.teams.hit {
		p.exhaust(w.seed, matcher.TeamSearch)
	}
	switch {
	case v == clique.Exhausted || v == clique.Nothing && g.teams.hit:
		return exhausted
	case v == clique.Nothing:
		return failed
	}
	return g.propose(w)
}

// propose adds the group that the search found to the outcome.
func (g *groups) propose(w *window) verdict {
	p, tickets := g.pool, g.search.Group
	if w.session {
		tickets = tickets[1:]
	}
	g.choices = g.choices[:0]
	if region := g.rules.Region; region != nil {
		players := 0
		for _, row := range tickets {
			players += int(p.rows.Players[row])
		}
		g.choices = region.Choices(g.choices, g.search.Group, players, g.rules.RegionEnforced(p.rows, g.search.Old, g.search.Young))
	}
	g.members = g.members[:0]
	if p.teams > 0 {
		g.members = g.teams.result(g.members)
	}
	return p.propose(w, tickets, g.members, g.teams.count, g.choices)
}
