// Package pivot forms matches around a seed ticket, the pivot. Every candidate is compared only
// with the seed, each of the two with the limits of its own wait. Candidates are not compared
// with each other: two tickets of a match may be twice as far apart as either is from the seed.
//
// Rules holds the data of every row: its mean numbers (numbers), the combination of values that
// tickets must share to meet (kinds), its round-trip times to every region (Regions), and its
// names and options (traits). A Search ranks the candidates of a seed in one region and fills
// teams with them in rank.
package pivot

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Row and Limit are aliases of types that every file uses.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Rules are pivot rules compiled for a pool.
type Rules struct {
	Set     *matcher.PivotRules
	Regions Regions
	Index   candidate.Rules

	schema  *matcher.Schema
	rows    *store.Rows
	names   []string // Ruleset.RuleNames
	numbers numbers
	kinds   kinds
	traits  []traits // by row
}

// RegionRule is the index of the region in Index.Valued.
const RegionRule = 1

// Compile compiles the rules of a ruleset. Call Attach before loading rows.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set.Pivot, schema: schema, names: set.RuleNames()}
	distances := len(r.Set.Distances)
	r.numbers.perRow = distances
	r.kinds.known = make(map[string]int32)
	r.Regions = newRegions(&r.Set.Region, schema, distances+1)
	if distances > 0 {
		r.Index.Key, r.Index.OwnWidths = &r.numbers, true
	}
	r.Index.Valued, r.Index.At = []candidate.Valued{&r.kinds, &r.Regions}, []int{distances, distances + 1}
	for i := 1; i < distances; i++ {
		r.Index.Valued, r.Index.At = append(r.Index.Valued, &candidate.Bands{
			Number: func(row Row) float64 { return r.numbers.of(row)[i] },
			Width:  func(l *Limit, row Row) float64 { return min(l.Bound, r.limits(row)[i].Bound) + criterion.Tolerance },
		}), append(r.Index.At, i)
	}
	r.addOptions()
	return r
}

// Attach sets the rows of the pool.
func (r *Rules) Attach(rows *store.Rows) {
	r.rows, r.Regions.rows = rows, rows
	r.Regions.Attach(rows)
}

// StageAt returns the state of the rules after a wait in ms: a limit for each distance, whose
// Bound is +Inf if the distance is absent; one for the team sizes, whose Level is their index;
// and one for the region, whose Bound is the reach and which is Optional once candidates need
// not reach the region by their own wait.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	for i := range r.Set.Distances {
		d := &r.Set.Distances[i]
		stage.Limits = append(stage.Limits, distanceAt(d, waitMS))
		stage.UntilMS = min(stage.UntilMS, nextDistance(d, waitMS))
	}
	sizes := 0
	for i := range r.Set.Sizes {
		if after := r.Set.Sizes[i].AfterMS; after <= waitMS {
			sizes = i
		} else {
			stage.UntilMS = min(stage.UntilMS, after)
		}
	}
	region := &r.Set.Region
	reachMS, _ := region.ReachMS.At(waitMS)
	reachMS = min(reachMS, region.MaxMS)
	stage.Limits = append(stage.Limits, Limit{Level: int32(sizes)}, Limit{Bound: reachMS, Level: r.Regions.Level(reachMS),
		Active: !region.Ignored, Optional: waitMS > region.OneWayAfterMS})
	if !region.Ignored {
		stage.UntilMS = min(stage.UntilMS, nextRegion(region, waitMS))
	}
	return stage
}

// distanceAt returns the limit of a distance after a wait, in ms.
func distanceAt(d *matcher.PivotDistance, waitMS int64) Limit {
	at := len(d.Max) - 1
	for at > 0 && d.Max[at].AfterMS > waitMS {
		at--
	}
	if d.Max[at].Absent {
		return Limit{Bound: math.Inf(1)}
	}
	return Limit{Bound: d.Max[at].Value, Active: true}
}

// nextDistance returns the first later wait at which a distance changes; matcher.Never.
func nextDistance(d *matcher.PivotDistance, waitMS int64) int64 {
	for i := range d.Max {
		if d.Max[i].AfterMS > waitMS {
			return d.Max[i].AfterMS
		}
	}
	return matcher.Never
}

// nextRegion returns the first later wait at which the region rule changes; matcher.Never.
func nextRegion(region *matcher.PivotRegion, waitMS int64) int64 {
	at := region.ReachMS.NextChange(waitMS)
	if region.OneWayAfterMS < matcher.Never && waitMS <= region.OneWayAfterMS {
		at = min(at, region.OneWayAfterMS+1)
	}
	return at
}

// lets reports whether the limit of a distance allows a difference.
func lets(l *Limit, difference float64) bool { return difference <= l.Bound+criterion.Tolerance }

// limits returns the current limits of a row.
func (r *Rules) limits(row Row) []Limit { return r.rows.Stage[row].Limits }

// Sizes returns the team sizes of a match around a seed.
func (r *Rules) Sizes(seed Row) *matcher.TeamSizes {
	return &r.Set.Sizes[r.limits(seed)[len(r.Set.Distances)].Level]
}

// Single reports whether every ticket is a match of its own, whatever its size.
func Single(s *matcher.TeamSizes) bool { return s.MaxTeams == 1 && s.MaxPlayers == 1 }

// LargestTicket returns the largest allowed number of players of a ticket.
func (r *Rules) LargestTicket() int {
	most := 0
	for i := range r.Set.Sizes {
		if Single(&r.Set.Sizes[i]) {
			return matcher.MaxGroupPlayers
		}
		most = max(most, r.Set.Sizes[i].MaxPlayers)
	}
	return most
}

// numbers are the mean numbers of every row, by distance. The first is the sort key of the
// index.
type numbers struct {
	perRow int
	list   []float64 // by row and distance
}

func (n *numbers) of(row Row) []float64 { return n.list[int(row)*n.perRow:][:n.perRow] }

// Key implements candidate.Keyed.
func (n *numbers) Key(row Row) float64 { return n.list[int(row)*n.perRow] }

// Width implements candidate.Keyed.
func (n *numbers) Width(l *Limit) float64 { return l.Bound + criterion.Tolerance }

// Spread implements candidate.Keyed: candidates are compared only with the seed.
func (n *numbers) Spread(*Limit) float64 { return math.Inf(1) }

// Certain implements candidate.Keyed: a candidate never exceeds the seed's limit.
func (n *numbers) Certain(*Limit) bool { return true }
