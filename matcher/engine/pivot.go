package engine

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/pivot"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// pivots forms matches around a seed. Candidates are compared only with the seed.
type pivots struct {
	pool     *Pool
	rules    *pivot.Rules
	search   *pivot.Search
	solver   split.Solver
	even     split.Even
	given    []int // scratch of balance
	listed   []Row
	reserve  []Row
	distinct []int                 // by option: number of distinct values of all waiting tickets; -1: not counted in this pass
	seen     map[matcher.Text]bool // scratch of values

	// memory of the proposals
	rows       []Row
	sides      []matcher.Side
	order      []int // the team of each side of a proposal
	regionList []matcher.Region
}

func newPivots(p *Pool) *pivots {
	return &pivots{pool: p, rules: pivot.Compile(p.rules, p.schema), distinct: make([]int, len(p.rules.Pivot.Options)),
		seen: make(map[matcher.Text]bool)}
}

// begin implements method.
func (v *pivots) begin() {
	budget := v.pool.rules.Budget
	if budget == 0 {
		budget = matcher.DefaultBudget
	}
	v.rules.Attach(v.pool.rows)
	v.search = pivot.NewSearch(v.rules, budget)
}

// forget implements method.
func (v *pivots) forget() {
	v.rows, v.sides, v.regionList = v.rows[:0], v.sides[:0], v.regionList[:0]
	for i := range v.distinct {
		v.distinct[i] = -1
	}
}

func (v *pivots) largestTicket() int { return v.rules.LargestTicket() }

// refuse refuses a ticket whose measured regions are all too far away.
func (v *pivots) refuse(t *matcher.Ticket) error {
	if bestMS, tooFar := v.rules.Regions.TooFar(t.From, t.Players); tooFar {
		return matcher.Refusal(fmt.Sprintf("no region within %v ms, the nearest common one is at %v ms", v.rules.Set.Region.MaxMS, bestMS))
	}
	return nil
}

func (v *pivots) refuseSession(s *matcher.Session) error {
	for i := range s.Members {
		if team := s.Members[i].Team; team < 0 || team >= matcher.MaxGroupPlayers {
			return matcher.Refusal(fmt.Sprintf("a player of a session is in team %d of %d", team, matcher.MaxGroupPlayers))
		}
	}
	return nil
}

func (v *pivots) load(row Row, t *matcher.Ticket) {
	v.rules.Load(row, t.Values, t.Players, t.From, matcher.NoRegion)
}

func (v *pivots) loadSession(row Row, s *matcher.Session) {
	players := playersOf(s)
	v.rules.Regions.Measure(players)
	v.rules.Load(row, s.Values, players, matcher.NoPlace, s.Region)
}

func (v *pivots) clear(Row) {}

func (v *pivots) addPlace(rttMS []float64) int32 {
	v.rules.Regions.Measure([]matcher.Player{{RTTMS: rttMS}})
	return v.rules.Regions.AddPlace()
}

func (v *pivots) changed() bool { return false }

func (v *pivots) stageAt(waitMS int64) store.Stage { return v.rules.StageAt(waitMS) }

func (v *pivots) indexRules() *candidate.Rules { return &v.rules.Index }

func (v *pivots) criteria() []criterion.Criterion { return nil }

// room implements method: a ticket fits if it fits into a team.
func (v *pivots) room(seed Row) int32 {
	most := v.rules.Sizes(seed).MaxPlayers
	if v.pool.rows.Kind[seed] == store.Session {
		s := v.pool.details[seed]
		most = min(most, s.Capacity-len(s.Members))
	}
	return int32(min(most, matcher.MaxGroupPlayers))
}

// try implements method.
func (v *pivots) try(c *circle) verdict {
	p := v.pool
	if c.session {
		return v.backfill(c)
	}
	sizes, players := v.rules.Sizes(c.seed), int(p.rows.Players[c.seed])
	need, single := sizes.MinTeams*sizes.MinPlayers-players, pivot.Single(sizes)
	if !single && (players > sizes.MaxPlayers || v.tooFewValues(c, sizes)) {
		return failed
	}
	if !single && !c.subset.index.Enough(int32(need)-c.reserved) { // counting is cheaper than comparing
		return failed
	}
	v.search.NewSeed()
	for _, region := range v.rules.Regions.Reached(c.seed) {
		if single {
			v.search.Begin(c.seed, region, 0)
		} else if !v.gather(c, region, need) {
			continue
		}
		if !v.search.Fill(sizes) {
			continue
		}
		if v.rules.Set.Balance {
			v.balance(*sizes, nil)
		}
		proposal := v.propose(nil, region)
		p.out.Matches = append(p.out.Matches, proposal)
		v.take(c, proposal.Tickets)
		return matched
	}
	if !v.search.Hit {
		return failed
	}
	p.around(c) // the query was narrowed to regions
	p.out.BudgetHits = append(p.out.BudgetHits, matcher.BudgetHit{Seed: c.seed, What: matcher.GroupSearch})
	return exhausted
}

// gather collects the candidates of a seed in a region. It returns false if they have fewer
// players than needed.
func (v *pivots) gather(c *circle, region matcher.Region, need int) bool {
	p, index := v.pool, c.subset.index
	if region != matcher.NoRegion {
		index.Only(pivot.RegionRule, 1<<region)
	}
	if !index.Enough(int32(need) - c.reserved) {
		return false
	}
	v.search.Begin(c.seed, region, v.room(c.seed))
	players := math.MaxInt32 // no upper bound is known
	if v.listed = index.Append(v.listed[:0]); len(v.listed) > pivot.Few && len(v.rules.Set.Distances) > 0 {
		v.search.Outward(index.Outward())
	} else {
		players = v.search.Offer(v.listed, false)
	}
	if players+int(c.reserved) < need {
		return false
	}
	if c.reserve != nil {
		v.reserve = v.reserve[:0]
		for i := range c.reserve.members {
			if row := c.reserve.members[i].Row; p.rows.Kind[row] == store.Ticket {
				v.reserve = append(v.reserve, row)
			}
		}
		players += v.search.Offer(v.reserve, true)
	}
	return players >= need
}

// take removes the tickets of a proposal from the pool.
func (v *pivots) take(c *circle, tickets []Row) {
	for _, row := range tickets {
		v.pool.Remove(row)
		c.subset.index.Close(row)
	}
}

// backfill looks for tickets to join a session.
func (v *pivots) backfill(c *circle) verdict {
	p, session := v.pool, v.pool.details[c.seed]
	if !v.rules.Set.Backfill {
		return failed
	}
	sizes := v.rules.Sizes(c.seed)
	c.subset.index.Around(c.seed, p.rows.Stage[c.seed], v.room(c.seed), true)
	v.gather(c, session.Region, 0)
	if !v.search.Join(session, sizes) {
		return failed
	}
	if v.rules.Set.Balance {
		teams := max(sizes.MaxTeams, len(v.search.Teams))
		v.balance(matcher.TeamSizes{MaxTeams: teams, MaxPlayers: sizes.MaxPlayers}, session)
	}
	proposal := v.propose(session, session.Region)
	p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: c.seed, Proposal: proposal})
	p.Remove(c.seed)
	v.take(c, proposal.Tickets)
	return matched
}

// tooFewValues reports whether options alone rule out a match around a seed: if no value may
// repeat, every ticket needs a value of its own. It counts the values of all waiting tickets,
// once in a pass.
func (v *pivots) tooFewValues(c *circle, sizes *matcher.TeamSizes) bool {
	for i := range v.rules.Set.Options {
		own := len(v.rules.Options(c.seed)[i])
		if v.rules.Set.Options[i].Kind != matcher.NoRepeat || own == 0 {
			continue
		}
		if v.distinct[i] < 0 {
			v.distinct[i] = v.values(i)
		}
		largest := c.subset.index.Largest(int32(min(sizes.MaxPlayers, math.MaxInt32)))
		if c.reserve != nil {
			largest = int32(sizes.MaxPlayers)
		}
		players := int(v.pool.rows.Players[c.seed]) + (v.distinct[i]-own)*int(largest)
		if players < sizes.MinTeams*sizes.MinPlayers {
			return true
		}
	}
	return false
}

// values counts the distinct values of an option over all waiting tickets.
func (v *pivots) values(option int) int {
	clear(v.seen)
	for i := range v.pool.all.members {
		if row := v.pool.all.members[i].Row; v.pool.rows.Kind[row] == store.Ticket {
			for _, text := range v.rules.Options(row)[option] {
				v.seen[text] = true
			}
		}
	}
	return len(v.seen)
}

// balance divides the group's tickets into teams that are as even as possible. The players of a
// session keep their teams, and its teams have no minimum size.
func (v *pivots) balance(sizes matcher.TeamSizes, session *matcher.Session) {
	s := v.search
	tickets := s.Members
	if session != nil {
		tickets = tickets[1:]
	}
	if sizes.MaxTeams == 1 || pivot.Single(&sizes) {
		return
	}
	v.solver.Reset(1)
	teams := min(sizes.MaxTeams, len(s.Teams)+len(tickets))
	for range teams {
		v.solver.AddTeam(sizes.MinPlayers, sizes.MaxPlayers)
	}
	if session != nil {
		for i := range session.Members {
			m := &session.Members[i]
			v.solver.Seat(m.Team, 1, v.rules.StrengthOf(&m.Player))
		}
	}
	v.given = v.given[:0]
	for i := range tickets {
		m := &tickets[i]
		v.solver.AddUnit(int(v.pool.rows.Players[m.Row]), false, v.rules.Strength(m.Row))
		v.given = append(v.given, m.Team)
	}
	v.even = split.Even{Given: v.given, MinTeams: sizes.MinTeams, MoreTeams: sizes.MaxTeams > teams}
	if v.rules.Set.Blocking == matcher.OtherTeams {
		v.even.Apart = func(i, k int) bool { return v.rules.Block(tickets[i].Row, tickets[k].Row) }
		v.even.Barred = func(i, team int) bool { return s.Barred(team, tickets[i].Row) }
	}
	v.solver.Split(&v.even)
	for k := range tickets {
		unit, team := v.solver.Placed(k)
		for len(s.Teams) <= team {
			s.Teams = append(s.Teams, pivot.Team{})
		}
		tickets[unit].Team = team
	}
}

// propose converts the group into a proposal. The proposal of a session leaves out the seed. A
// new match has no teams without players, and its first team is the seed's.
func (v *pivots) propose(session *matcher.Session, region matcher.Region) matcher.Proposal {
	members := v.search.Members
	v.order = v.order[:0]
	if session != nil {
		members = members[1:]
		for team := range v.search.Teams {
			v.order = append(v.order, team)
		}
	}
	from := len(v.rows)
	for _, m := range members {
		v.rows = append(v.rows, m.Row)
		if !slices.Contains(v.order, m.Team) {
			v.order = append(v.order, m.Team)
		}
	}
	proposal := matcher.Proposal{Tickets: v.rows[from:len(v.rows):len(v.rows)], Region: region}
	from = len(v.sides)
	for _, team := range v.order {
		first := len(v.rows)
		for _, m := range members {
			if m.Team == team {
				v.rows = append(v.rows, m.Row)
			}
		}
		v.sides = append(v.sides, matcher.Side{Tickets: slices.Clip(v.rows[first:])})
	}
	proposal.Teams = v.sides[from:len(v.sides):len(v.sides)]
	v.regionList = complete(&proposal, session, v.regionList)
	return proposal
}

// complete adds the members of a session (nil without one) to the teams of a proposal, and
// appends the proposal's region to regions.
func complete(proposal *matcher.Proposal, session *matcher.Session, regions []matcher.Region) []matcher.Region {
	for i := 0; session != nil && i < len(session.Members); i++ {
		side := &proposal.Teams[session.Members[i].Team]
		side.Members = append(side.Members, i)
	}
	if proposal.Region != matcher.NoRegion {
		regions = append(regions, proposal.Region)
		proposal.Regions = slices.Clip(regions[len(regions)-1:])
	}
	return regions
}
