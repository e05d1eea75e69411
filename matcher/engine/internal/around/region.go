package around

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// Regions implements the region rule. For a party, a round-trip time is the mean over the players who
// have measurements.
type Regions struct {
	candidate.Always
	*reach.Table
	At int // index of the region rule in Stage.Limits

	rows     *store.Rows
	rule     *matcher.PivotRegion
	anywhere Limit   // the limit that applies to candidates once the rule is Optional
	inTurn   bool    // the ruleset has an InTurn
	lateMS   int64   // delay of each growth of the reach, in ms
	slack    float64 // tolerated rounding error of round-trip times, in ms

	one [matcher.MaxRegions]matcher.Region // memory for the result of Reached
}

func newRegions(rule *matcher.PivotRegion, schema *matcher.Schema, inTurn bool, at int) *Regions {
	g := &Regions{rule: rule, inTurn: inTurn, At: at, slack: criterion.Tolerance}
	if inTurn {
		g.lateMS, g.slack = 1, 0
	}
	thresholds := reach.Thresholds(&rule.ReachMS, rule.MaxMS)
	if rule.OneWayAfterMS < matcher.Never && !slices.Contains(thresholds, math.Inf(1)) {
		thresholds = append(thresholds, math.Inf(1))
	}
	g.Table = reach.New(schema, reach.MeanOfMeasured, thresholds, g.highestMS)
	g.anywhere = Limit{Bound: math.Inf(1), Level: g.Level(math.Inf(1))}
	return g
}

// highestMS returns the highest round-trip time within a reach. With InTurn, an infinite reach includes
// regions beyond PivotRegion.MaxMS.
func (g *Regions) highestMS(reachMS, bestMS float64) float64 {
	if g.inTurn && math.IsInf(reachMS, 1) {
		return reachMS
	}
	return g.LimitMS(reachMS, bestMS) + g.slack
}

// limitAt returns the limit of the region rule at a given wait.
func (g *Regions) limitAt(waitMS int64) Limit {
	reachMS, _ := g.rule.ReachMS.At(waitMS - g.lateMS)
	reachMS = min(reachMS, g.rule.MaxMS)
	return Limit{Bound: reachMS, Level: g.Level(reachMS), Active: !g.rule.Ignored, Optional: waitMS > g.rule.OneWayAfterMS}
}

// AddPlace stores the round-trip times of a place and returns the place's number.
func (g *Regions) AddPlace(rttMS []float64) matcher.Place {
	if g.rule.Ignored {
		rttMS = nil
	}
	return reach.AddPlace(rttMS, g.Table)
}

// load reads the round-trip times of a row. With InTurn, a session has none.
func (g *Regions) load(row Row, players []matcher.Player, from matcher.Place) {
	if g.rule.Ignored || g.inTurn && g.rows.Kind[row] == store.Session {
		players = nil
	}
	g.Table.Load(row, players, from)
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

// TooFar reports whether a ticket has measurements but all measured regions exceed
// PivotRegion.MaxMS. It returns the lowest round-trip time in bestMS.
func (g *Regions) TooFar(players []matcher.Player, from matcher.Place) (bestMS float64, tooFar bool) {
	if g.rule.Ignored {
		players = nil
	}
	bestMS, measured := g.Measure(players, from)
	return bestMS, measured && bestMS > g.rule.MaxMS
}

// LimitMS converts a reach to the highest round-trip time that it allows. bestMS is the lowest
// round-trip time of the row.
func (g *Regions) LimitMS(reachMS, bestMS float64) float64 {
	if g.rule.Relative {
		reachMS += bestMS
	}
	return min(reachMS, g.rule.MaxMS)
}

// Reach returns the mask of the regions that a row reaches at its current wait. It may be 0.
func (g *Regions) Reach(row Row) uint64 { return g.Table.Mask(&g.rows.Stage[row].Limits[g.At], row) }

// orAny returns mask unless it is 0 and the row may be matched anywhere. In that case it returns
// AllValues. A row may be matched anywhere if it has no measurements. With InTurn, that also
// applies to a row that reaches no region.
func (g *Regions) orAny(row Row, mask uint64) uint64 {
	if mask == 0 && (g.inTurn || !g.Measured(row)) {
		return candidate.AllValues
	}
	return mask
}

// candidateMask returns the mask of the regions in which a candidate may be matched. l is the seed's
// region limit. Once it is Optional, the reach from the candidate's own wait no longer applies.
func (g *Regions) candidateMask(l *Limit, row Row) uint64 {
	if l.Optional {
		return g.Table.Mask(&g.anywhere, row)
	}
	return g.Reach(row)
}

// Mask implements candidate.Valued. For a session it returns AllValues, because Query.Only
// selects the session's region.
func (g *Regions) Mask(_ *Limit, seed Row) uint64 {
	if g.rows.Kind[seed] == store.Session {
		return candidate.AllValues
	}
	return g.orAny(seed, g.Reach(seed))
}

// Filters implements candidate.Valued. If the rule is ignored, all rows may be matched anywhere.
func (g *Regions) Filters(*Limit) bool { return !g.rule.Ignored }

// CandidateMask implements candidate.TwoSided.
func (g *Regions) CandidateMask(l *Limit, row Row) uint64 {
	return g.orAny(row, g.candidateMask(l, row))
}

// CandidateMasks implements candidate.CandidateMasking.
func (g *Regions) CandidateMasks(masks []uint64, l *Limit, rows []Row) {
	for i, row := range rows {
		if masks[i] = g.Table.Mask(&g.rows.Stage[row].Limits[g.At], row); l.Optional || masks[i] == 0 {
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
	mask := g.Reach(seed)
	if mask == 0 && g.orAny(seed, 0) != 0 {
		return append(g.one[:0], matcher.NoRegion)
	}
	return g.Append(g.one[:0], mask, g.Of(seed), nil)
}

// Nearest returns the region with a row's lowest round-trip time, or NoRegion if it has none.
func (g *Regions) Nearest(row Row) matcher.Region {
	best := g.Best(row)
	if math.IsInf(best, 1) {
		return matcher.NoRegion
	}
	return g.Region(slices.Index(g.Of(row), best))
}
