package around

import (
	"math"
	"math/bits"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Regions implements the region rule. It knows which regions every row reaches.
type Regions struct {
	candidate.Always
	profiles
	At int // index of the region rule in Stage.Limits

	rows   *store.Rows
	rule   *matcher.PivotRegion
	widest int32   // level of the reach that applies to candidates once the rule is Optional
	scan   bool    // the ruleset has a matcher.Scan
	lateMS int64   // delay of each growth of the reach, in ms
	slack  float64 // tolerated rounding error of round-trip times, in ms

	one [1]matcher.Region // memory for the result of Reached
}

func newRegions(rule *matcher.PivotRegion, schema *matcher.Schema, scan bool, at int) Regions {
	g := Regions{profiles: newProfiles(schema, rule.Ignored), rule: rule, scan: scan, At: at}
	if g.slack = criterion.Tolerance; scan {
		g.lateMS, g.slack = 1, 0
	}
	if g.widest = uncached; rule.OneWayAfterMS < matcher.Never {
		g.widest = g.level(math.Inf(1))
	}
	return g
}

// limitAt returns the limit of the region rule at a given wait.
func (g *Regions) limitAt(waitMS int64) Limit {
	reachMS, _ := g.rule.ReachMS.At(waitMS - g.lateMS)
	reachMS = min(reachMS, g.rule.MaxMS)
	return Limit{Bound: reachMS, Level: g.level(reachMS), Active: !g.rule.Ignored, Optional: waitMS > g.rule.OneWayAfterMS}
}

// change returns the first wait, in ms, after waitMS at which the rule changes, or matcher.Never.
func (g *Regions) change(waitMS int64) int64 {
	at, schedule := matcher.Never, &g.rule.ReachMS
	if g.rule.Ignored {
		return at
	}
	if reachMS, _ := schedule.At(waitMS - g.lateMS); reachMS < g.rule.MaxMS {
		if at = schedule.NextChange(max(0, waitMS-g.lateMS)); at < matcher.Never {
			at += g.lateMS
		}
	}
	if g.rule.OneWayAfterMS < matcher.Never && waitMS <= g.rule.OneWayAfterMS {
		at = min(at, g.rule.OneWayAfterMS+1)
	}
	return at
}

// TooFar reports whether players have measurements but all measured regions exceed
// PivotRegion.MaxMS. It returns the lowest round-trip time in bestMS. For NoPlace it calls
// Measure on players, for the next call of Load.
func (g *Regions) TooFar(from matcher.Place, players []matcher.Player) (bestMS float64, tooFar bool) {
	if from == matcher.NoPlace {
		g.Measure(players)
	}
	p := g.of(from)
	return p.BestMS, p.Measured && p.BestMS > g.rule.MaxMS
}

// LimitMS converts a reach to the highest round-trip time that it allows. bestMS is the lowest
// round-trip time of the row.
func (g *Regions) LimitMS(reachMS, bestMS float64) float64 {
	if g.rule.Relative {
		reachMS += bestMS
	}
	return min(reachMS, g.rule.MaxMS)
}

// Within returns the mask of the regions that a row reaches under a limit.
func (g *Regions) Within(row Row, l *Limit) uint64 {
	return g.within(g.Profile(row), l.Bound, l.Level)
}

func (g *Regions) within(p *Profile, reachMS float64, level int32) uint64 {
	if level < maxLevels && p.known>>level&1 != 0 {
		return p.masks[level]
	}
	mask := uint64(0)
	limitMS := g.LimitMS(reachMS, p.BestMS) + g.slack
	if g.scan && math.IsInf(reachMS, 1) {
		limitMS = math.MaxFloat64
	}
	for region, rtt := range p.RTTMS {
		if rtt <= limitMS && !math.IsInf(rtt, 1) {
			mask |= 1 << region
		}
	}
	if level < maxLevels {
		p.known, p.masks[level] = p.known|1<<level, mask
	}
	return mask
}

// Reach returns the mask of the regions that a row reaches at its current wait. It may be 0.
func (g *Regions) Reach(row Row) uint64 {
	if g.reached[row].stage != g.rows.Stage[row] {
		g.update(row)
	}
	return g.reached[row].mask
}

// update computes the result of Reach. It is a separate function so that the compiler can inline
// Reach.
func (g *Regions) update(row Row) {
	stage := g.rows.Stage[row]
	g.reached[row] = reached{stage, g.Within(row, &stage.Limits[g.At])}
}

// orAny returns mask unless it is 0 and the row may be matched anywhere. In that case it returns
// AllValues. A row may be matched anywhere if it has no measurements. In a scan, that also
// applies to a row that reaches no region.
func (g *Regions) orAny(row Row, mask uint64) uint64 {
	if mask == 0 && (g.scan || !g.Profile(row).Measured) {
		return candidate.AllValues
	}
	return mask
}

// candidateMask returns the mask of the regions in which a candidate may be matched. l is the seed's
// region limit. Once it is Optional, the reach from the candidate's own wait no longer applies.
func (g *Regions) candidateMask(l *Limit, row Row) uint64 {
	if l.Optional {
		return g.within(g.Profile(row), math.Inf(1), g.widest)
	}
	return g.Reach(row)
}

// Mask implements candidate.Valued. For a session it returns AllValues, because Index.Only
// selects the session's region.
func (g *Regions) Mask(_ *Limit, seed Row) uint64 {
	if g.rows.Kind[seed] == store.Session {
		return candidate.AllValues
	}
	return g.orAny(seed, g.Reach(seed))
}

// CandidateMask implements candidate.TwoSided.
func (g *Regions) CandidateMask(l *Limit, row Row) uint64 {
	return g.orAny(row, g.candidateMask(l, row))
}

// CandidateMasks implements candidate.CandidateMasking.
func (g *Regions) CandidateMasks(masks []uint64, l *Limit, rows []Row) {
	for i, row := range rows {
		if masks[i] = g.Reach(row); l.Optional || masks[i] == 0 {
			masks[i] = g.CandidateMask(l, row)
		}
	}
}

// Asks implements candidate.TwoSided.
func (g *Regions) Asks(l *Limit) float64 {
	if l.Optional {
		return 1
	}
	return 0
}

// Reached returns the regions in which a ticket looks for others, nearest first. If the ticket
// may be matched anywhere, it returns only NoRegion. The slice is valid until the next call.
func (g *Regions) Reached(seed Row) []matcher.Region {
	n := bits.OnesCount64(g.Reach(seed))
	if n == 0 && g.orAny(seed, 0) != 0 {
		g.one[0] = matcher.NoRegion
		return g.one[:]
	}
	return g.inOrder(seed)[:n]
}

// Nearest returns the region with a row's lowest round-trip time, or NoRegion if it has none.
func (g *Regions) Nearest(row Row) matcher.Region {
	if order := g.inOrder(row); len(order) > 0 {
		return order[0]
	}
	return matcher.NoRegion
}
