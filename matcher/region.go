package matcher

import (
	"cmp"
	"math"
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
}

// grow makes room for rows and for regions that the schema has learnt.
func (t *regionTable) grow(schema *Schema, rows int) {
	if t.schema = schema; len(t.order) != schema.Regions() {
		t.widen()
	}
	for len(t.anywhere) < rows {
		t.anywhere = append(t.anywhere, false)
	}
	for len(t.worst) < rows*len(t.order) {
		t.worst, t.sum = append(t.worst, math.Inf(1)), append(t.sum, 0)
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
}

// row returns the worst round-trip times of a row, in the order of names.
func (t *regionTable) row(row Row) []float64 {
	n := len(t.order)
	return t.worst[int(row)*n : int(row)*n+n]
}

func (t *regionTable) fill(row Row, players []Player) {
	n := len(t.order)
	t.anywhere[row] = false
	for i, region := range t.order {
		worst, sum := 0.0, 0.0
		for k := range players {
			rtt := math.Inf(1)
			if int(region) < len(players[k].RTTMS) && !math.IsNaN(players[k].RTTMS[region]) {
				rtt = players[k].RTTMS[region]
			}
			worst, sum = max(worst, rtt), sum+rtt
		}
		t.worst[int(row)*n+i], t.sum[int(row)*n+i] = worst, sum
	}
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
// good their common regions are: (limit − worst)/limit for each.
func (t *regionTable) common(a, b Row, limitMS float64) (quality float64, share bool) {
	other := t.row(b)
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
func (p *Pool) regions(group []Row, old, young Row) []Region {
	if p.region == nil {
		return nil
	}
	f, enforced := p.region.inForce(old, young)
	found := p.regionsWithin(group, f.bound)
	if len(found) == 0 && !enforced {
		found = p.regionsWithin(group, math.MaxFloat64)
	}
	return found
}

func (p *Pool) regionsWithin(group []Row, limitMS float64) []Region {
	type choice struct {
		region      Region
		worst, mean float64
	}
	var choices []choice
	n := len(p.reach.order)
	for i, region := range p.reach.order {
		worst, sum, players := 0.0, 0.0, 0
		for _, row := range group {
			worst, sum = max(worst, p.reach.worst[int(row)*n+i]), sum+p.reach.sum[int(row)*n+i]
			if p.state[row] == rowTicket {
				players += int(p.size[row])
			}
		}
		if worst <= limitMS && worst < math.Inf(1) {
			choices = append(choices, choice{region, worst, sum / float64(max(1, players))})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.worst, b.worst), cmp.Compare(a.mean, b.mean))
	})
	found := make([]Region, len(choices))
	for i, c := range choices {
		found[i] = c.region
	}
	return found
}
