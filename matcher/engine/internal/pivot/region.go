package pivot

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// Regions holds the regions that every row reaches.
type Regions struct {
	candidate.Always
	reach.Regions
	rule     *matcher.PivotRegion
	rows     *store.Rows
	sessions []matcher.Region // by row: for a session, its region

	alone [1]matcher.Region // scratch of Reached
}

func newRegions(rule *matcher.PivotRegion, schema *matcher.Schema, at int) Regions {
	g := Regions{Regions: reach.New(schema), rule: rule}
	g.At, g.Ignored = at, rule.Ignored
	g.LimitMS = func(reachMS, bestMS float64) float64 { return limit(rule, reachMS, bestMS) + criterion.Tolerance }
	g.Level(math.Inf(1)) // level 0: limited only by PivotRegion.MaxMS
	return g
}

// TooFar measures players without a place, for the next Load. It reports whether they have
// measurements and all measured regions are beyond PivotRegion.MaxMS; the nearest is at bestMS.
func (g *Regions) TooFar(from matcher.Place, players []matcher.Player) (bestMS float64, tooFar bool) {
	if from == matcher.NoPlace {
		g.Measure(players)
	}
	p := g.Of(from)
	return p.BestMS, p.Measured && p.BestMS > g.rule.MaxMS
}

// load assigns to a row the round-trip times of a place, or of the last Measure.
func (g *Regions) load(row Row, from matcher.Place, at matcher.Region) {
	for int(row) >= len(g.sessions) {
		g.sessions = append(g.sessions, matcher.NoRegion)
	}
	g.sessions[row] = at
	g.Load(row, from)
}

// limit returns the highest round-trip time that a row reaches, if its nearest region is at
// bestMS.
func limit(rule *matcher.PivotRegion, reachMS, bestMS float64) float64 {
	if rule.Relative {
		reachMS += bestMS
	}
	return min(reachMS, rule.MaxMS)
}

// within returns the regions of a row within a reach.
func (g *Regions) within(row Row, reachMS float64, level int32) uint64 {
	if p := g.Profile(row); p.Measured {
		return g.Within(p, reachMS, level)
	}
	return candidate.AllValues
}

// reach returns the regions that a row reaches after its wait.
func (g *Regions) reach(row Row) uint64 {
	if !g.Profile(row).Measured {
		return candidate.AllValues
	}
	return g.Reach(row)
}

// Mask implements candidate.Valued. A session does not filter here; its region is set by
// Index.Only.
func (g *Regions) Mask(_ *Limit, seed Row) uint64 {
	if g.rows.Kind[seed] == store.Session {
		return candidate.AllValues
	}
	return g.reach(seed)
}

// Theirs implements candidate.TwoSided.
func (g *Regions) Theirs(l *Limit, row Row) uint64 {
	if l.Optional {
		return g.within(row, math.Inf(1), 0)
	}
	return g.reach(row)
}

// Asks implements candidate.TwoSided.
func (g *Regions) Asks(l *Limit) float64 {
	if l.Optional {
		return 1
	}
	return 0
}

// Reached returns the regions in which a ticket looks for others, the nearest first. For a
// ticket without measurements this is NoRegion, which means any region. The slice is valid
// until the next call.
func (g *Regions) Reached(seed Row) []matcher.Region {
	if !g.Profile(seed).Measured {
		g.alone[0] = matcher.NoRegion
		return g.alone[:]
	}
	return g.Regions.Reached(seed)
}
