package around

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// profiles holds the round-trip times of all rows. In every mask, bit i represents matcher.Region
// i.
type profiles struct {
	ignored  bool // the rules ignore players' round-trip times
	schema   *matcher.Schema
	reaches  []float64  // reach in ms, indexed by Limit.Level
	measured *Profile   // the profile that Measure fills
	places   []*Profile // indexed by matcher.Place; the first element has no measurements

	// These slices are indexed by row.
	list    []*Profile
	own     []*Profile // memory for a profile that only this row uses, or nil
	reached []reached

	reporting [][]float64 // reused by Measure
}

// reached caches the regions that a row reaches at its current wait. On a day with one queue per
// datacenter, computing them for every comparison took 4 percent of the CPU time.
type reached struct {
	stage *store.Stage // the stage for which mask was computed, or nil
	mask  uint64
}

// Profile holds the round-trip times of a ticket or session, in ms. For a party, each is the mean
// over the players who have measurements.
//
// The most frequently read fields come first because the profiles are scattered in memory.
type Profile struct {
	BestMS   float64 // lowest value in RTTMS, or +Inf if no region is available
	Measured bool    // at least one player has a measurement
	ordered  bool
	known    uint8             // bit i is set if masks[i] has been computed
	masks    [maxLevels]uint64 // masks[i] is the set of regions within reaches[i]
	RTTMS    []float64         // indexed by Region; +Inf or missing at the end if not available
	order    []matcher.Region  // available regions, nearest first; ties by name
}

// maxLevels is the largest number of reaches for which a profile caches the regions. Few rulesets
// have more. Without this cache, comparing round-trip times took 10 percent of a simulated day's
// CPU time.
const maxLevels = 6

// uncached is the level of every further reach. Its regions are computed each time.
const uncached = maxLevels

func newProfiles(schema *matcher.Schema, ignored bool) profiles {
	none := &Profile{BestMS: math.Inf(1)}
	return profiles{schema: schema, ignored: ignored, measured: new(Profile), places: []*Profile{none}}
}

// level returns the index of a reach in g.reaches and adds it if necessary. If g.reaches is full,
// level returns unkept.
func (g *profiles) level(reachMS float64) int32 {
	level := slices.Index(g.reaches, reachMS)
	if level < 0 {
		if level = len(g.reaches); level < maxLevels {
			g.reaches = append(g.reaches, reachMS)
		}
	}
	return int32(level)
}

// Measure computes the mean round-trip times of players for the next call of Load. Players who
// have no measurements at all are ignored. A region is available only if all other players have a
// measurement for it.
func (g *profiles) Measure(players []matcher.Player) *Profile {
	p, regions := g.measured, 0
	*p = Profile{BestMS: math.Inf(1), RTTMS: p.RTTMS[:0], order: p.order[:0]}
	g.reporting = g.reporting[:0]
	for i := range players {
		rttMS := players[i].RTTMS
		if !g.ignored && slices.ContainsFunc(rttMS, func(rtt float64) bool { return !math.IsNaN(rtt) }) {
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

// To returns the round-trip time to a region, or +Inf if the region is not available.
func (p *Profile) To(region matcher.Region) float64 {
	if int(region) < len(p.RTTMS) {
		return p.RTTMS[region]
	}
	return math.Inf(1)
}

// AddPlace stores the result of the last Measure as a new place and returns the place's number.
func (g *profiles) AddPlace() int32 {
	g.places = append(g.places, g.measured)
	g.measured = new(Profile)
	return int32(len(g.places) - 1)
}

// of returns the profile of a place. For NoPlace it returns the result of the last Measure.
func (g *profiles) of(from matcher.Place) *Profile {
	if from == matcher.NoPlace {
		return g.measured
	}
	return g.places[from]
}

// Load sets a row's profile to that of a place. For NoPlace it uses the result of the last
// Measure.
func (g *profiles) Load(row Row, from matcher.Place) {
	for int(row) >= len(g.list) {
		g.list, g.own, g.reached = append(g.list, nil), append(g.own, nil), append(g.reached, reached{})
	}
	p := g.of(from)
	if from == matcher.NoPlace {
		if g.measured = g.own[row]; g.measured == nil {
			g.measured = new(Profile)
		}
		g.own[row] = p
	}
	g.list[row], g.reached[row] = p, reached{}
}

// Profile returns the round-trip times of a row.
func (g *profiles) Profile(row Row) *Profile { return g.list[row] }

// inOrder returns the regions that are available to a row, nearest first.
func (g *profiles) inOrder(row Row) []matcher.Region {
	p := g.list[row]
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
