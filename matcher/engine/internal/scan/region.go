package scan

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// regions holds the regions that every row reaches.
type regions struct {
	candidate.Always
	reach.Regions
	rule   *matcher.PivotRegion
	schema *matcher.Schema
	rows   *store.Rows
}

func newRegions(rule *matcher.PivotRegion, schema *matcher.Schema, at int) regions {
	g := regions{Regions: reach.New(schema), rule: rule, schema: schema}
	g.At, g.Ignored = at, rule.Ignored
	g.LimitMS = func(reachMS, bestMS float64) float64 { return min(bestMS+reachMS, rule.MaxMS) }
	return g
}

// Measure computes the round-trip times of players, for the next Load.
func (r *Rules) Measure(players []matcher.Player) { r.regions.Measure(players) }

// AddPlace stores the result of the last Measure as a place and returns its number.
func (r *Rules) AddPlace() int32 { return r.regions.AddPlace() }

// Mask implements candidate.Valued.
func (g *regions) Mask(_ *Limit, seed Row) uint64 {
	if mask := g.Reach(seed); mask != 0 && g.rows.Kind[seed] == store.Ticket {
		return mask
	}
	return candidate.AllValues
}

// Theirs implements candidate.TwoSided. A candidate without regions may go anywhere; its
// regions are those that it reaches or, if its reach does not count, those that it measured.
func (g *regions) Theirs(l *Limit, row Row) uint64 {
	mask := uint64(0)
	if l.Optional {
		mask = g.Profile(row).Available()
	} else {
		mask = g.Reach(row)
	}
	if mask == 0 {
		return candidate.AllValues
	}
	return mask
}

// TheirMasks implements candidate.TheirsMasking.
func (g *regions) TheirMasks(masks []uint64, l *Limit, rows []Row) {
	for i, row := range rows {
		if masks[i] = g.Reach(row); l.Optional || masks[i] == 0 {
			masks[i] = g.Theirs(l, row)
		}
	}
}

// Asks implements candidate.TwoSided.
func (g *regions) Asks(l *Limit) float64 {
	if l.Optional {
		return 1
	}
	return 0
}

// Reached returns the regions in which a ticket looks for others, the nearest first. The slice
// is valid until the next call.
func (r *Rules) Reached(seed Row) []matcher.Region { return r.regions.Reached(seed) }

// Nearest returns the region with a ticket's lowest round-trip time, NoRegion if it has none.
func (r *Rules) Nearest(seed Row) matcher.Region {
	if order := r.regions.Nearest(seed); len(order) > 0 {
		return order[0]
	}
	return matcher.NoRegion
}
