package seating

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
)

// For a large match, the search does not try all groups. It takes one region after another and
// tries to seat each candidate once. Then it moves tickets between teams to balance them.

// diveByRegion seats candidates for one region after another until the group is a match. It
// reports whether it found a match.
func (s *Search) diveByRegion(seed Row, team int) bool {
	all := s.candidates
	defer func() { s.quick.Only, s.candidates = expression.Everything, all }()
	for _, region := range s.batches(seed) {
		players := int32(math.MaxInt32)
		if s.quick.Only = region; region != expression.Everything {
			s.candidates, players = s.batch[:0], 0
			for _, row := range all {
				if s.Rules.batchesOf(seed, row)&region != 0 {
					s.candidates = append(s.candidates, row)
					players += s.Rules.rows.Players[row]
				}
			}
			s.batch = s.candidates
		}
		if !s.start(seed, team) {
			continue
		}
		if s.dive(players); s.balanced() {
			return true
		}
		if s.spent() {
			break
		}
	}
	return false
}

// batchesOf returns a mask of the regions in which a ticket may join the seed's match. These are
// the regions in which the ticket satisfies the seed's latency limit. With FastestRegion, only
// the ticket's fastest region remains.
func (r *Rules) batchesOf(seed, row Row) uint64 {
	mask := r.checks.Regions[0].Reach.ByLevel(row)[r.checks.Regions[0].LevelAt(r.rows.Stage[seed], false)]
	if r.Set.Large.FastestRegion {
		mask &= r.slowest.Tickets.Only(r.fastest[row])
	}
	return mask
}

// batches returns the regions in which to try a match around a seed, each as a mask with one bit.
// The region whose candidates have the most players comes first. Regions with too few players for
// a match are omitted.
func (s *Search) batches(seed Row) (regions []uint64) {
	r := s.Rules
	if len(r.checks.Regions) == 0 || seed < 0 {
		return []uint64{expression.Everything}
	}
	own := r.batchesOf(seed, seed)
	var players [64]int32
	for _, row := range s.candidates {
		for mask := own & r.batchesOf(seed, row); mask != 0; mask &= mask - 1 {
			players[bits.TrailingZeros64(mask)] += r.rows.Players[row]
		}
	}
	short := r.Least(seed) - r.rows.Players[seed]
	for mask := own; mask != 0; mask &= mask - 1 {
		if players[bits.TrailingZeros64(mask)] >= short {
			regions = append(regions, mask&-mask)
		}
	}
	slices.SortStableFunc(regions, func(a, b uint64) int { // regions in order of their names
		return cmp.Compare(players[bits.TrailingZeros64(b)], players[bits.TrailingZeros64(a)])
	})
	return regions
}

// fastestOf returns the ticket's fastest region: the one where its slowest player has the lowest
// round-trip time. If several regions are equally fast, it selects the first by name. It returns
// NoRegion if the ticket has no measurements.
func (r *Rules) fastestOf(row Row) matcher.Region {
	best, region := math.Inf(1), matcher.NoRegion
	for bit, ms := range r.slowest.Tickets.Of(row) {
		if ms < best {
			best, region = ms, r.slowest.Tickets.Region(bit)
		}
	}
	return region
}

// balanced balances the teams and reports whether the group is a match. If the balanced teams
// break a rule, it restores the original teams and checks them instead.
func (s *Search) balanced() bool {
	if s.Rules.Set.Large.Balance == matcher.NoColumn || len(s.Group) == 0 || !s.fits() {
		return s.check()
	}
	e := &s.evaluator
	teams := slices.Clone(s.Team)
	if s.reseat(s.dealt()); s.check() {
		return true
	}
	s.reseat(teams)
	e.Complete = false
	return s.check()
}

// reseat moves each ticket of s.Group to the team given in teams. The number of players in each
// team must not change.
func (s *Search) reseat(teams []int) {
	e := &s.evaluator
	copy(s.Team, teams)
	for team, side := range e.Sides {
		ticket := func(member entry) bool { return member >= 0 }
		e.Sides[team] = slices.DeleteFunc(side, ticket)
	}
	for k, row := range s.Group {
		e.Sides[s.Team[k]] = append(e.Sides[s.Team[k]], entry(row))
	}
}

// dealt returns a new team for each ticket, so that the teams' averages are similar. Each team
// keeps its number of tickets of every size, because FlexMatch documents the order in which seats
// are filled. dealt assigns the largest tickets first. Among tickets of equal size, it starts
// with the highest number. Each ticket goes to the team that is furthest below its share of the
// match's sum.
func (s *Search) dealt() []int {
	e, column := &s.evaluator, s.Rules.balance
	sum := func(member entry) float64 {
		return float64(e.Columns.Cell(column, member).Number * float64(e.Columns.Count(member)))
	}
	total, players := 0.0, int32(0)
	shares := make([]float64, len(e.Sides)) // indexed by team: how far the team's sum is below its share
	for team, side := range e.Sides {
		players += e.Counts[team]
		for _, member := range side {
			if total += sum(member); member < 0 { // session players keep their team
				shares[team] -= sum(member)
			}
		}
	}
	for team, n := range e.Counts {
		shares[team] += float64(total / float64(players) * float64(n))
	}
	free := make([][]int, len(e.Sides)) // indexed by team and ticket size: number of tickets that still fit
	order := make([]int, len(s.Group))
	for k, row := range s.Group {
		order[k] = k
		n := int(e.Columns.Count(entry(row)))
		free[s.Team[k]] = expression.Grow(free[s.Team[k]], n)
		free[s.Team[k]][n]++
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := s.Group[a], s.Group[b]
		return cmp.Or(cmp.Compare(e.Columns.Count(entry(y)), e.Columns.Count(entry(x))), cmp.Compare(sum(entry(y)), sum(entry(x))))
	})
	teams := make([]int, len(s.Group))
	for _, k := range order {
		n, best := int(e.Columns.Count(entry(s.Group[k]))), -1
		for team := range free {
			if n < len(free[team]) && free[team][n] > 0 && (best < 0 || shares[team] > shares[best]) {
				best = team
			}
		}
		free[best][n]--
		shares[best] -= sum(entry(s.Group[k]))
		teams[k] = best
	}
	return teams
}
