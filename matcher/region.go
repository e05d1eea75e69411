package matcher

import (
	"math"
	"math/bits"
	"slices"
)

// regionTable holds how far every ticket and session is from every region, and in
// which regions it is within the thresholds.
type regionTable struct {
	views
	star   bool      // a star keeps the masks: see starSearch.face
	stride int       // masks of a row
	levels []float64 // thresholds that the region rule may come to, ascending; none when they are too many

	// by row
	view []int32
	own  []int32 // the view that is the row's alone, noView until it needs one

	// Copies of what its view has: a pass looks at them again and again, and rows stand
	// together, but views are all over the memory.
	near  []uint16 // views.brief
	masks []uint64
}

// levelsMax bounds the thresholds for which the regions of every row are kept.
const levelsMax = 32

// free is the level of those who meet in any region: everybody's mask there is 1.
const free = 0

// anywhere is the regions of who goes to all that there are and may come.
const anywhere = ^uint64(0)

// prepare sets the levels of a rule's thresholds, nil: there is no rule. star tells that
// the pool has one.
func (t *regionTable) prepare(s *Schedule, star bool) {
	if s != nil {
		t.levels = levelsOf(s)
	}
	if t.star, t.stride = star, len(t.levels)+1; star {
		t.stride = starMasks
	}
}

// levelsOf returns the thresholds of a rule, none when they are too many.
func levelsOf(s *Schedule) []float64 {
	var levels []float64
	for wait := int64(0); wait != Never; wait = s.nextChange(wait) {
		bound, _ := s.At(wait)
		if at, known := slices.BinarySearch(levels, bound); !known {
			levels = slices.Insert(levels, at, bound)
		}
		if len(levels) > levelsMax {
			return nil
		}
	}
	return levels
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
	return t.masks[int(row)*t.stride+int(level)]
}

// within returns the regions of a row within the threshold of the region rule.
func (t *regionTable) within(row Row, held *force) uint64 {
	if held.level != free {
		return t.mask(row, held.level)
	}
	return t.reachable(row, held.bound)
}

// grow makes room for rows and for regions that the schema has learnt; without a
// region rule there are none.
func (t *regionTable) grow(p *Pool, rows int) {
	if p.region != nil && len(t.order) != p.schema.Regions() {
		t.widen(p.schema, t.levels)
		p.changes++ // what is known by regions has their old order
		t.near = make([]uint16, len(t.view)*len(t.order))
		for row := range t.view {
			t.show(Row(row), t.view[row])
		}
	}
	for len(t.view) < rows {
		t.view, t.own = append(t.view, 0), append(t.own, noView)
	}
	for len(t.near) < rows*len(t.order) {
		t.near = append(t.near, 0)
	}
	for len(t.masks) < rows*t.stride {
		t.masks = append(t.masks, 0)
	}
}

// show gives a row a view.
func (t *regionTable) show(row Row, view int32) {
	t.view[row] = view
	from := int(view) * len(t.order)
	copy(t.nearOf(row), t.brief[from:from+len(t.order)])
	if n := t.stride; !t.star {
		masks, marks := t.masks[int(row)*n:int(row)*n+n], t.marks[int(view)*n:int(view)*n+n]
		for level := range masks { // few: a copy would have to guess how many
			masks[level] = marks[level]
		}
	}
}

// ownView returns the view that is a row's alone.
func (t *regionTable) ownView(row Row) int32 {
	if t.own[row] == noView {
		t.own[row] = t.add()
	}
	return t.own[row]
}

// row returns the worst round-trip times of a row, in the order of names.
func (t *regionTable) row(row Row) []float64 { return t.worstOf(t.view[row]) }

// nearOf returns them as views.brief has them; they count unless some are lossy.
func (t *regionTable) nearOf(row Row) []uint16 {
	n := len(t.order)
	return t.near[int(row)*n : int(row)*n+n]
}

// fill gives a row the view of its players.
func (t *regionTable) fill(row Row, players []Player) {
	view := t.ownView(row)
	t.look(view, players, t.levels)
	t.show(row, view)
}

// fillSession gives a row the view of a session.
func (t *regionTable) fillSession(row Row, at Region) {
	view := t.ownView(row)
	t.lookFrom(view, at, t.levels)
	t.show(row, view)
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
	at         int     // in the order of names
	worst, sum float64 // round-trip times over the players, ms
}

// before tells whether a region comes before one whose name does; both have so many
// players.
func (c *regionChoice) before(other *regionChoice, players float64) bool {
	if c.worst != other.worst {
		return c.worst < other.worst
	}
	return c.sum/players < other.sum/players
}

// choose lists some regions, as bits in the order of names, the best first.
func (p *Pool) choose(group []Row, within uint64) []Region {
	choices, players := p.choices[:0], 0
	for ; within != 0; within &= within - 1 {
		choices = append(choices, regionChoice{at: bits.TrailingZeros64(within)})
	}
	p.choices = choices
	for _, row := range group {
		players += p.weigh(choices, row)
	}
	for i := range choices { // they are few
		for k := i; k > 0 && choices[k].before(&choices[k-1], float64(max(1, players))); k-- {
			choices[k], choices[k-1] = choices[k-1], choices[k]
		}
	}
	from := len(p.regionList)
	for i := range choices {
		p.regionList = append(p.regionList, p.reach.order[choices[i].at])
	}
	return p.regionList[from:len(p.regionList):len(p.regionList)]
}

// weigh adds a row to what is known of the choices, and returns its players; those of a
// session do not count.
func (p *Pool) weigh(choices []regionChoice, row Row) (players int) {
	if p.state[row] == rowTicket {
		players = int(p.size[row])
	}
	if players == 1 && !p.reach.lossy { // most: their sums are the same
		near := p.reach.nearOf(row)
		for i := range choices {
			c, rtt := &choices[i], float64(near[choices[i].at])/briefUnit
			c.worst = max(c.worst, rtt) // to guess which it is costs more
			c.sum += rtt
		}
		return players
	}
	worst, sums := p.reach.row(row), p.reach.sumOf(p.reach.view[row])
	for i := range choices {
		c := &choices[i]
		if rtt := worst[c.at]; rtt > c.worst {
			c.worst = rtt
		}
		c.sum += sums[c.at]
	}
	return players
}

// regionSlice returns a list of one region that is good until the next pass.
func (p *Pool) regionSlice(region Region) []Region {
	p.regionList = append(p.regionList, region)
	return p.regionList[len(p.regionList)-1 : len(p.regionList) : len(p.regionList)]
}
