package criterion

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
)

// profiles contains the round-trip times of tickets in ms, for a region rule. For each region, a
// profile has the worst time and the sum of the times of a ticket's players. The time to a region
// that a player did not measure is +Inf. Regions are ordered by name, so that sums over regions do
// not depend on the order in which names were first seen. Tickets with the same Place share a
// profile.
type profiles struct {
	thresholds []float64        // thresholds of the rule in ascending order
	order      []matcher.Region // regions in order of their names

	worst, sum []float64 // indexed by profile and region
	masks      []uint64  // indexed by profile and threshold: the regions within the threshold
	solo       []bool    // indexed by profile: the ticket has one player, so sum equals worst
	anywhere   []bool    // indexed by profile: the session may be in any region, including new ones
}

// add adds a profile that does not reach any region, and returns its index.
func (v *profiles) add() int32 {
	p := int32(len(v.anywhere))
	v.solo, v.anywhere = append(v.solo, false), append(v.anywhere, false)
	for range v.order {
		v.worst, v.sum = append(v.worst, math.Inf(1)), append(v.sum, 0)
	}
	for range v.thresholds {
		v.masks = append(v.masks, 0)
	}
	return p
}

func (v *profiles) worstOf(p int32) []float64 {
	n := len(v.order)
	return v.worst[int(p)*n:][:n]
}

func (v *profiles) sumOf(p int32) []float64 {
	n := len(v.order)
	return v.sum[int(p)*n:][:n]
}

// load sets a profile to the round-trip times of a ticket's players.
func (v *profiles) load(p int32, players []matcher.Player) {
	v.solo[p], v.anywhere[p] = len(players) == 1, false
	worst, sum := v.worstOf(p), v.sumOf(p)
	clear(worst)
	clear(sum)
	for k := range players {
		rtts := players[k].RTTMS
		for i, region := range v.order {
			rtt := math.Inf(1)
			if int(region) < len(rtts) && !math.IsNaN(rtts[region]) {
				rtt = rtts[region]
			}
			worst[i] = max(worst[i], rtt)
			sum[i] += rtt
		}
	}
	v.mark(p)
}

// loadSession sets a profile to the times of a session that runs in a region, or in any region for
// NoRegion.
func (v *profiles) loadSession(p int32, at matcher.Region) {
	v.solo[p], v.anywhere[p] = false, at == matcher.NoRegion
	worst := v.worstOf(p)
	for i, region := range v.order {
		if worst[i] = 0; at != matcher.NoRegion && at != region {
			worst[i] = math.Inf(1)
		}
	}
	clear(v.sumOf(p))
	v.mark(p)
}

// mark computes the masks of a profile.
func (v *profiles) mark(p int32) {
	n := len(v.thresholds)
	masks := v.masks[int(p)*n:][:n]
	clear(masks)
	for i, rtt := range v.worstOf(p) {
		level, _ := slices.BinarySearch(v.thresholds, rtt)
		if level < n {
			masks[level] |= 1 << i
		}
	}
	for level := 1; level < n; level++ {
		masks[level] |= masks[level-1]
	}
}

// widen adds the regions of a schema that are missing in v.order.
func (v *profiles) widen(schema *matcher.Schema) {
	old := *v
	v.order = make([]matcher.Region, schema.Regions())
	for i := range v.order {
		v.order[i] = matcher.Region(i)
	}
	slices.SortFunc(v.order, func(a, b matcher.Region) int {
		return cmp.Compare(schema.RegionName(a), schema.RegionName(b))
	})
	count, n, before := len(v.anywhere), len(v.order), len(old.order)
	v.worst, v.sum = make([]float64, count*n), make([]float64, count*n)
	for i, region := range v.order {
		from := slices.Index(old.order, region)
		for p := range count {
			worst, sum := math.Inf(1), 0.0
			if v.anywhere[p] {
				worst = 0
			}
			if from >= 0 {
				worst, sum = old.worst[p*before+from], old.sum[p*before+from]
			}
			v.worst[p*n+i], v.sum[p*n+i] = worst, sum
		}
	}
	for p := range count {
		v.mark(int32(p))
	}
}
