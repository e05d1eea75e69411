package matcher

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// regionTable holds, for every row, its worst round-trip time to every region and
// the sum over its players, in ms. A region that somebody did not measure is at
// +Inf. Regions stand by name, so that sums over them do not depend on the order
// in which names were seen.
type regionTable struct {
	schema   *Schema
	order    []Region // by name
	worst    []float64
	sum      []float64
	anywhere []bool // sessions that may be in any region, also in one not seen yet

	star   bool      // a star keeps the masks: see starSearch.face
	levels []float64 // thresholds that the region rule may come to, ascending; none when they are too many
	masks  []uint64  // by row: for each of the levels, then for none, the regions within it as bits in the order of names
}

// levelsMax bounds the thresholds for which the regions of every row are kept.
const levelsMax = 32

// free is the level of those who meet in any region: everybody's mask there is 1.
const free = 0

// prepare sets the levels of a rule's thresholds.
func (t *regionTable) prepare(s *Schedule) {
	var levels []float64
	for wait := int64(0); wait != Never; wait = s.nextChange(wait) {
		bound, _ := s.At(wait)
		if at, known := slices.BinarySearch(levels, bound); !known {
			levels = slices.Insert(levels, at, bound)
		}
		if len(levels) > levelsMax {
			return
		}
	}
	t.levels = levels
}

// level returns the level of a threshold, free when there are none.
func (t *regionTable) level(limitMS float64) uint8 {
	at, _ := slices.BinarySearch(t.levels, limitMS)
	if at == len(t.levels) {
		return free
	}
	return uint8(at + 1)
}

// mask returns the regions of a row within a level.
func (t *regionTable) mask(row Row, level uint8) uint64 {
	return t.masks[int(row)*t.stride()+int(level)]
}

// stride returns how many masks a row has.
func (t *regionTable) stride() int {
	if t.star {
		return starMasks
	}
	return len(t.levels) + 1
}

// within returns the regions of a row within the threshold of the region rule.
func (t *regionTable) within(row Row, held *force) uint64 {
	if held.level != free {
		return t.mask(row, held.level)
	}
	return t.reachable(row, held.bound)
}

// mark computes the masks of a row.
func (t *regionTable) mark(row Row) {
	if t.star {
		return
	}
	n := len(t.levels)
	masks := t.masks[int(row)*(n+1) : int(row)*(n+1)+n+1]
	clear(masks)
	masks[free] = 1
	if n == 0 {
		return
	}
	for i, rtt := range t.row(row) {
		if !(rtt <= t.levels[n-1]) {
			continue
		}
		level := 0
		for rtt > t.levels[level] {
			level++
		}
		masks[level+1] |= 1 << i
	}
	for level := 2; level <= n; level++ {
		masks[level] |= masks[level-1]
	}
}

// grow makes room for rows and for regions that the schema has learnt; without a
// region rule there are none.
func (t *regionTable) grow(p *Pool, rows int) {
	if t.schema = p.schema; p.region != nil && len(t.order) != p.schema.Regions() {
		t.widen()
	}
	for len(t.anywhere) < rows {
		t.anywhere = append(t.anywhere, false)
	}
	for len(t.worst) < rows*len(t.order) {
		t.worst, t.sum = append(t.worst, math.Inf(1)), append(t.sum, 0)
	}
	for len(t.masks) < rows*t.stride() {
		t.masks = append(t.masks, 0)
	}
}

// widen brings the new regions into the order.
func (t *regionTable) widen() {
	old := *t
	t.order = make([]Region, t.schema.Regions())
	for i := range t.order {
		t.order[i] = Region(i)
	}
	slices.SortFunc(t.order, func(a, b Region) int {
		return cmp.Compare(t.schema.RegionName(a), t.schema.RegionName(b))
	})
	if len(old.order) == 0 {
		return
	}
	rows := len(old.worst) / len(old.order)
	t.worst, t.sum = make([]float64, rows*len(t.order)), make([]float64, rows*len(t.order))
	for i, region := range t.order {
		from := slices.Index(old.order, region)
		for row := range rows {
			worst, sum := math.Inf(1), 0.0
			if t.anywhere[row] {
				worst = 0
			}
			if from >= 0 {
				worst, sum = old.worst[row*len(old.order)+from], old.sum[row*len(old.order)+from]
			}
			t.worst[row*len(t.order)+i], t.sum[row*len(t.order)+i] = worst, sum
		}
	}
	for row := range min(rows, len(t.masks)/t.stride()) {
		t.mark(Row(row))
	}
}

// row returns the worst round-trip times of a row, in the order of names.
func (t *regionTable) row(row Row) []float64 {
	n := len(t.order)
	return t.worst[int(row)*n : int(row)*n+n]
}

func (t *regionTable) fill(row Row, players []Player) {
	n := len(t.order)
	t.anywhere[row] = false
	worst, sum := t.worst[int(row)*n:int(row)*n+n], t.sum[int(row)*n:int(row)*n+n]
	clear(worst)
	clear(sum)
	for k := range players {
		rtts := players[k].RTTMS
		for i, region := range t.order {
			rtt := math.Inf(1)
			if int(region) < len(rtts) && !math.IsNaN(rtts[region]) {
				rtt = rtts[region]
			}
			if sum[i] += rtt; rtt > worst[i] {
				worst[i] = rtt
			}
		}
	}
	t.mark(row)
}

// fillSession makes a session reach its own region, or all when it is not known:
// joining players alone have to be within the limit.
func (t *regionTable) fillSession(row Row, at Region) {
	n := len(t.order)
	t.anywhere[row] = at == NoRegion
	for i, region := range t.order {
		worst := 0.0
		if at != NoRegion && at != region {
			worst = math.Inf(1)
		}
		t.worst[int(row)*n+i], t.sum[int(row)*n+i] = worst, 0
	}
	t.mark(row)
}

// reachable returns the regions, as bits in the order of names, that a row reaches
// within a limit.
func (t *regionTable) reachable(row Row, limitMS float64) uint64 {
	mask := uint64(0)
	for i, rtt := range t.row(row) {
		if rtt <= limitMS && rtt < math.Inf(1) {
			mask |= 1 << i
		}
	}
	return mask
}

// common tells whether two rows share a region within a limit, and adds up how
// good their common regions are: (limit − worst)/limit for each. The level is that
// of the limit, or free; the sum is the same.
func (t *regionTable) common(a, b Row, limitMS float64, level uint8) (quality float64, share bool) {
	other := t.row(b)
	if level != free {
		both, mine := t.mask(a, level)&t.mask(b, level), t.row(a)
		for m := both; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			quality += regionQuality(max(mine[i], other[i]), limitMS)
		}
		return quality, both != 0
	}
	for i, rtt := range t.row(a) {
		if rtt = max(rtt, other[i]); rtt <= limitMS && rtt < math.Inf(1) {
			share = true
			quality += regionQuality(rtt, limitMS)
		}
	}
	return quality, share
}

func regionQuality(rttMS, limitMS float64) float64 {
	switch {
	case math.IsInf(limitMS, 1):
		return 1
	case limitMS <= 0:
		return 0
	}
	return (limitMS - rttMS) / limitMS
}

// regions returns where a group can play, the best region first: the lowest worst
// round-trip time, then the lowest mean, then the name. While the rule is not
// enforced and no region is within the limit, all that everybody measured count.
func (p *Pool) regions(group []Row, top *frame) []Region {
	if p.region == nil {
		return nil
	}
	within := top.within
	if _, enforced := p.region.inForce(top.old, top.young); within == 0 && !enforced {
		within = ^uint64(0)
		for _, row := range group {
			within &= p.reach.reachable(row, math.MaxFloat64)
		}
	}
	return p.choose(group, within)
}

// regionChoice is a region in which a group could play.
type regionChoice struct {
	region      Region
	worst, mean float64
}

// choose lists some regions, as bits in the order of names, the best first.
func (p *Pool) choose(group []Row, within uint64) []Region {
	choices, n := p.choices[:0], len(p.reach.order)
	for ; within != 0; within &= within - 1 {
		i := bits.TrailingZeros64(within)
		worst, sum, players := 0.0, 0.0, 0
		for _, row := range group {
			worst, sum = max(worst, p.reach.worst[int(row)*n+i]), sum+p.reach.sum[int(row)*n+i]
			if p.state[row] == rowTicket {
				players += int(p.size[row])
			}
		}
		choices = append(choices, regionChoice{p.reach.order[i], worst, sum / float64(max(1, players))})
	}
	p.choices = choices
	slices.SortStableFunc(choices, func(a, b regionChoice) int {
		return cmp.Or(cmp.Compare(a.worst, b.worst), cmp.Compare(a.mean, b.mean))
	})
	from := len(p.regionList)
	for i := range choices {
		p.regionList = append(p.regionList, choices[i].region)
	}
	return p.regionList[from:len(p.regionList):len(p.regionList)]
}

// regionSlice returns a list of one region that is good until the next pass.
func (p *Pool) regionSlice(region Region) []Region {
	p.regionList = append(p.regionList, region)
	return p.regionList[len(p.regionList)-1 : len(p.regionList) : len(p.regionList)]
}
