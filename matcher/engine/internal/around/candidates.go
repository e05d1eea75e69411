package around

import (
	"math"

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

	rules *Rules
	only  uint64 // mask of Region
}

// Use sets the rules. The function test reports whether a row may be matched with the seed.
func (s *Candidates) Use(rules *Rules, test func(row Row) (c candidate.Candidate, ok bool)) {
	s.rules, s.Ranker = rules, candidate.NewRanker(rules.Rows, test, s.beyond)
}

// Begin removes all candidates and sets the seed and the region. The region may be NoRegion.
func (s *Candidates) Begin(seed Row, region matcher.Region) {
	s.Seed, s.Region, s.Open, s.only = seed, region, s.rules.Rows.Kind[seed] == store.Session, s.rules.Regions.Only(region)
	s.Reset()
}

// beyond returns a lower bound of the costs of rows whose first number differs from the seed's by at
// least difference. That is the term of the first distance rule, because no term is negative.
func (s *Candidates) beyond(difference float64) float64 {
	if !s.rules.Limits(s.Seed)[0].Active {
		return 0
	}
	return s.rules.Set.Distances[0].Cost(difference)
}

// Reaches reports whether a candidate may be matched in the region, and adds the region's term to
// its cost. l is the seed's region limit. Converting the product to float64 before the addition
// prevents a fused multiply-add, which would round differently on some machines.
func (s *Candidates) Reaches(c *candidate.Candidate, l *Limit) bool {
	g := s.rules.Regions
	if s.Open {
		if s.rules.Traits[c.Row].NewOnly {
			return false
		}
		if s.Region == matcher.NoRegion {
			return true
		}
		c.Tie = g.Of(c.Row)[g.Bit(s.Region)]
		return g.Reach(c.Row)&s.only != 0
	}
	mask := g.Reach(c.Row)
	if l.Optional {
		mask = g.candidateMask(l, c.Row)
	}
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
		c.Cost += float64((g.Of(c.Row)[g.Bit(s.Region)] - g.Best(c.Row)) / maxMS * g.rule.Weight)
	}
	return true
}
