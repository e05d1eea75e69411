package result

import (
	"math"
	"slices"

	"mmsim/reports/outcome"
)

// Concealed returns what reports may show of a result: see [ConcealedSummary]. If production reports
// the run, cells of the maps and hours of continents with fewer than PlayersMin players are left out.
func (r *Result) Concealed() *Result {
	if !r.Summary.Run.Production {
		return r
	}
	c := *r
	c.Summary = *ConcealedSummary(&r.Summary)
	c.Map = slices.DeleteFunc(slices.Clone(r.Map), func(c Cell) bool { return c.Players < PlayersMin })
	c.QueueMaps = slices.DeleteFunc(slices.Clone(r.QueueMaps), func(c QueueCell) bool { return c.Players < PlayersMin })
	c.RegionHours = slices.DeleteFunc(slices.Clone(r.RegionHours), func(h RegionHour) bool { return h.Players < PlayersMin })
	c.Timelapse = slices.Clone(r.Timelapse)
	for i := range c.Timelapse {
		f := &c.Timelapse[i]
		f.Cells = slices.DeleteFunc(slices.Clone(f.Cells), func(c FrameCell) bool { return c.Players < PlayersMin })
	}
	return &c
}

// PlayersMin is the smallest number of players of a group of production that is shown. In a smaller one,
// players could be recognised.
const PlayersMin = 20

// ConcealedSummary returns what reports may show of a summary. If production reports the run, groups by
// place, hour, size of party and attribute with fewer than PlayersMin matched players are left out. Hours
// and datacenters, which are always listed, are empty then.
func ConcealedSummary(s *outcome.Summary) *outcome.Summary {
	if !s.Run.Production {
		return s
	}
	c := *s
	c.ByContinent = slices.DeleteFunc(slices.Clone(s.ByContinent), func(g outcome.Group) bool { return isSmall(&g) })
	c.ByPartySize = slices.DeleteFunc(slices.Clone(s.ByPartySize), func(g outcome.Group) bool { return isSmall(&g) })
	c.ByAttributeDecile = slices.DeleteFunc(slices.Clone(s.ByAttributeDecile), func(a outcome.AttributeDeciles) bool {
		return slices.ContainsFunc(a.Deciles, func(d outcome.Decile) bool { return isSmall(&d.Group) })
	})
	c.ByHour, c.ByDatacenter = slices.Clone(s.ByHour), slices.Clone(s.ByDatacenter)
	nothing := outcome.Served{WaitMean: outcome.Seconds(math.NaN()), WaitP95: outcome.Seconds(math.NaN()), RTTMean: outcome.Millis(math.NaN()), RTTP95: outcome.Millis(math.NaN())}
	for i := range c.ByHour {
		if g := &c.ByHour[i]; isSmall(g) {
			*g = outcome.Group{Name: g.Name, Served: nothing, Ends: outcome.Ends{UnmatchedShare: outcome.Share(math.NaN())}}
		}
	}
	for i := range c.ByDatacenter {
		if d := &c.ByDatacenter[i]; d.Players > 0 && d.Players < PlayersMin {
			d.Served = nothing
		}
	}
	return &c
}

// isSmall reports whether a group has players, but fewer than PlayersMin who were matched.
func isSmall(g *outcome.Group) bool { return g.Players < PlayersMin && g.Players+g.Entries > 0 }
