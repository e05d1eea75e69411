package accelpage

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
)

// Begin starts a search for a seed in a region, with no candidates yet. The region may be NoRegion.
// The parameter room is the largest number of players that a candidate may have.
func (s *Search) Begin(seed Row, region matcher.Region, room int32) {
	s.Candidates.Begin(seed, region)
	s.room = room
	s.restart()
}

// Offer adds the rows that may be matched with the seed as candidates. It returns their total
// number of players. If reserve is set, they are ranked after all candidates that are not from a
// reserve.
func (s *Search) Offer(rows []Row, reserve bool) (players int) {
	for _, row := range rows {
		var c candidate.Candidate
		if s.Test(&c, row) {
			c.Reserve = reserve
			s.Add(c)
			players += int(c.Players)
		}
	}
	return players
}

// Test implements candidate.Tester. The region rule uses the limits that each of the two has after its
// own wait.
//
// The terms of the cost are added in the order of the rules. Converting each product to float64
// before the addition prevents a fused multiply-add, which would round differently on some
// machines.
func (s *Search) Test(c *candidate.Candidate, row Row) bool {
	r := s.rules
	*c = candidate.Candidate{Row: row, Players: r.Rows.Players[row]}
	if c.Players > s.room || row == s.Seed || r.Traits[row].Same != r.Traits[s.Seed].Same {
		return false
	}
	ofSeed, ofCandidate, other := s.Limits, r.Limits(row), r.Numbers(row)
	for i, own := range s.Numbers {
		d, difference := &r.Set.Distances[i], math.Abs(other[i]-own)
		if d.Basis != nil {
			if !(difference <= r.Bound(i, s.Seed, row, ofSeed, ofCandidate, r.Rows.NowMS)+criterion.Tolerance) {
				return false
			}
		} else if !(difference <= ofSeed[i].Bound+criterion.Tolerance && difference <= ofCandidate[i].Bound+criterion.Tolerance) { // the call of Bound took 3 percent of a day
			return false
		}
		if ofSeed[i].Active {
			c.Cost += d.Cost(difference)
		}
	}
	if !s.Reaches(c, &ofSeed[r.Regions.At], &ofCandidate[r.Regions.At]) {
		return false
	}
	_, apart := r.keepsApart(s.Seed, row, true, ofSeed)
	return !apart
}
