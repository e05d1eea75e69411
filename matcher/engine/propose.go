package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// proposals is the memory for the proposals of a pass. The next pass reuses it.
type proposals struct {
	rows    []Row
	sides   []matcher.Side
	regions []matcher.Region
	order   []int // scratch space for byAppearance
}

// teamMember is a member of a team: a ticket, or a player of a session who may be in any team.
type teamMember struct {
	row    Row
	member int // index in Session.Members, or -1 for a ticket
	team   int
}

func (l *proposals) begin() { l.rows, l.sides, l.regions = l.rows[:0], l.sides[:0], l.regions[:0] }

// propose adds a match around a seed to the outcome, and removes its tickets from the pool. It
// returns matched. If the seed is a session, the parameter tickets does not contain it, and the
// session's region replaces the given regions. The parameter members contains the tickets with
// their teams, in the order in which each team lists them.
func (p *Pool) propose(w *window, tickets []Row, members []teamMember, teams int, regions []matcher.Region) verdict {
	l, session := &p.made, (*matcher.Session)(nil)
	if w.session {
		if session = p.details[w.seed]; session.Region != matcher.NoRegion {
			regions = []matcher.Region{session.Region}
		}
	} else if p.rules.Pivot != nil {
		teams = l.byAppearance(members)
	}
	regions = p.preferred(w.seed, regions)
	from := len(l.rows)
	l.rows = append(l.rows, tickets...)
	proposal := matcher.Proposal{Tickets: slices.Clip(l.rows[from:]), Region: matcher.NoRegion}
	from = len(l.sides)
	for team := range teams {
		l.sides = append(l.sides, l.side(team, session, members))
	}
	if teams > 0 {
		proposal.Teams = slices.Clip(l.sides[from:])
	}
	if len(regions) > 0 {
		from = len(l.regions)
		l.regions = append(l.regions, regions...)
		proposal.Region, proposal.Regions = regions[0], slices.Clip(l.regions[from:])
	}
	if w.session {
		p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: w.seed, Proposal: proposal})
		p.Remove(w.seed)
	} else {
		p.out.Matches = append(p.out.Matches, proposal)
	}
	for _, row := range proposal.Tickets {
		p.Remove(row)
		w.subset.index.Withdraw(row)
	}
	return matched
}

// preferred sorts regions by the preference of a seed, or of the ruleset if the seed has none. Regions
// that are not preferred follow in the given order.
func (p *Pool) preferred(seed Row, regions []matcher.Region) []matcher.Region {
	order := p.rules.Regions
	if int(seed) < len(p.prefers) && p.rows.Kind[seed] == store.Ticket && len(p.prefers[seed]) > 0 {
		order = p.prefers[seed]
	}
	sorted := regions
	for _, region := range order {
		if at := slices.Index(sorted, region); at >= 0 {
			copy(sorted[1:], sorted[:at])
			sorted[0], sorted = region, sorted[1:]
		}
	}
	return regions
}

// side returns one team of a match.
func (l *proposals) side(team int, session *matcher.Session, members []teamMember) (side matcher.Side) {
	for i := 0; session != nil && i < len(session.Members); i++ {
		if session.Members[i].Team == team {
			side.Members = append(side.Members, i)
		}
	}
	from := len(l.rows)
	for _, m := range members {
		switch {
		case m.team != team:
		case m.member >= 0:
			side.Members = append(side.Members, m.member)
		default:
			l.rows = append(l.rows, m.row)
		}
	}
	side.Tickets = slices.Clip(l.rows[from:])
	return side
}

// byAppearance renumbers teams in the order in which they first appear, and returns the number of
// teams. The seed's team is then the first one, and no team is empty.
func (l *proposals) byAppearance(members []teamMember) int {
	l.order = l.order[:0]
	for i, m := range members {
		at := slices.Index(l.order, m.team)
		if at < 0 {
			at = len(l.order)
			l.order = append(l.order, m.team)
		}
		members[i].team = at
	}
	return len(l.order)
}

// regionsOf returns a list of one region, or an empty list for NoRegion.
func regionsOf(region matcher.Region) []matcher.Region {
	if region == matcher.NoRegion {
		return nil
	}
	return []matcher.Region{region}
}

// exhaust records in the outcome that the search for a seed ran out of budget. It returns
// exhausted.
func (p *Pool) exhaust(seed Row, search matcher.Exhausted) verdict {
	p.out.BudgetHits = append(p.out.BudgetHits, matcher.BudgetHit{Seed: seed, Search: search})
	return exhausted
}
