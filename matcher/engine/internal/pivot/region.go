package pivot

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Regions knows how far every row is from every region, and which of them it reaches. A
// bit of a mask is a matcher.Region.
type Regions struct {
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
	sessions []matcher.Region // of a session its region

	alone     [1]matcher.Region // scratch of Reached
	reporting [][]float64       // scratch of Measure
}

// reached is the regions that a row reaches by its wait. To look them up for every
// comparison takes 4 percent of a day that waits in the queues of datacenters.
type reached struct {
	stage *store.Stage // for which own was computed; nil: it was not
	own   uint64
}

// maxLevels bounds the reaches whose regions a profile keeps: few tickets wait for more.
// Where none were kept, 10 percent of a day's time went into comparing round-trip times.
const maxLevels = 6

// levelOf returns the level of a reach, in ms: a number that all limits with this reach
// have; maxLevels of those that are too many.
func (g *Regions) levelOf(reachMS float64) int32 {
	level := slices.Index(g.reaches, reachMS)
	if level < 0 {
		if level = len(g.reaches); level < maxLevels {
			g.reaches = append(g.reaches, reachMS)
		}
	}
	return int32(level)
}

// everywhere is the mask of a row that goes to all regions, also to those not seen yet.
const everywhere = ^uint64(0)

// profile is the round-trip times of a ticket or session, in ms: the mean over the players
// that measured any.
//
// Profiles of vantages lie all over the memory: what every ticket asks stands first.
type profile struct {
	bestMS   float64 // of rttMS; +Inf: none
	measured bool
	known    uint8             // levels of which the mask is known
	masks    [maxLevels]uint64 // by level: the regions within that reach
	rttMS    []float64         // by Region; +Inf or behind the end: not available
	order    []matcher.Region  // those available, the nearest first, then by name; empty until asked for
}

// Measure computes the round-trip times of players, for the next Load. Players who
// measured nothing do not count; a region that one of the others did not measure is not
// available.
func (g *Regions) Measure(players []matcher.Player) {
	p, regions := g.measured, 0
	p.known, p.rttMS, p.bestMS, p.order, g.reporting = 0, p.rttMS[:0], math.Inf(1), p.order[:0], g.reporting[:0]
	for i := range players {
		rttMS := players[i].RTTMS
		if !g.rule.Ignored && slices.ContainsFunc(rttMS, func(rtt float64) bool { return !math.IsNaN(rtt) }) {
			g.reporting, regions = append(g.reporting, rttMS), max(regions, len(rttMS))
		}
	}
	p.measured = len(g.reporting) > 0
	for region := range regions {
		sum := 0.0
		for _, rttMS := range g.reporting {
			if region >= len(rttMS) || math.IsNaN(rttMS[region]) {
				sum = math.Inf(1)
				break
			}
			sum += rttMS[region]
		}
		p.rttMS = append(p.rttMS, sum/float64(len(g.reporting)))
		p.bestMS = min(p.bestMS, p.rttMS[region])
	}
}

// to returns the round-trip time to a region.
func (p *profile) to(region matcher.Region) float64 {
	if int(region) < len(p.rttMS) {
		return p.rttMS[region]
	}
	return math.Inf(1)
}

// Vantage makes the last Measure a vantage and returns its number.
func (g *Regions) Vantage() int32 {
	g.vantages = append(g.vantages, g.measured)
	g.measured = new(profile)
	return int32(len(g.vantages) - 1)
}

// TooFar measures players without a vantage, for the next Load, and tells whether they
// measured regions which are all beyond PivotRegion.MaxMS; the nearest is at bestMS.
func (g *Regions) TooFar(from matcher.Vantage, players []matcher.Player) (bestMS float64, tooFar bool) {
	p := g.vantages[from]
	if from == matcher.NoVantage {
		g.Measure(players)
		p = g.measured
	}
	return p.bestMS, p.measured && p.bestMS > g.rule.MaxMS
}

// load gives a row the round-trip times of a vantage, or of the last Measure.
func (g *Regions) load(row Row, from matcher.Vantage, at matcher.Region) {
	for int(row) >= len(g.profiles) {
		g.profiles, g.own, g.reached = append(g.profiles, nil), append(g.own, nil), append(g.reached, reached{})
		g.sessions = append(g.sessions, matcher.NoRegion)
	}
	g.sessions[row] = at
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

// within returns the regions of a profile in a reach.
func (g *Regions) within(p *profile, reachMS float64, level int32) uint64 {
	switch {
	case !p.measured:
		return everywhere
	case level < maxLevels && p.known>>level&1 != 0:
		return p.masks[level]
	}
	mask, limitMS := uint64(0), limit(g.rule, reachMS, p.bestMS)
	for region, rtt := range p.rttMS {
		if rtt <= limitMS+criterion.Tolerance && !math.IsInf(rtt, 1) {
			mask |= 1 << region
		}
	}
	if level < maxLevels {
		p.known, p.masks[level] = p.known|1<<level, mask
	}
	return mask
}

// limit returns how far a row reaches, whose nearest region is at bestMS.
func limit(rule *matcher.PivotRegion, reachMS, bestMS float64) float64 {
	if rule.Relative {
		reachMS += bestMS
	}
	return min(reachMS, rule.MaxMS)
}

// reach returns the regions that a row reaches by its own wait.
func (g *Regions) reach(row Row) uint64 {
	r, stage := &g.reached[row], g.rows.Stage[row]
	if r.stage != stage {
		l := &stage.Limits[g.at]
		r.stage, r.own = stage, g.within(g.profiles[row], l.Bound, l.Level)
	}
	return r.own
}

// Mask implements candidate.Valued. A session asks for its own region alone; see Only of
// the index.
func (g *Regions) Mask(_ *Limit, seed Row) uint64 {
	if g.rows.Kind[seed] == store.Session {
		return everywhere
	}
	return g.reach(seed)
}

// Theirs implements candidate.TwoSided.
func (g *Regions) Theirs(l *Limit, candidate Row) uint64 {
	if l.Optional {
		return g.within(g.profiles[candidate], math.Inf(1), 0) // PivotRegion.MaxMS alone
	}
	return g.reach(candidate)
}

// Asks implements candidate.TwoSided.
func (g *Regions) Asks(l *Limit) float64 {
	if l.Optional {
		return 1
	}
	return 0
}

// Reached returns the regions in which a ticket looks for others, the nearest first. One
// that measured nothing looks anywhere, which NoRegion stands for. The slice is good until
// the next call.
func (g *Regions) Reached(seed Row) []matcher.Region {
	p := g.profiles[seed]
	if !p.measured {
		g.alone[0] = matcher.NoRegion
		return g.alone[:]
	}
	if len(p.order) == 0 {
		g.sort(p)
	}
	return p.order[:bits.OnesCount64(g.reach(seed))]
}

// sort puts the regions of a profile in order.
func (g *Regions) sort(p *profile) {
	for region, rtt := range p.rttMS {
		if !math.IsInf(rtt, 1) {
			p.order = append(p.order, matcher.Region(region))
		}
	}
	slices.SortFunc(p.order, func(a, b matcher.Region) int {
		return cmp.Or(cmp.Compare(p.rttMS[a], p.rttMS[b]), cmp.Compare(g.schema.RegionName(a), g.schema.RegionName(b)))
	})
}
