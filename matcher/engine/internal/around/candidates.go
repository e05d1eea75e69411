package around

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/heap"
)

// Candidate is a row that may be matched with the seed.
type Candidate struct {
	Cost    float64 // distance from the seed
	tieMS   float64 // round-trip time to the region of the session that is the seed, or 0; breaks ties of Cost
	Row     Row
	Players int32
	Reserve bool // belongs to the reserve, which is ranked after all other candidates
	Used    bool // already in the group
}

// Candidates ranks the candidates of a seed in a region by cost, lowest first. If costs are equal
// and the seed is a session, the row nearer to the session's region comes first. Remaining ties are
// ordered by age, oldest first. The caller first calls Begin, then Add for each candidate, or
// Outward if there are many, and then Rank.
type Candidates struct {
	Seed   Row
	Open   bool // the seed is a session
	Region matcher.Region
	List   []Candidate // the candidates ranked so far; Have extends it

	rules   *Rules
	passes  func(row Row) (c Candidate, ok bool)
	heap    heap.Heap[Candidate] // candidates that are not in List yet
	outward candidate.Outward
	next    Row     // next row from outward, not tested yet
	least   float64 // lower bound of the costs of next and all rows after it
	more    bool    // next is a row, not the end of outward
}

// Few is the number of rows up to which testing every row is faster than calling Outward. With
// 10,000 tickets, Outward takes a tenth of the time.
const Few = 24

// NewCandidates returns an empty list. passes tests whether a row may be matched with the seed.
func NewCandidates(rules *Rules, passes func(row Row) (c Candidate, ok bool)) Candidates {
	return Candidates{rules: rules, passes: passes}
}

// Begin removes all candidates and sets the seed and the region. The region may be NoRegion.
func (s *Candidates) Begin(seed Row, region matcher.Region) {
	s.Seed, s.Region, s.Open = seed, region, s.rules.Rows.Kind[seed] == store.Session
	s.List, s.heap, s.more = s.List[:0], s.heap[:0], false
}

// Outward adds candidates only as they are needed. It tests the given rows, nearest key first,
// and stops when no untested row can cost less than the best candidate found. The ruleset must
// have at least one distance rule.
func (s *Candidates) Outward(from candidate.Outward) {
	s.outward = from
	s.advance()
}

// advance reads the next row from outward and updates least. No term of a cost is negative and
// later rows are at least as far away, so this row's term for the first distance is a lower bound
// for all of them.
func (s *Candidates) advance() {
	var difference float64
	s.next, difference, s.more = s.outward.Next()
	if s.least = 0; s.rules.Limits(s.Seed)[0].Active {
		s.least = s.rules.Set.Distances[0].Cost(difference)
	}
}

// Add adds a candidate.
func (s *Candidates) Add(c Candidate) { s.heap = append(s.heap, c) }

// Enough reports whether the candidates have enough players in total: at least need. It also
// returns true if some rows are still untested.
func (s *Candidates) Enough(need int) bool {
	for _, list := range [...][]Candidate{s.List, s.heap} {
		for i := range list {
			need -= int(list[i].Players)
		}
	}
	return s.more || need <= 0
}

// Rank sorts the candidates. It uses insertion sort for a short list because that is faster than
// a heap.
func (s *Candidates) Rank() {
	if s.more || len(s.heap) > Few {
		s.heap.Init(s.before)
		return
	}
	for _, c := range s.heap {
		at := len(s.List)
		s.List = append(s.List, c)
		for ; at > 0 && s.before(&c, &s.List[at-1]); at-- {
			s.List[at] = s.List[at-1]
		}
		s.List[at] = c
	}
	s.heap = s.heap[:0]
}

// Have reports whether a candidate with index k exists. It extends List as far as k.
func (s *Candidates) Have(k int) bool { return k < len(s.List) || s.extend(k) }

func (s *Candidates) extend(k int) bool {
	for len(s.List) <= k {
		for s.more && (len(s.heap) == 0 || s.heap[0].Reserve || s.heap[0].Cost >= s.least) {
			if c, ok := s.passes(s.next); ok {
				s.heap.Push(c, s.before)
			}
			s.advance()
		}
		if len(s.heap) == 0 {
			return false
		}
		s.List = append(s.List, s.heap.Pop(s.before))
	}
	return true
}

func (s *Candidates) before(a, b *Candidate) bool {
	switch {
	case a.Reserve != b.Reserve:
		return b.Reserve
	case a.Cost != b.Cost:
		return a.Cost < b.Cost
	case a.tieMS != b.tieMS:
		return a.tieMS < b.tieMS
	}
	return s.rules.Rows.Older(a.Row, b.Row)
}

// Reaches reports whether a candidate may be matched in the region, and adds the region's term to
// its cost. l is the seed's region limit. Converting the product to float64 before the addition
// prevents a fused multiply-add, which would round differently on some machines.
func (s *Candidates) Reaches(c *Candidate, l *Limit) bool {
	g := s.rules.Regions
	if s.Open {
		if s.rules.Traits[c.Row].NewOnly {
			return false
		}
		if s.Region == matcher.NoRegion {
			return true
		}
		c.tieMS = g.Of(c.Row)[g.Bit(s.Region)]
		return g.Reach(c.Row)&g.Only(s.Region) != 0
	}
	mask := g.candidateMask(l, c.Row)
	if mask == 0 {
		return g.orAny(c.Row, mask) != 0
	}
	if s.Region == matcher.NoRegion { // the seed may be matched anywhere
		return true
	}
	if mask&g.Only(s.Region) == 0 {
		return false
	}
	if maxMS := g.rule.MaxMS; !math.IsInf(maxMS, 1) && maxMS > 0 {
		c.Cost += float64((g.Of(c.Row)[g.Bit(s.Region)] - g.Best(c.Row)) / maxMS * g.rule.Weight)
	}
	return true
}
