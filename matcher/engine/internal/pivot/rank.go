package pivot

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
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
	s.list, s.heap, s.below, s.above = s.list[:0], s.heap[:0], nil, nil
	s.restart()
}

// Offer makes candidates of the rows that may meet the seed, which are in the order of their
// keys, and returns how many players these have at most. The slice is kept until the next
// Begin.
func (s *Search) Offer(rows []Row) (players int) {
	r := s.rules
	if r.numbers.perRow == 0 || len(rows) <= few {
		return s.compare(rows, false)
	}
	at, _ := slices.BinarySearchFunc(rows, r.numbers.Key(s.seed), func(row Row, key float64) int {
		return cmp.Compare(r.numbers.Key(row), key)
	})
	s.below, s.above = rows[:at], rows[at:]
	return math.MaxInt32
}

// Reserve makes candidates of rows that come after all others, as Offer does.
func (s *Search) Reserve(rows []Row) (players int) { return s.compare(rows, true) }

// compare compares rows with the seed, lists those that it may meet, and returns how many
// players these have.
func (s *Search) compare(rows []Row, reserve bool) (players int) {
	r := s.rules
	for _, row := range rows {
		size := r.rows.Players[row]
		if size > s.room || row == s.seed || r.kinds.list[row] != r.kinds.list[s.seed] {
			continue
		}
		total, tieMS, meet := s.rate(row)
		if !meet {
			continue
		}
		if _, apart := r.keepsApart(s.seed, row); apart {
			continue
		}
		s.list = append(s.list, rated{total: total, tieMS: tieMS, row: row, players: size, reserve: reserve})
		players += int(size)
	}
	return players
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
	p := g.profiles[row]
	if s.open {
		if r.traits[row].newOnly {
			return 0, 0, false
		}
		if s.region == matcher.NoRegion {
			return total, 0, true
		}
		return total, p.to(s.region), p.measured && g.reach(row)>>s.region&1 != 0
	}
	if !p.measured {
		return total, 0, true
	}
	reach := g.Theirs(&mine[g.at], row)
	if s.region == matcher.NoRegion { // the seed measured nothing: any region of the candidate will do
		return total, 0, reach != 0
	}
	if reach>>s.region&1 == 0 {
		return 0, 0, false
	}
	return total + s.regional(p.rttMS[s.region]-p.bestMS), 0, true
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

// few is the number of candidates up to which all are compared with the seed and an
// insertion puts them in order. Of more, those nearest to its key are compared until they
// prove which comes next: with 10,000 tickets that takes a tenth of the time.
const few = 24

// rank puts the candidates in order, the nearest first, ties by age; have goes on where
// they are many.
func (s *Search) rank() {
	if len(s.below)+len(s.above) > 0 || len(s.list) > few {
		s.heap = append(s.heap, s.list...)
		s.list = s.list[:0]
		s.heap.Init(s.before)
		return
	}
	list := s.list
	for i := range list {
		c, at := list[i], i
		for ; at > 0 && s.before(&c, &list[at-1]); at-- {
			list[at] = list[at-1]
		}
		list[at] = c
	}
}

// have makes sure that there is a k-th candidate, if there is.
func (s *Search) have(k int) bool {
	for len(s.list) <= k {
		s.outwards()
		if len(s.heap) == 0 {
			return false
		}
		s.list = append(s.list, s.heap.Pop(s.before))
	}
	return true
}

// outwards compares candidates with the seed, from its key outwards, until the first in the
// heap comes before all that are left. Their distance is no less than what the first number
// adds to it: nothing else takes away from a sum.
func (s *Search) outwards() {
	r := s.rules
	for len(s.below)+len(s.above) > 0 {
		own, below, above := r.numbers.Key(s.seed), math.Inf(1), math.Inf(1)
		if n := len(s.below); n > 0 {
			below = own - r.numbers.Key(s.below[n-1])
		}
		if len(s.above) > 0 {
			above = r.numbers.Key(s.above[0]) - own
		}
		least := 0.0
		if r.limits(s.seed)[0].Active {
			least = cost(&r.Set.Distances[0], min(below, above))
		}
		if len(s.heap) > 0 && !s.heap[0].reserve && s.heap[0].total < least {
			return
		}
		known := len(s.list)
		if n := len(s.below) - 1; above <= below {
			s.compare(s.above[:1], false)
			s.above = s.above[1:]
		} else {
			s.compare(s.below[n:], false)
			s.below = s.below[:n]
		}
		if len(s.list) > known {
			s.heap.Push(s.list[known], s.before)
			s.list = s.list[:known]
		}
	}
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
