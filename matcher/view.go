package matcher

import (
	"cmp"
	"math"
	"slices"
)

// views are round-trip times as a region rule looks at them: for the players of a
// ticket the worst to every region and their sum, in ms. A region that somebody did not
// measure is at +Inf. Regions stand by name, so that sums over them do not depend on the
// order in which names were seen. Tickets of the same Vantage share a view.
type views struct {
	order []Region // by name

	// by view, and the first three by region
	worst    []float64
	brief    []uint16 // worst in units of 1/briefUnit ms, a quarter of the memory; noBrief for +Inf
	sum      []float64
	lossy    bool     // some round-trip time does not fit: brief is not to be used
	marks    []uint64 // for no threshold, then for each of the rule, the regions within it as bits in the order of names
	anywhere []bool   // sessions that may be in any region, also in one not seen yet
	home     []uint8  // the region reached fastest, the first such by name, plus 1; 0: none is reached
}

// briefUnit is how many units of views.brief make a ms: nobody measures more finely.
const briefUnit = 16

// noBrief stands in views.brief where nothing was measured.
const noBrief = math.MaxUint16

// briefly returns a round-trip time in ms as views.brief has it, and whether it fits.
func briefly(rttMS float64) (brief uint16, fits bool) {
	if math.IsInf(rttMS, 1) {
		return noBrief, true
	}
	units := rttMS * briefUnit
	if !(units < noBrief) {
		return noBrief, false
	}
	return uint16(units), units == math.Trunc(units)
}

// noView stands where there is no view.
const noView = -1

// add returns a new view, from which no region is reached.
func (v *views) add() int32 {
	view := int32(len(v.home))
	v.anywhere, v.home = append(v.anywhere, false), append(v.home, 0)
	for range v.order {
		v.worst, v.brief, v.sum = append(v.worst, math.Inf(1)), append(v.brief, 0), append(v.sum, 0)
	}
	return view
}

// worstOf returns the worst round-trip times of a view.
func (v *views) worstOf(view int32) []float64 {
	n := len(v.order)
	return v.worst[int(view)*n : int(view)*n+n]
}

// sumOf returns the sums over the players of a view.
func (v *views) sumOf(view int32) []float64 {
	n := len(v.order)
	return v.sum[int(view)*n : int(view)*n+n]
}

// look fills in a view of players.
func (v *views) look(view int32, players []Player, levels []float64) {
	v.anywhere[view] = false
	worst, sum := v.worstOf(view), v.sumOf(view)
	clear(worst)
	clear(sum)
	for k := range players {
		rtts := players[k].RTTMS
		for i, region := range v.order {
			rtt := math.Inf(1)
			if int(region) < len(rtts) && !math.IsNaN(rtts[region]) {
				rtt = rtts[region]
			}
			if sum[i] += rtt; rtt > worst[i] {
				worst[i] = rtt
			}
		}
	}
	v.mark(view, levels)
}

// lookFrom fills in the view of a session, which reaches its own region, or all when it
// is not known: joining players alone have to be within the limit.
func (v *views) lookFrom(view int32, at Region, levels []float64) {
	v.anywhere[view] = at == NoRegion
	worst := v.worstOf(view)
	for i, region := range v.order {
		if worst[i] = 0; at != NoRegion && at != region {
			worst[i] = math.Inf(1)
		}
	}
	clear(v.sumOf(view))
	v.mark(view, levels)
}

// mark computes what follows from the round-trip times of a view: which region is the
// nearest, and which are within each of some ascending thresholds.
func (v *views) mark(view int32, levels []float64) {
	n := len(levels)
	for len(v.marks) < (int(view)+1)*(n+1) {
		v.marks = append(v.marks, 0)
	}
	masks := v.marks[int(view)*(n+1) : int(view)*(n+1)+n+1]
	clear(masks)
	masks[free] = 1
	nearest, least := NoRegion, math.Inf(1)
	for i, rtt := range v.worstOf(view) {
		brief, fits := briefly(rtt)
		v.brief[int(view)*len(v.order)+i], v.lossy = brief, v.lossy || !fits
		if rtt < least {
			nearest, least = v.order[i], rtt
		}
		if n == 0 || !(rtt <= levels[n-1]) {
			continue
		}
		level := 0
		for rtt > levels[level] {
			level++
		}
		masks[level+1] |= 1 << i
	}
	v.home[view] = uint8(nearest + 1)
	for level := 2; level <= n; level++ {
		masks[level] |= masks[level-1]
	}
}

// widen brings the new regions of a schema into the order.
func (v *views) widen(schema *Schema, levels []float64) {
	old := *v
	v.order = make([]Region, schema.Regions())
	for i := range v.order {
		v.order[i] = Region(i)
	}
	slices.SortFunc(v.order, func(a, b Region) int {
		return cmp.Compare(schema.RegionName(a), schema.RegionName(b))
	})
	count, n, before := len(v.home), len(v.order), len(old.order)
	v.worst, v.brief, v.sum = make([]float64, count*n), make([]uint16, count*n), make([]float64, count*n)
	for i, region := range v.order {
		from := slices.Index(old.order, region)
		for view := range count {
			worst, sum := math.Inf(1), 0.0
			if v.anywhere[view] {
				worst = 0
			}
			if from >= 0 {
				worst, sum = old.worst[view*before+from], old.sum[view*before+from]
			}
			v.worst[view*n+i], v.sum[view*n+i] = worst, sum
		}
	}
	for view := range count {
		v.mark(int32(view), levels)
	}
}
