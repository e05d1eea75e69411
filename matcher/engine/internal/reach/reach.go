// Package reach holds the round-trip times of every row to every region, and the regions that a
// row reaches after its wait, for the methods that match region by region.
package reach

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Regions holds the round-trip times of all rows. Bits of masks are indexed by matcher.Region.
type Regions struct {
	Ignored bool // ignore all measurements of players
	At      int  // index of the rule in the limits of a stage
	// LimitMS returns the highest round-trip time within a reach, for a row whose nearest
	// region is at bestMS.
	LimitMS func(reachMS, bestMS float64) float64

	schema   *matcher.Schema
	rows     *store.Rows
	reaches  []float64  // by Limit.Level: see Level
	measured *Profile   // result of the last Measure
	places   []*Profile // by matcher.Place; the first entry is unused

	// by row
	profiles []*Profile
	own      []*Profile // a profile that only this row uses, nil until it is needed
	reached  []reached

	reporting [][]float64 // scratch of Measure
}

// reached is the regions that a row reaches after its wait. Computing them for every comparison
// takes 4 percent of the time of a day in the queues of datacenters.
type reached struct {
	stage *store.Stage // stage for which mask was computed; nil: none
	mask  uint64
}

// Profile is the round-trip times of a ticket or session, in ms: the mean over the players who
// measured any.
//
// Profiles of places are scattered in memory, so the fields that every ticket reads come
// first.
type Profile struct {
	BestMS   float64 // lowest of RTTMS; +Inf: none
	Measured bool    // at least one player measured a region
	ordered  bool
	known    uint8             // levels whose mask has been computed
	masks    [maxLevels]uint64 // by level: the regions within that reach
	RTTMS    []float64         // by Region; +Inf or beyond the end: not available
	order    []matcher.Region  // available regions, by distance, then by name
}

// maxLevels bounds the reaches whose regions a profile keeps; few tickets wait for more.
// Without keeping any, 10 percent of a day's time went into comparing round-trip times.
const maxLevels = 6

// Unkept is the level of a reach whose regions are not kept in profiles.
const Unkept = maxLevels

// New returns the regions of a schema, without rows.
func New(schema *matcher.Schema) Regions {
	none := &Profile{BestMS: math.Inf(1)}
	return Regions{schema: schema, measured: new(Profile), places: []*Profile{none}}
}

// Attach sets the rows.
func (g *Regions) Attach(rows *store.Rows) { g.rows = rows }

// Level returns a number for a reach in ms; Unkept if there are already too many.
func (g *Regions) Level(reachMS float64) int32 {
	level := slices.Index(g.reaches, reachMS)
	if level < 0 {
		if level = len(g.reaches); level < maxLevels {
			g.reaches = append(g.reaches, reachMS)
		}
	}
	return int32(level)
}

// Measure computes the round-trip times of players, for the next Load. Players without any
// measurements do not count. A region is available only if all other players measured it.
func (g *Regions) Measure(players []matcher.Player) *Profile {
	p, regions := g.measured, 0
	*p = Profile{BestMS: math.Inf(1), RTTMS: p.RTTMS[:0], order: p.order[:0]}
	g.reporting = g.reporting[:0]
	for i := range players {
		rttMS := players[i].RTTMS
		if !g.Ignored && slices.ContainsFunc(rttMS, func(rtt float64) bool { return !math.IsNaN(rtt) }) {
			g.reporting, regions = append(g.reporting, rttMS), max(regions, len(rttMS))
		}
	}
	p.Measured = len(g.reporting) > 0
	for region := range regions {
		sum := 0.0
		for _, rttMS := range g.reporting {
			if region >= len(rttMS) || math.IsNaN(rttMS[region]) {
				sum = math.Inf(1)
				break
			}
			sum += rttMS[region]
		}
		p.RTTMS = append(p.RTTMS, sum/float64(len(g.reporting)))
		p.BestMS = min(p.BestMS, p.RTTMS[region])
	}
	return p
}

// To returns the round-trip time to a region.
func (p *Profile) To(region matcher.Region) float64 {
	if int(region) < len(p.RTTMS) {
		return p.RTTMS[region]
	}
	return math.Inf(1)
}

// Available returns the regions with a round-trip time.
func (p *Profile) Available() (mask uint64) {
	for region, rtt := range p.RTTMS {
		if !math.IsInf(rtt, 1) {
			mask |= 1 << region
		}
	}
	return mask
}

// AddPlace stores the result of the last Measure as a place and returns its number.
func (g *Regions) AddPlace() int32 {
	g.places = append(g.places, g.measured)
	g.measured = new(Profile)
	return int32(len(g.places) - 1)
}

// Of returns the profile of a place, or of the last Measure.
func (g *Regions) Of(from matcher.Place) *Profile {
	if from == matcher.NoPlace {
		return g.measured
	}
	return g.places[from]
}

// Load assigns to a row the round-trip times of a place, or of the last Measure.
func (g *Regions) Load(row Row, from matcher.Place) {
	for int(row) >= len(g.profiles) {
		g.profiles, g.own, g.reached = append(g.profiles, nil), append(g.own, nil), append(g.reached, reached{})
	}
	p := g.Of(from)
	if from == matcher.NoPlace {
		if g.measured = g.own[row]; g.measured == nil {
			g.measured = new(Profile)
		}
		g.own[row] = p
	}
	g.profiles[row], g.reached[row] = p, reached{}
}

// Profile returns the round-trip times of a row.
func (g *Regions) Profile(row Row) *Profile { return g.profiles[row] }

// Within returns the regions of a profile within a reach. level is the reach's Level.
func (g *Regions) Within(p *Profile, reachMS float64, level int32) uint64 {
	if level < maxLevels && p.known>>level&1 != 0 {
		return p.masks[level]
	}
	mask, limitMS := uint64(0), g.LimitMS(reachMS, p.BestMS)
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

// Reach returns the regions that a row reaches after its wait; 0: none.
func (g *Regions) Reach(row Row) uint64 {
	if g.reached[row].stage == g.rows.Stage[row] {
		return g.reached[row].mask
	}
	return g.update(row)
}

// update computes the result of Reach; on its own so that Reach is inlined.
func (g *Regions) update(row Row) uint64 {
	stage := g.rows.Stage[row]
	l := &stage.Limits[g.At]
	mask := g.Within(g.profiles[row], l.Bound, l.Level)
	g.reached[row] = reached{stage, mask}
	return mask
}

// Nearest returns the regions that are available to a row, the nearest first.
func (g *Regions) Nearest(row Row) []matcher.Region {
	p := g.profiles[row]
	if !p.ordered {
		p.ordered = true
		for region, rtt := range p.RTTMS {
			if !math.IsInf(rtt, 1) {
				p.order = append(p.order, matcher.Region(region))
			}
		}
		slices.SortFunc(p.order, func(a, b matcher.Region) int {
			return cmp.Or(cmp.Compare(p.RTTMS[a], p.RTTMS[b]), cmp.Compare(g.schema.RegionName(a), g.schema.RegionName(b)))
		})
	}
	return p.order
}

// Reached returns the regions that a row reaches after its wait, the nearest first.
func (g *Regions) Reached(row Row) []matcher.Region {
	return g.Nearest(row)[:bits.OnesCount64(g.Reach(row))]
}
