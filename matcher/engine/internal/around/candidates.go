package around

import (
	"math"
	"math/bits"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Candidates ranks the candidates of a seed in a region by their cost. If costs are equal and the
// seed is a session, the row nearer to the session's region comes first.
type Candidates struct {
	candidate.Ranker
	Seed   Row
	Open   bool // the seed is a session
	Region matcher.Region

	// The seed's limits and numbers are kept here because every comparison reads them.
	Limits  []Limit
	Numbers []float64

	rules *Rules
	only  uint64 // mask of Region
	bit   int    // bit of Region
}

// Use sets the rules. tester is the search that embeds the Candidates.
func (s *Candidates) Use(rules *Rules, tester candidate.Tester) {
	s.rules, s.Ranker = rules, candidate.NewRanker(rules.Rows, tester)
}

// Begin removes all candidates and sets the seed and the region. The region may be NoRegion.
func (s *Candidates) Begin(seed Row, region matcher.Region) {
	r := s.rules
	s.Seed, s.Region, s.Open, s.only = seed, region, r.Rows.Kind[seed] == store.Session, r.Regions.Only(region)
	s.Limits, s.Numbers, s.bit = r.Limits(seed), r.Numbers(seed), bits.TrailingZeros64(s.only)
	s.Reset()
}

// Beyond implements candidate.Tester. It returns the term of the first distance rule, because no term
// is negative.
func (s *Candidates) Beyond(difference float64) float64 {
	if !s.Limits[0].Active {
		return 0
	}
	return s.rules.Set.Distances[0].Cost(difference)
}

// Reaches reports whether a candidate may be matched in the region, and adds the region's term to
// its cost. ofSeed and ofCandidate are the region limits of the two. Converting the product to float64
// before the addition prevents a fused multiply-add, which would round differently on some machines.
func (s *Candidates) Reaches(c *candidate.Candidate, ofSeed, ofCandidate *Limit) bool {
	g := s.rules.Regions
	if s.Open {
		if s.rules.Traits[c.Row].NewOnly {
			return false
		}
		if s.Region == matcher.NoRegion {
			return true
		}
		c.Tie = g.Of(c.Row)[s.bit]
		return g.Table.Mask(ofCandidate, c.Row)&s.only != 0
	}
	if ofSeed.Optional {
		ofCandidate = &g.anywhere
	}
	mask := g.Table.Mask(ofCandidate, c.Row)
	if mask == 0 {
		return g.orAny(c.Row, mask) != 0
	}
	if s.Region == matcher.NoRegion { // the seed may be matched anywhere
		return true
	}
	if mask&s.only == 0 {
		return false
	}
	if maxMS := g.rule.MaxMS; !math.IsInf(maxMS, 1) && maxMS > 0 {
		c.Cost += float64((g.Of(c.Row)[s.bit] - g.Best(c.Row)) / maxMS * g.rule.Weight)
	}
	return true
}
