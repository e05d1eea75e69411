package matcher

import (
	"math"
	"slices"
)

// pass makes one pass; see Pool.Pass. A seed that finds nothing is no candidate of
// later seeds: all that it could meet it was tried with.
//
// Cost: for every seed a count of those around it, in sets; for one that may find a match
// the candidates nearest to it, a few times as many as it takes, and for one in vain all
// in its reach, once for each of its regions.
func (s *starSearch) pass() {
	p := s.pool
	if s.rules.Backfill {
		for _, row := range slices.Clone(p.sessions) {
			s.backfill(row, &p.out)
		}
	}
	p.all.wake(&p.all.alone, nil)
	s.seeds(&p.all, &p.all.alone, nil, 0)
}

// seeds makes each member of a subset the seed, in order of age, until there are as
// many matches as wanted; 0: all.
func (s *starSearch) seeds(of *Subset, r *recall, reserve *Subset, limit int) {
	p := s.pool
	s.recount()
	for i := range of.members {
		row := of.members[i].row
		if p.state[row] != rowTicket {
			continue
		}
		if of.gathered.turn(row); of.asking {
			of.ask(r, row)
		}
		if r.memory[row].missing > 0 {
			continue
		}
		failed := s.match(&circle{of, reserve, row, i})
		s.vain = failed.missing > 0
		switch {
		case failed.missing > 0:
			if failed.exhausted {
				p.out.BudgetHits = append(p.out.BudgetHits, BudgetHit{row, GroupSearch})
			}
			of.fails(r, i, row, failed)
		case len(p.out.Matches) == limit:
			return
		}
	}
}

// match looks for a match around a ticket. If it finds none it returns what to
// remember of that.
func (s *starSearch) match(c *circle) (failed seedMemory) {
	p, seed, gathered := s.pool, c.seed, &c.subset.gathered
	sizes := s.rows[seed].sizes
	indexed := c.subset == &p.all && p.index.on && !s.vain // it may show a match before all are counted
	need, room := sizes.MinTeams*sizes.MinPlayers-int(p.size[seed]), sizes.MaxPlayers
	switch {
	case sizes.single():
		need, room = 0, 0
	case int(p.size[seed]) > sizes.MaxPlayers:
		return seedMemory{missing: math.MaxInt32}
	case !s.possible(sizes, int(p.size[seed])) || s.exhaustible(seed, sizes):
		return seedMemory{missing: 1}
	case indexed || c.reserve != nil || c.subset.asking: // who asks has counted
	default:
		if there := int(gathered.fullest(seed, p.near(seed), int32(room))); there < need {
			return seedMemory{missing: int32(need - there), counted: true}
		}
	}
	s.steps = 0
	if !indexed {
		gathered.meet(seed)
	}
	missing := need
	for _, region := range s.reached(seed) {
		if !indexed && c.reserve == nil { // to count takes less than to list
			if there := int(gathered.playersAt(seed, region)); there < need {
				missing = min(missing, need-there)
				continue
			}
		}
		players := s.begin(c, region, room, indexed)
		if missing = min(missing, need-players); players < need {
			continue
		}
		if !s.fill(sizes) {
			failed.exhausted = failed.exhausted || s.hit
			continue
		}
		if s.rules.Balance {
			s.balance(sizes, nil)
		}
		proposal := s.propose(nil)
		if region != NoRegion {
			proposal.Region, proposal.Regions = region, p.regionSlice(region)
		}
		p.out.Matches = append(p.out.Matches, proposal)
		for _, row := range proposal.Tickets {
			p.Remove(row)
		}
		gathered.leave(proposal.Tickets)
		return seedMemory{}
	}
	failed.missing, failed.counted = int32(max(1, missing)), missing > 0
	return failed
}

// possible tells whether the smallest teams can be made of all who wait, as far as
// their sizes tell.
func (s *starSearch) possible(sizes *TeamSizes, seed int) bool {
	p := s.pool
	if sizes.single() {
		return true
	}
	if seed > sizes.MaxPlayers || p.waiting < sizes.MinTeams {
		return false
	}
	const bits = 64
	if sizes.MaxPlayers >= bits {
		return true
	}
	sums := uint64(1) // bit n: some tickets have n players together
	for size := 1; size < len(p.sizes) && size <= sizes.MaxPlayers; size++ {
		for range min(p.sizes[size], sizes.MaxPlayers/size) {
			sums |= sums << size
		}
	}
	allowed := uint64(1)<<(sizes.MaxPlayers+1) - 1<<sizes.MinPlayers // numbers of a team
	return sums&allowed != 0 && sums<<seed&allowed != 0
}

// backfill looks for tickets that join a session.
func (s *starSearch) backfill(row Row, out *Outcome) {
	p := s.pool
	session := p.details[row]
	sizes := s.rows[row].sizes
	s.begin(&circle{seed: row}, session.Region, min(sizes.MaxPlayers, session.Capacity-len(session.Members)), p.index.on)
	s.seat(session)
	if !s.admitAll(session, sizes) {
		return
	}
	if s.rules.Balance {
		s.balance(&TeamSizes{MaxTeams: max(sizes.MaxTeams, len(s.teams)), MaxPlayers: sizes.MaxPlayers}, session)
	}
	proposal := s.propose(session)
	if session.Region != NoRegion {
		proposal.Region, proposal.Regions = session.Region, p.regionSlice(session.Region)
	}
	out.Backfills = append(out.Backfills, Backfill{row, proposal})
	p.Remove(row)
	for _, ticket := range proposal.Tickets {
		p.Remove(ticket)
	}
}

// seat lists the teams of a session as they stand.
func (s *starSearch) seat(session *Session) {
	for i := range session.Members {
		m := &session.Members[i]
		for len(s.teams) <= m.Team {
			s.teams = append(s.teams, starTeam{})
		}
		t := &s.teams[m.Team]
		t.size++
		if v := m.at(s.rules.People); v.Kind == IsText {
			t.fixed = append(t.fixed, v.Text)
		}
	}
	for i := range s.teams {
		slices.Sort(s.teams[i].fixed)
	}
}

// propose turns the group into a proposal; of a session it leaves out the seed.
// Teams that nobody is in are left out of a new match.
func (s *starSearch) propose(session *Session) Proposal {
	p, members := s.pool, s.members
	s.sides = append(s.sides[:0], make([]int, len(s.teams))...) // of a team its place among the sides, from 1
	sides := 0
	if session != nil {
		members = members[1:]
		for sides = range s.teams {
			s.sides[sides] = sides + 1
		}
		sides = len(s.teams)
	}
	from := len(p.rows)
	for _, m := range members {
		p.rows = append(p.rows, m.row)
		if s.sides[m.team] == 0 {
			sides++
			s.sides[m.team] = sides
		}
	}
	proposal := Proposal{Tickets: p.rows[from:len(p.rows):len(p.rows)], Region: NoRegion}
	from = len(p.sides)
	for side := 1; side <= sides; side++ {
		first := len(p.rows)
		for _, m := range members {
			if s.sides[m.team] == side {
				p.rows = append(p.rows, m.row)
			}
		}
		p.sides = append(p.sides, Side{Tickets: p.rows[first:len(p.rows):len(p.rows)]})
	}
	proposal.Teams = p.sides[from:len(p.sides):len(p.sides)]
	for i := 0; session != nil && i < len(session.Members); i++ {
		side := &proposal.Teams[session.Members[i].Team]
		side.Members = append(side.Members, i)
	}
	return proposal
}
