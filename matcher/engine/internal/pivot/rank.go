package pivot

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// rated is a candidate of the seed.
type rated struct {
	total   float64
	tieMS   float64 // round-trip time to an open session
	row     Row
	players int32
	reserve bool // ranked after all candidates that are not of the reserve
	used    bool // it is in the group
}

// Begin starts with a seed and a region, or NoRegion, and no candidates. room is the largest
// number of players of a candidate.
func (s *Search) Begin(seed Row, region matcher.Region, room int32) {
	s.seed, s.region, s.room = seed, region, room
	s.open = s.rules.rows.Kind[seed] == store.Session
	s.list, s.heap, s.more = s.list[:0], s.heap[:0], false
	s.restart()
}

// Few is the number of rows up to which Offer is faster than Outward. With 10,000 tickets,
// Outward takes a tenth of the time.
const Few = 24

// Offer adds the rows that can be matched with the seed as candidates, and returns their total
// number of players. Candidates of a reserve are ranked after all others.
func (s *Search) Offer(rows []Row, reserve bool) (players int) {
	known := len(s.heap)
	for _, row := range rows {
		s.compare(row, reserve)
	}
	for i := range s.heap[known:] {
		players += int(s.heap[known+i].players)
	}
	return players
}

// Outward adds candidates lazily: rows are compared with the seed, in the order of their
// distance from its key, until the next candidate in rank is certain. There must be at least
// one distance rule.
func (s *Search) Outward(from candidate.Outward) {
	s.outward = from
	s.advance()
}

// advance gets the next row of outward. The distance of this row and of all later ones is at
// least the term of the first number, because no term is negative.
func (s *Search) advance() {
	var difference float64
	s.next, difference, s.more = s.outward.Next()
	if s.least = 0; s.rules.limits(s.seed)[0].Active {
		s.least = s.rules.Set.Distances[0].Cost(difference)
	}
}

// compare appends a row to the heap if it may meet the seed. It does not restore the order of
// the heap.
func (s *Search) compare(row Row, reserve bool) {
	r := s.rules
	size := r.rows.Players[row]
	if size > s.room || row == s.seed || r.kinds.list[row] != r.kinds.list[s.seed] {
		return
	}
	total, tieMS, meet := s.rate(row)
	if !meet {
		return
	}
	if _, apart := r.keepsApart(s.seed, row, true); !apart {
		s.heap = append(s.heap, rated{total: total, tieMS: tieMS, row: row, players: size, reserve: reserve})
	}
}

// rank sorts the candidates that were compared so far. A short list is sorted by insertion,
// which is faster than a heap.
func (s *Search) rank() {
	if s.more || len(s.heap) > Few {
		s.heap.Init(s.before)
		return
	}
	for _, c := range s.heap {
		at := len(s.list)
		s.list = append(s.list, c)
		for ; at > 0 && s.before(&c, &s.list[at-1]); at-- {
			s.list[at] = s.list[at-1]
		}
		s.list[at] = c
	}
	s.heap = s.heap[:0]
}

// have extends the list up to the k-th candidate and reports whether it exists. The list is
// ordered by distance, ties by age.
func (s *Search) have(k int) bool {
	for len(s.list) <= k {
		for s.more && (len(s.heap) == 0 || s.heap[0].reserve || s.heap[0].total >= s.least) {
			known := len(s.heap)
			if s.compare(s.next, false); len(s.heap) > known {
				added := s.heap[known]
				s.heap = s.heap[:known]
				s.heap.Push(added, s.before)
			}
			s.advance()
		}
		if len(s.heap) == 0 {
			return false
		}
		s.list = append(s.list, s.heap.Pop(s.before))
	}
	return true
}

// rate returns the distance of a candidate, and whether it and the seed may meet: by all
// distances and by the region, each with the limits after its own wait.
//
// The terms are added in the order of the rules, and products are converted before the
// addition, which prevents fused multiply-add: the bits are equal on every machine.
func (s *Search) rate(row Row) (total, tieMS float64, meet bool) {
	r := s.rules
	mine, theirs := r.limits(s.seed), r.limits(row)
	own, other := r.numbers.of(s.seed), r.numbers.of(row)
	for i := range own {
		difference := math.Abs(other[i] - own[i])
		if !lets(&mine[i], difference) || !lets(&theirs[i], difference) {
			return 0, 0, false
		}
		if mine[i].Active {
			total += r.Set.Distances[i].Cost(difference)
		}
	}
	g := &r.Regions
	p := g.Profile(row)
	if s.open {
		if r.traits[row].newOnly {
			return 0, 0, false
		}
		if s.region == matcher.NoRegion {
			return total, 0, true
		}
		return total, p.To(s.region), p.Measured && g.reach(row)>>s.region&1 != 0
	}
	if !p.Measured {
		return total, 0, true
	}
	reach := g.Theirs(&mine[g.At], row)
	if s.region == matcher.NoRegion { // the seed has no measurements: any region of the candidate is suitable
		return total, 0, reach != 0
	}
	if reach>>s.region&1 == 0 {
		return 0, 0, false
	}
	return total + s.regional(p.RTTMS[s.region]-p.BestMS), 0, true
}

// regional returns the term of the region in a candidate's distance. offMS is the difference
// between the candidate's round-trip times to the region and to its nearest region.
func (s *Search) regional(offMS float64) float64 {
	rule := s.rules.Regions.rule
	if math.IsInf(rule.MaxMS, 1) || rule.MaxMS == 0 {
		return 0
	}
	return float64(offMS / rule.MaxMS * rule.Weight)
}

func (s *Search) before(a, b *rated) bool {
	switch {
	case a.reserve != b.reserve:
		return b.reserve
	case a.total != b.total:
		return a.total < b.total
	case a.tieMS != b.tieMS:
		return a.tieMS < b.tieMS
	}
	return s.rules.rows.Older(a.row, b.row)
}
