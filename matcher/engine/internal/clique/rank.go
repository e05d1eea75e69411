package clique

import (
	"math"

	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// LazyAbove is the default value of Search.LazyAbove. With fewer candidates, comparing all of
// them is faster.
const LazyAbove = 128

// Lazy reports whether to rank the candidates of a seed lazily. tickets is the number of
// candidates.
func (s *Search) Lazy(seed Row, tickets int32) bool {
	key := s.Rules.Index.Key
	return tickets > s.LazyAbove && key != nil && !math.IsNaN(key.Key(seed))
}

// Rank adds candidates that may meet the seed. They are the result of Core, if Core has been called.
func (s *Search) Rank(rows []Row) {
	var c candidate.Candidate
	for at, row := range rows {
		s.rate(&c, row)
		if s.core.known {
			c.At = int32(s.core.kept[at])
		}
		s.Add(c)
	}
	s.Ranker.Rank()
}

// Outward adds candidates that are compared only when needed. It may be called only if Begin was
// called with exact set.
func (s *Search) Outward(from candidate.Outward) {
	s.nearest = s.nearest[:0]
	limits := s.Rows.Stage[s.seed].Limits
	for i := range s.Rules.ranking {
		c := &s.Rules.ranking[i]
		s.nearest = append(s.nearest, float64(c.weight*c.Nearest(&limits[c.at], s.seed)))
	}
	s.Ranker.Outward(from)
}

// Reserve adds those rows of the reserve that may meet the seed, other than the seed itself.
func (s *Search) Reserve(rows []Row) {
	for _, row := range rows {
		var c candidate.Candidate
		if s.Test(&c, row) && row != s.seed {
			c.Reserve = true
			s.Add(c)
		}
	}
}

// Test implements candidate.Tester.
func (s *Search) Test(c *candidate.Candidate, row Row) bool {
	if !s.Rules.Meet(s.Rows, s.seed, row, s.exact) {
		return false
	}
	s.rate(c, row)
	return true
}

// rate sets c to a row as a candidate with its distance from the seed.
func (s *Search) rate(c *candidate.Candidate, row Row) {
	distance := s.Rules.Distance(s.Rows, s.seed, row, s.exact)
	*c = candidate.Candidate{Cost: roundedTo40Bits(distance), Row: row, Players: s.Rows.Players[row]}
}

// Beyond implements candidate.Tester. It adds the terms in the same order as the distance itself. No
// term is larger than the same term of any such row, so the rounded sum is not larger either.
func (s *Search) Beyond(difference float64) float64 {
	sum, limits := 0.0, s.Rows.Stage[s.seed].Limits
	for i := range s.Rules.ranking {
		c, least := &s.Rules.ranking[i], s.nearest[i]
		if c.at == s.Rules.Index.KeyAt {
			least = float64(c.weight * s.Rules.key.NearestBeyond(&limits[c.at], difference))
		}
		sum += least
	}
	return roundedTo40Bits(sum)
}

// RankedDistance returns the distance of a row from a seed, also rounded as it ranks the row.
func (r *Rules) RankedDistance(rows *store.Rows, seed, other Row) (distance, rounded float64) {
	distance = r.Distance(rows, seed, other, false)
	return distance, roundedTo40Bits(distance)
}

// roundedTo40Bits rounds a distance to 40 bits, with a relative error of about 1e-12. Distances that
// differ only by rounding errors are then equal, and age decides.
func roundedTo40Bits(distance float64) float64 {
	const bits = 12 // of the 52 bits of the mantissa
	return math.Float64frombits((math.Float64bits(distance) + 1<<(bits-1)) &^ (1<<bits - 1))
}
