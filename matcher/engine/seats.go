package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/seating"
	"mmsim/matcher/engine/internal/store"
)

// seats forms groups by Ruleset.Seats: it seats tickets in named teams.
type seats struct {
	pool    *Pool
	rules   *seating.Rules
	search  seating.Search
	seated  map[Row][][]int32 // by session: the players of each team
	regions int               // number of regions of the schema at the last call of changed

	byKey []Row // scratch

	// memory of the proposals
	rows       []Row
	sides      []matcher.Side
	regionList []matcher.Region
}

func newSeats(p *Pool) *seats {
	return &seats{pool: p, rules: seating.Compile(p.rules, p.schema), seated: map[Row][][]int32{}}
}

func (v *seats) begin() {
	budget := v.pool.rules.Budget
	if budget == 0 {
		budget = matcher.DefaultBudget
	}
	v.rules.Begin(v.pool.rows)
	v.search.Begin(v.rules, budget)
}

func (v *seats) forget() {
	v.rows, v.sides, v.regionList = v.rows[:0], v.sides[:0], v.regionList[:0]
}

func (v *seats) largestTicket() int { return v.rules.Largest() }

func (v *seats) refuse(*matcher.Ticket) error { return nil }

func (v *seats) refuseSession(s *matcher.Session) error {
	teams := len(v.pool.rules.Seats.Teams)
	for i := range s.Members {
		if team := s.Members[i].Team; team < 0 || team >= teams {
			return matcher.Refusal(fmt.Sprintf("a player of a session is in team %d of %d", team, teams))
		}
	}
	return nil
}

func (v *seats) load(row Row, t *matcher.Ticket) { v.rules.Load(row, t) }

func (v *seats) loadSession(row Row, s *matcher.Session) {
	seated := make([][]int32, len(v.pool.rules.Seats.Teams))
	for i := range s.Members {
		m := &s.Members[i]
		seated[m.Team] = append(seated[m.Team], v.rules.Seat(m.Player, s.Region))
	}
	v.seated[row] = seated
}

func (v *seats) clear(row Row) {
	v.rules.Clear(row)
	delete(v.seated, row)
}

func (v *seats) addPlace(rttMS []float64) int32 { return v.rules.AddPlace(rttMS) }

func (v *seats) changed() bool {
	regions := v.pool.schema.Regions()
	changed := regions != v.regions
	v.regions = regions
	return changed
}

func (v *seats) stageAt(waitMS int64) store.Stage { return v.rules.StageAt(waitMS) }

func (v *seats) indexRules() *candidate.Rules { return &v.rules.Index }

func (v *seats) criteria() []criterion.Criterion { return v.rules.All }

// room returns the number of players that fit in addition to a seed.
func (v *seats) room(seed Row) int32 {
	if s := v.pool.details[seed]; s != nil {
		return int32(s.Capacity - len(s.Members))
	}
	return int32(v.pool.rules.MaxPlayers) - v.pool.rows.Players[seed]
}

// invalidate finds the tickets of a subset worth searching around again. It marks as stale every
// ticket that may be in a match that was impossible in the subset's last pass. Searches around
// all other tickets would fail again, so the pass may skip them. It returns false, and marks
// nothing, if the index cannot tell. since is the value of Rows.Changes at that pass.
func (v *seats) invalidate(s *Subset, since uint64) bool {
	if !s.index.Invalidates() || v.pool.Unfiltered {
		return false
	}
	for i := range s.members {
		if m := &s.members[i]; s.index.Fresh(m.Row) {
			s.index.Invalidate(m.Row, m.Joined > since, v.room(m.Row), v.rules.Least(m.Row)-v.pool.rows.Players[m.Row])
		}
	}
	return true
}

// try implements method.
func (v *seats) try(c *circle) verdict {
	p, index := v.pool, c.subset.index
	seed := c.seed
	if c.session {
		p.around(c)
		v.search.Seated, v.search.Free, seed = v.seated[c.seed], v.room(c.seed), -1
	} else if v.search.Seated, v.search.Free = nil, math.MaxInt32; c.reserve == nil && !p.Unfiltered {
		if need := v.rules.Least(seed) - p.rows.Players[seed]; !index.EnoughByNewest(need) {
			return failed
		}
	}
	if lazy := v.rules.ByAge && !c.session && c.reserve == nil && p.parts == nil && !v.rules.Sorted() && v.pool.rules.Seats.Large == nil; lazy {
		v.search.Lazy(index.Outward())
	} else {
		v.byKey = index.Append(v.byKey[:0])
		if p.parts != nil {
			v.byKey = p.samePart(v.byKey, c.seed)
		}
		list := index.AppendByAge(v.search.List(), v.byKey)
		byKey := v.byKey
		if c.reserve != nil {
			for i := range c.reserve.members {
				if row := c.reserve.members[i].Row; p.rows.Kind[row] == store.Ticket && row != c.seed {
					list = append(list, row)
				}
			}
			slices.SortFunc(list, p.rows.Compare)
			byKey = nil
		}
		if v.rules.ByAge {
			byKey = nil
		}
		v.search.Listed(list, byKey, c.seed, !c.session)
	}
	v.search.Unfiltered, v.search.Anchored = p.Unfiltered, v.pool.rules.Seats.Oldest && !c.session && c.reserve == nil
	switch v.search.Run(seed) {
	case seating.Exhausted:
		p.out.BudgetHits = append(p.out.BudgetHits, matcher.BudgetHit{Seed: c.seed, What: matcher.GroupSearch})
		return exhausted
	case seating.Nothing:
		return failed
	}
	proposal := v.propose(c)
	if c.session {
		p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: c.seed, Proposal: proposal})
		p.Remove(c.seed)
	} else {
		p.out.Matches = append(p.out.Matches, proposal)
	}
	for _, row := range proposal.Tickets {
		p.Remove(row)
		index.Close(row)
	}
	return matched
}

// batch splits the waiting tickets into batches: in the order of attributes, at random, or in
// order of age if there is no Pool.Draw. The draw of a ticket depends only on the instant and
// the ticket's age, so it is the same in every pool.
func (v *seats) batch() {
	p, size := v.pool, v.pool.rules.Batch
	if p.parts = nil; size == 0 || p.waiting+len(p.sessions) <= size {
		return
	}
	p.epoch++ // batches are drawn anew in each pass
	p.parts = make([]int32, p.rows.Len())
	rows := append(p.all.AppendRows(nil), p.sessions...)
	switch {
	case len(p.rules.Seats.SortBy) > 0:
		slices.SortStableFunc(rows, v.rules.CompareSorted)
	case p.Draw != nil:
		draws, ties := make([]uint64, p.rows.Len()), uint64(0)
		for i, row := range rows {
			if ties++; i == 0 || p.rows.CreatedMS[rows[i-1]] != p.rows.CreatedMS[row] {
				ties = 0
			}
			draws[row] = p.Draw(uint64(p.rows.CreatedMS[row])<<16+ties, uint64(p.rows.NowMS))
		}
		slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(draws[a], draws[b]) })
	}
	for i, row := range rows {
		p.parts[row] = int32(i / size)
	}
}

// propose converts the group of the search into a proposal.
func (v *seats) propose(c *circle) matcher.Proposal {
	s := &v.search
	from := len(v.rows)
	v.rows = append(v.rows, s.Group...)
	proposal := matcher.Proposal{Tickets: v.rows[from:len(v.rows):len(v.rows)], Region: matcher.NoRegion}
	session := v.pool.details[c.seed]
	first := len(v.sides)
	for team := range v.pool.rules.Seats.Teams {
		var side matcher.Side
		from := len(v.rows)
		for k, row := range s.Group {
			if s.Team[k] == team {
				v.rows = append(v.rows, row)
			}
		}
		side.Tickets = slices.Clip(v.rows[from:])
		for i := 0; session != nil && i < len(session.Members); i++ {
			if session.Members[i].Team == team {
				side.Members = append(side.Members, i)
			}
		}
		v.sides = append(v.sides, side)
	}
	proposal.Teams = v.sides[first:len(v.sides):len(v.sides)]
	regions := len(v.regionList)
	if session != nil && session.Region != matcher.NoRegion {
		v.regionList = append(v.regionList, session.Region)
	} else {
		v.regionList = s.AppendRegions(v.regionList)
	}
	if proposal.Regions = v.regionList[regions:len(v.regionList):len(v.regionList)]; len(proposal.Regions) > 0 {
		proposal.Region = proposal.Regions[0]
	}
	return proposal
}

// keepsApart implements method. It returns only reasons that certainly exclude every match with
// both tickets.
func (v *seats) keepsApart(a, b Row) (why Why, rule int) {
	if v.pool.rows.Kind[a] != store.Ticket || v.pool.rows.Kind[b] != store.Ticket {
		return MayMeet, 0
	}
	if at, apart := v.search.KeepsApart(a, b); apart {
		return ByRule, at
	}
	return MayMeet, 0
}

// obstacle implements method.
func (v *seats) obstacle(a, b Row) Obstacle {
	o := Obstacle{Other: b, OpenMS: matcher.Never}
	if o.Why, o.Rule = v.keepsApart(a, b); o.Why == ByRule {
		o.Value, o.Bound = 0, 0
	}
	return o
}
