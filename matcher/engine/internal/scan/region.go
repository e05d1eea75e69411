package scan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// regions knows how far every row is from every region, and which of them it reaches. A
// bit of a mask is a matcher.Region.
type regions struct {
	always
	rule     *matcher.PivotRegion
	schema   *matcher.Schema
	rows     *store.Rows
	at       int        // place of the rule among the limits of a stage
	reaches  []float64  // by Limit.Level: see levelOf
	measured *profile   // by the last Measure
	vantages []*profile // by matcher.Vantage; the first is none

	// by row
	profiles []*profile
	own      []*profile // the row's alone, nil until it needs one
	reached  []reached
}

// reached is the regions that a row reaches by its wait.
type reached struct {
	stage *store.Stage // for which it was computed; nil: it was not
	mask  uint64
}

// everywhere is the mask of a row that goes to all regions.
const everywhere = ^uint64(0)

// maxLevels bounds the reaches whose regions a profile keeps: few tickets wait for more.
const maxLevels = 6

// levelOf returns the level of a reach, in ms: maxLevels of those that are too many.
func (g *regions) levelOf(reachMS float64) int32 {
	level := slices.Index(g.reaches, reachMS)
	if level < 0 {
		if level = len(g.reaches); level < maxLevels {
			g.reaches = append(g.reaches, reachMS)
		}
	}
	return int32(level)
}

// profile is the round-trip times of a ticket, in ms: the mean over the players that
// measured any. A region that one of these did not measure does not count.
type profile struct {
	bestMS  float64           // of rttMS; +Inf: none
	known   uint8             // levels of which the mask is known
	masks   [maxLevels]uint64 // by level: the regions within that reach
	rttMS   []float64         // by Region; +Inf or behind the end: not available
	order   []matcher.Region  // those available, the nearest first, then by name
	ordered bool
}

// Measure computes the round-trip times of players, for the next Load.
func (r *Rules) Measure(players []matcher.Player) {
	p := r.regions.measured
	p.known, p.rttMS, p.order, p.bestMS, p.ordered = 0, p.rttMS[:0], p.order[:0], math.Inf(1), false
	if r.Set.Region.Ignored {
		return
	}
	measures := func(rtt float64) bool { return !math.IsNaN(rtt) }
	reporting := 0
	for i := range players {
		if !slices.ContainsFunc(players[i].RTTMS, measures) {
			continue
		}
		reporting++
		for len(p.rttMS) < len(players[i].RTTMS) {
			rtt := 0.0
			if reporting > 1 {
				rtt = math.Inf(1)
			}
			p.rttMS = append(p.rttMS, rtt)
		}
		for region := range p.rttMS {
			if region < len(players[i].RTTMS) && measures(players[i].RTTMS[region]) {
				p.rttMS[region] += players[i].RTTMS[region]
			} else {
				p.rttMS[region] = math.Inf(1)
			}
		}
	}
	for region := range p.rttMS {
		p.rttMS[region] /= float64(reporting)
		p.bestMS = min(p.bestMS, p.rttMS[region])
	}
}

// Vantage makes the last Measure a vantage and returns its number.
func (r *Rules) Vantage() int32 {
	g := &r.regions
	g.vantages = append(g.vantages, g.measured)
	g.measured = new(profile)
	return int32(len(g.vantages) - 1)
}

// load gives a row the round-trip times of a vantage, or of the last Measure.
func (g *regions) load(row Row, from matcher.Vantage) {
	for int(row) >= len(g.profiles) {
		g.profiles, g.own, g.reached = append(g.profiles, nil), append(g.own, nil), append(g.reached, reached{})
	}
	p := g.vantages[from]
	if from == matcher.NoVantage {
		p = g.measured
		if g.measured = g.own[row]; g.measured == nil {
			g.measured = new(profile)
		}
		g.own[row] = p
	}
	g.profiles[row], g.reached[row] = p, reached{}
}

// within returns the regions of a profile in a reach. One that is beyond the maximum is in
// none.
func (g *regions) within(p *profile, l *Limit) uint64 {
	if l.Level < maxLevels && p.known>>l.Level&1 != 0 {
		return p.masks[l.Level]
	}
	mask := uint64(0)
	for region, rtt := range p.rttMS {
		if rtt <= p.bestMS+l.Bound && rtt <= g.rule.MaxMS && !math.IsInf(rtt, 1) {
			mask |= 1 << region
		}
	}
	if l.Level < maxLevels {
		p.known, p.masks[l.Level] = p.known|1<<l.Level, mask
	}
	return mask
}

// reach returns the regions that a row reaches by its own wait; 0: none.
func (g *regions) reach(row Row) uint64 {
	r := &g.reached[row]
	if stage := g.rows.Stage[row]; r.stage != stage {
		r.stage, r.mask = stage, g.within(g.profiles[row], &stage.Limits[g.at])
	}
	return r.mask
}

// to returns the round-trip time to a region.
func (p *profile) to(region matcher.Region) float64 {
	if int(region) < len(p.rttMS) {
		return p.rttMS[region]
	}
	return math.Inf(1)
}

// Mask implements candidate.Valued.
func (g *regions) Mask(_ *Limit, seed Row) uint64 {
	if mask := g.reach(seed); mask != 0 && g.rows.Kind[seed] == store.Ticket {
		return mask
	}
	return everywhere
}

// Theirs implements candidate.TwoSided: a candidate that reaches nothing, or where its
// reach does not count has measured nothing, goes anywhere.
func (g *regions) Theirs(l *Limit, candidate Row) uint64 {
	mask := uint64(0)
	if !l.Optional {
		mask = g.reach(candidate)
	} else {
		for region, rtt := range g.profiles[candidate].rttMS {
			if !math.IsInf(rtt, 1) {
				mask |= 1 << region
			}
		}
	}
	if mask == 0 {
		return everywhere
	}
	return mask
}

// Asks implements candidate.TwoSided.
func (g *regions) Asks(l *Limit) float64 {
	if l.Optional {
		return 1
	}
	return 0
}

// Reached returns the regions in which a ticket looks for others, the nearest first. The
// slice is good until the next call.
func (r *Rules) Reached(seed Row) []matcher.Region {
	return r.regions.nearest(seed)[:bits.OnesCount64(r.regions.reach(seed))]
}

// Nearest returns the region of a ticket's lowest round-trip time, NoRegion without one.
func (r *Rules) Nearest(seed Row) matcher.Region {
	if order := r.regions.nearest(seed); len(order) > 0 {
		return order[0]
	}
	return matcher.NoRegion
}

// nearest returns the regions that a row measured, the nearest first.
func (g *regions) nearest(row Row) []matcher.Region {
	p := g.profiles[row]
	if !p.ordered {
		p.ordered = true
		for region, rtt := range p.rttMS {
			if !math.IsInf(rtt, 1) {
				p.order = append(p.order, matcher.Region(region))
			}
		}
		slices.SortFunc(p.order, func(a, b matcher.Region) int {
			return cmp.Or(cmp.Compare(p.rttMS[a], p.rttMS[b]), cmp.Compare(g.schema.RegionName(a), g.schema.RegionName(b)))
		})
	}
	return p.order
}
