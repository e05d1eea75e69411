package matcher

import "math"

// starStream walks away from the seed: through one lane, or through rows in the order of
// their numbers.
type starStream struct {
	list     *sortedList // nil: rows
	at       place
	rows     []Row // that are left
	upwards  bool
	regional float64 // what the region adds to the distance of everybody here, at least
	least    float64 // of the distance of what is left
}

// starRated is a candidate that was compared with the seed.
type starRated struct {
	total float64
	tieMS float64 // round-trip time to an open session
	row   Row
	// reserve candidates come after all who are not.
	reserve bool
}

// starRanker lists the candidates of a seed, nearest first; ties by age. It is as
// lazy as ranker: every stream knows a lower bound for all that it has not shown.
type starRanker struct {
	search  *starSearch
	seed    Row
	self    *starRow
	open    bool // the seed is a session
	region  Region
	room    int32   // players of the largest ticket that fits
	cutoff  float64 // difference on the axis that nobody may exceed
	level   uint8   // by which candidates reach the region
	streams []starStream
	heap    heap[starRated]
	lined   bool // nobody comes into the heap any more, which stands in rank, the nearest last
}

// begin starts on a seed and a region, or NoRegion; it returns how many players there are
// for it, at most.
func (r *starRanker) begin(c *circle, region Region, room int, indexed bool) (players int) {
	s, seed := r.search, c.seed
	r.seed, r.self, r.region, r.room = seed, s.row(seed), region, int32(room)
	r.open = s.isSession(seed)
	r.streams, r.heap, r.lined = r.streams[:0], r.heap[:0], false
	r.cutoff, r.level = math.Inf(1), ownReach
	if len(r.self.held) > 0 {
		r.cutoff = r.self.held[0].most
	}
	if !r.open {
		r.level = s.pool.fronts[seed].level
	}
	switch {
	case room == 0:
		return 0
	case indexed:
		r.enterLanes()
	case r.open:
		r.rankOpen()
	default:
		return r.rank(c)
	}
	return MaxGroupPlayers
}

// peek returns who is next in a stream and his number; false when nobody is.
func (r *starRanker) peek(st *starStream) (row Row, number float64, ok bool) {
	switch {
	case st.list != nil:
		if !st.list.holds(st.at) {
			return 0, 0, false
		}
		e := st.list.at(st.at)
		return e.row, e.key, true
	case len(st.rows) == 0:
		return 0, 0, false
	case st.upwards:
		row = st.rows[0]
	default:
		row = st.rows[len(st.rows)-1]
	}
	return row, r.search.pool.fronts[row].number, true
}

// move takes a stream to the next.
func (st *starStream) move() {
	switch {
	case st.list == nil && st.upwards:
		st.rows = st.rows[1:]
	case st.list == nil:
		st.rows = st.rows[:len(st.rows)-1]
	case st.upwards:
		st.at = st.list.after(st.at)
	default:
		st.at = st.list.before(st.at)
	}
}

// enterLanes adds the streams of all lanes that the seed may meet somebody of.
func (r *starRanker) enterLanes() {
	s, region := r.search, r.region
	for _, l := range s.lanes[r.self.kind] {
		if l == nil || len(l.list.chunks) == 0 {
			continue
		}
		off := 0.0
		if region != NoRegion && !l.any {
			if int(region) >= len(l.offMS) || math.IsInf(l.offMS[region], 1) {
				continue
			}
			off = l.offMS[region]
		}
		r.enter(l, r.regional(off))
	}
}

// enter adds the streams of a lane. Without distances it stands by age, and only
// those behind the seed are candidates.
func (r *starRanker) enter(l *starLane, regional float64) {
	p := r.search.pool
	switch {
	case len(r.self.numbers) > 0:
		up, down := l.list.around(r.self.numbers[0])
		r.add(starStream{list: &l.list, at: up, upwards: true, regional: regional})
		r.add(starStream{list: &l.list, at: down, regional: regional})
	case r.open:
		r.add(starStream{list: &l.list, upwards: true, regional: regional})
	default:
		behind := l.list.find(entry{key: float64(p.createdMS[r.seed]), seq: p.sequence[r.seed]})
		r.add(starStream{list: &l.list, at: behind, upwards: true, regional: regional})
	}
}

// regional returns what a region adds to a candidate's distance that is so much
// off his nearest one.
func (r *starRanker) regional(offMS float64) float64 {
	rule := &r.search.rules.Region
	if r.open || r.region == NoRegion || math.IsInf(rule.MaxMS, 1) || rule.MaxMS == 0 {
		return 0
	}
	return float64(offMS / rule.MaxMS * rule.Weight)
}

func (r *starRanker) add(st starStream) {
	if r.bound(&st) {
		r.streams = append(r.streams, st)
	}
}

// bound computes what a stream's next entry promises; false when there is none.
func (r *starRanker) bound(st *starStream) bool {
	_, number, ok := r.peek(st)
	if !ok {
		return false
	}
	st.least = st.regional
	if len(r.self.numbers) == 0 {
		return true
	}
	difference := math.Abs(number - r.self.numbers[0])
	if difference > r.cutoff {
		return false
	}
	if !math.IsInf(r.cutoff, 1) {
		st.least = r.search.rules.Distances[0].cost(difference) + st.regional
	}
	return true
}

// next returns the next candidate in rank, or false when there is none left.
func (r *starRanker) next() (Row, bool) {
	if last := len(r.heap) - 1; r.lined && last >= 0 {
		row := r.heap[last].row
		r.heap = r.heap[:last]
		return row, true
	}
	for {
		nearest := -1
		for i := range r.streams {
			if (nearest < 0 || r.streams[i].least < r.streams[nearest].least) && !r.settled(&r.streams[i]) {
				nearest = i
			}
		}
		if nearest < 0 {
			if len(r.heap) == 0 {
				return 0, false
			}
			return r.heap.pop(r.before).row, true
		}
		st := &r.streams[nearest]
		row, _, _ := r.peek(st)
		behind := st.list == nil || r.open || r.search.pool.older(r.seed, row) // in a lane are all
		if total, tieMS, meet := r.compare(row); meet && behind {
			r.heap.push(starRated{total, tieMS, row, false}, r.before)
		}
		if st.move(); !r.bound(st) {
			last := len(r.streams) - 1
			r.streams[nearest] = r.streams[last]
			r.streams = r.streams[:last]
		}
	}
}

// settled tells whether nothing that a stream has left comes before the nearest
// candidate that was compared.
func (r *starRanker) settled(st *starStream) bool {
	if len(r.heap) == 0 || r.heap[0].reserve {
		return false
	}
	first := &r.heap[0]
	least := st.least - slack // sums of several terms may round either way
	if first.total != st.least || len(r.self.numbers) > 0 || r.open {
		return first.total < least
	}
	row, _, _ := r.peek(st)
	return r.search.pool.older(first.row, row)
}

// compare tells whether the seed and a candidate let each other be, and rates him.
func (r *starRanker) compare(row Row) (total, tieMS float64, meet bool) {
	s := r.search
	size, other := s.pool.fronts[row].size, &s.rows[row]
	if size == nobody || size > r.room || other.kind != r.self.kind || row == r.seed {
		return 0, 0, false
	}
	if total, tieMS, meet = r.rate(row); meet {
		_, apart := s.keepsApart(r.self, other)
		meet = !apart
	}
	return total, tieMS, meet
}

// rate returns the distance of a candidate and whether it and the seed let each
// other be: by all distances and the region, each by its own wait.
func (r *starRanker) rate(row Row) (total, tieMS float64, meet bool) {
	s := r.search
	c := &s.rows[row]
	for i := range r.self.held {
		mine, difference := &r.self.held[i], math.Abs(c.numbers[i]-r.self.numbers[i])
		if difference > mine.most || difference > c.held[i].most {
			return 0, 0, false
		}
		if !mine.absent {
			total += s.rules.Distances[i].cost(difference)
		}
	}
	if r.region == NoRegion && r.open {
		return total, 0, !c.newOnly
	}
	if !c.measured {
		return total, 0, !r.open
	}
	reach := s.pool.reach.mask(row, r.level)
	if r.region == NoRegion { // the seed measured nothing: any region that the candidate reaches
		return total, 0, reach != 0
	}
	if reach>>r.region&1 == 0 {
		return 0, 0, false
	}
	rtt := c.at(r.region)
	if r.open {
		return total, rtt, !c.newOnly
	}
	return total + r.regional(rtt-c.bestMS), 0, true
}

// lineUp brings a heap that nobody else comes into, and nobody of a reserve is in, into the
// order of rank. Of few that takes less than to keep it a heap while they leave.
func (r *starRanker) lineUp() {
	r.lined = true
	list := r.heap
	for i := range list {
		rated, at := list[i], i
		for ; at > 0; at-- {
			other := &list[at-1]
			if other.total > rated.total || other.total == rated.total && !r.before(other, &rated) {
				break
			}
			list[at] = *other
		}
		list[at] = rated
	}
}

func (r *starRanker) before(a, b *starRated) bool {
	switch {
	case a.reserve != b.reserve:
		return b.reserve
	case a.total != b.total:
		return a.total < b.total
	case a.tieMS != b.tieMS:
		return a.tieMS < b.tieMS
	}
	return r.search.pool.older(a.row, b.row)
}
