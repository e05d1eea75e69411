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
	reserve bool // it comes after all that are not
	used    bool // it is in the group
}

// Begin starts on a seed and a region, or NoRegion, without candidates. Those that may join
// have so many players at most.
func (s *Search) Begin(seed Row, region matcher.Region, room int32) {
	s.seed, s.region, s.room = seed, region, room
	s.open = s.rules.rows.Kind[seed] == store.Session
	s.list, s.heap, s.more = s.list[:0], s.heap[:0], false
	s.restart()
}

// Few is the number of rows up to which Offer takes less time than Outward. With 10,000
// tickets Outward takes a tenth of it.
const Few = 24

// Offer makes candidates of the rows that may meet the seed, and returns how many players
// these have. Those of a reserve come after all others.
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

// Outward makes candidates of rows when it is their turn: those nearest to the seed's key
// are compared with it until they prove which comes next. It must not be called where
// there is no distance.
func (s *Search) Outward(from candidate.Outward) {
	s.outward = from
	s.advance()
}

// advance takes the next row of outward. The distance of that and of all behind it is no
// less than what the first number adds to it: nothing else takes away from a sum.
func (s *Search) advance() {
	var difference float64
	s.next, difference, s.more = s.outward.Next()
	if s.least = 0; s.rules.limits(s.seed)[0].Active {
		s.least = cost(&s.rules.Set.Distances[0], difference)
	}
}

// compare makes a candidate of a row if it may meet the seed, the last of the heap, which
// is not put in order yet.
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

// rank puts the candidates in order, as far as they were compared. Few are listed at once
// by an insertion, which takes less time than a heap.
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

// have makes sure that there is a k-th candidate in the list, if there is, the nearest
// first, ties by age.
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

// rate returns the distance of a candidate, and whether it and the seed let each other be:
// by all distances and the region, each by its own wait.
//
// The sum runs in the order of the rules, and products are converted before they are added,
// which forbids fused operations: equal bits on every machine.
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
			total += cost(&r.Set.Distances[i], difference)
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
	if s.region == matcher.NoRegion { // the seed measured nothing: any region of the candidate will do
		return total, 0, reach != 0
	}
	if reach>>s.region&1 == 0 {
		return 0, 0, false
	}
	return total + s.regional(p.RTTMS[s.region]-p.BestMS), 0, true
}

// cost returns what a difference adds to a candidate's distance.
func cost(d *matcher.PivotDistance, difference float64) float64 {
	if d.Scale > 0 {
		return float64(difference / d.Scale * d.Weight)
	}
	return difference
}

// regional returns what a region adds to the distance of a candidate whose nearest region
// is so much nearer.
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
