package seating

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
)

// Large matches are not searched: the candidates are seated, each once, for one region after
// another, and then tickets swap seats until the teams are balanced.

// diveByRegion seats the candidates for one region after another until that makes a match.
func (s *Search) diveByRegion(seed Row, team int) bool {
	all := s.candidates
	defer func() { s.quick.only, s.candidates = expression.Everything, all }()
	for _, region := range s.batches(seed) {
		players := int32(math.MaxInt32)
		if s.quick.only = region; region != expression.Everything {
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
	}
	return false
}

// batchesOf returns the regions that a ticket reaches by the wait of a seed, or its fastest
// region.
func (r *Rules) batchesOf(seed, row Row) uint64 {
	mask := r.regions[0].reach.Of(entry(row))[r.levelAt(r.rows.Stage[seed], false, r.regions[0])]
	if r.Set.Large.FastestRegion {
		mask &= r.fastest(row)
	}
	return mask
}

// batches returns the regions in which a match around a seed is tried, each as a single bit.
// These are regions that the seed reaches, or its fastest; the region of most players of the
// candidates is first. Regions with too few players for a match are omitted.
func (s *Search) batches(seed Row) (regions []uint64) {
	r := s.Rules
	if len(r.regions) == 0 || seed < 0 {
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
	slices.SortFunc(regions, func(a, b uint64) int {
		x, y := bits.TrailingZeros64(a), bits.TrailingZeros64(b)
		return cmp.Or(cmp.Compare(players[y], players[x]), cmp.Compare(r.schema.RegionName(matcher.Region(x)), r.schema.RegionName(matcher.Region(y))))
	})
	return regions
}

// fastest returns the region with the lowest worst round-trip time of a ticket's players, of
// several the first by name; none if the ticket has no measurements.
func (r *Rules) fastest(row Row) (mask uint64) {
	best, name := math.Inf(1), ""
	for region, ms := range r.columns.RTTOf(r.columns.RTT(matcher.PartyMax), entry(row)) {
		if !(ms <= best) || math.IsInf(ms, 1) {
			continue
		}
		if other := r.schema.RegionName(matcher.Region(region)); ms < best || other < name {
			best, name, mask = ms, other, 1<<region
		}
	}
	return mask
}

// balanced balances the teams and reports whether the group is a match. If it is a match only
// in the original seats, it restores these.
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

// reseat moves all tickets to the given teams; the number of players of each team does not
// change.
func (s *Search) reseat(teams []int) {
	e := &s.evaluator
	copy(s.Team, teams)
	for team, side := range e.Sides {
		ticket := func(who entry) bool { return who >= 0 }
		e.Sides[team] = slices.DeleteFunc(side, ticket)
	}
	for k, row := range s.Group {
		e.Sides[s.Team[k]] = append(e.Sides[s.Team[k]], entry(row))
	}
}

// dealt returns balanced teams of the tickets. Only tickets with equally many players swap
// seats, so that the published order of seats is kept. The largest tickets are assigned first,
// and of each size those with the highest number, each to the team whose sum is then furthest
// below its share of the match's sum.
func (s *Search) dealt() []int {
	e, column := &s.evaluator, s.Rules.balance
	sum := func(who entry) float64 { return e.Columns.Cell(column, who).Number * float64(e.Columns.Count(who)) }
	total, players := 0.0, int32(0)
	shares := make([]float64, len(e.Sides)) // by team: the missing part of its share
	for team, side := range e.Sides {
		players += e.Counts[team]
		for _, who := range side {
			if total += sum(who); who < 0 { // players of a session keep their team
				shares[team] -= sum(who)
			}
		}
	}
	for team, n := range e.Counts {
		shares[team] += total / float64(players) * float64(n)
	}
	free := make([][]int, len(e.Sides)) // seats by team and players of a ticket
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
