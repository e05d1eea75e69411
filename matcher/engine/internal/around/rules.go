// Package around contains the code that packages accelpage and accelservice share. Both form
// a match around one ticket or open session, the seed, to which they add suitable tickets, the
// candidates. Package accelpage follows AccelByte's documentation, and package accelservice follows
// the behavior of AccelByte's service.
//
// A row is the number of a waiting ticket or open session in the pool. The rules in
// matcher.PivotRules decide whether two rows may be matched. Distance rules limit the difference
// between their numbers, such as skill. Options compare their sets of values, such as game modes.
// The region rule requires a region that both reach. Limits may change with the wait, and a row's
// stage contains the limits at its current wait.
//
// Rules is the compiled form of matcher.PivotRules and holds the data of every row. Candidates
// ranks the candidates of a seed by cost, a weighted sum of their differences from the seed.
package around

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// These aliases are used throughout the package.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Rules are the pivot rules of a ruleset, compiled for a pool.
type Rules struct {
	Set        *matcher.PivotRules
	Schema     *matcher.Schema
	Rows       *store.Rows
	Regions    *Regions
	Traits     []Traits // indexed by row
	Index      candidate.IndexRules
	RegionRule int  // number of the region rule among the Valued rules of Index
	Mixed      bool // rows with different Traits.Same have been loaded

	names    []string  // Ruleset.RuleNames
	values   []*Values // some of the rules of Index
	numbers  []float64 // indexed by row and distance rule
	lastSame matcher.Text
	balanced []balanced
}

// balanced is a number by which teams are balanced.
type balanced struct {
	column matcher.Column
	scale  float64 // 0 if the number is not scaled
}

// Compile compiles the rules of a ruleset. The function accepts returns the largest difference
// that a candidate accepts under a distance rule, given the candidate's limits. values are
// additional rules for the candidate index. Call Attach before loading rows.
func (r *Rules) Compile(set *matcher.Ruleset, schema *matcher.Schema, accepts func(distance int, theirs []Limit) float64, values []*Values) {
	r.Set, r.Schema, r.names, r.values = set.Pivot, schema, set.RuleNames(), values
	distances := len(r.Set.Distances)
	r.Regions = newRegions(&r.Set.Region, schema, r.Set.InTurn != nil, distances+1)
	if distances > 0 {
		r.Index.Key, r.Index.OwnWidths = r, true
	}
	for _, v := range values {
		r.addValued(v, distances)
	}
	r.RegionRule = len(values)
	r.addValued(r.Regions, r.Regions.At)
	for i := 1; i < distances; i++ {
		if r.Set.Distances[i].Basis != nil {
			continue
		}
		r.addValued(&candidate.Bands{
			Number: func(row Row) float64 { return r.Numbers(row)[i] },
			Width:  func(l *Limit, row Row) float64 { return min(l.Bound, accepts(i, r.Limits(row))) + criterion.Tolerance },
		}, i)
	}
	for i := range r.Set.Distances {
		if d := &r.Set.Distances[i]; d.Balanced {
			r.balanced = append(r.balanced, balanced{d.Column, r.scaleOf(d)})
		}
	}
}

// scaleOf returns the scale of d, a distance rule that is used to balance teams. With InTurn, that is
// the scale of the first distance rule about d's column.
func (r *Rules) scaleOf(d *matcher.PivotDistance) float64 {
	for i := range r.Set.Distances {
		if first := &r.Set.Distances[i]; r.Set.InTurn != nil && first.Column == d.Column {
			return first.Scale
		}
	}
	return d.Scale
}

func (r *Rules) addValued(v candidate.Valued, at int) {
	r.Index.Valued, r.Index.At = append(r.Index.Valued, v), append(r.Index.At, at)
}

// Attach sets the rows of the pool.
func (r *Rules) Attach(rows *store.Rows) { r.Rows, r.Regions.rows = rows, rows }

// StageAt returns the limits that apply at a given wait, in ms: one for each distance rule, one
// for the team sizes, one for the region, and one for each option.
//
//   - The Bound of a distance rule is +Inf while the rule is inactive.
//   - The Level of the team sizes is their index.
//   - The Bound of the region is the reach in ms. It is Optional once candidates may be matched
//     in regions beyond their own reach.
//   - An option is Active while it is enforced around a seed with this wait.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	sizes, untilMS := r.Set.SizesAt(waitMS)
	stage := store.Stage{UntilMS: min(untilMS, r.Regions.change(waitMS))}
	for i := range r.Set.Distances {
		most := r.Set.Distances[i].Max
		at, untilMS := most.Stage(waitMS)
		stage.Limits = append(stage.Limits, Limit{Bound: most[at].Value, Active: !math.IsInf(most[at].Value, 1)})
		stage.UntilMS = min(stage.UntilMS, untilMS)
	}
	stage.Limits = append(stage.Limits, Limit{Level: int32(sizes)}, r.Regions.limitAt(waitMS))
	for i := range r.Set.Options {
		at, untilMS := r.Set.Options[i].Enforced.Stage(waitMS)
		stage.Limits = append(stage.Limits, Limit{Active: at < 0 || r.Set.Options[i].Enforced[at].Value})
		stage.UntilMS = min(stage.UntilMS, untilMS)
	}
	return stage
}

// Enforced reports whether an option is enforced around a seed with the given limits. If ofSeed is
// nil, it reports whether the option is always enforced.
func (r *Rules) Enforced(option int, ofSeed []Limit) bool {
	if ofSeed == nil {
		return len(r.Set.Options[option].Enforced) == 0
	}
	return ofSeed[r.Regions.At+1+option].Active
}

// Bound returns the largest difference that a distance rule allows between a seed and a candidate
// with the given limits at an instant.
func (r *Rules) Bound(distance int, seed, candidate Row, ofSeed, ofCandidate []Limit, atMS int64) float64 {
	d := &r.Set.Distances[distance]
	if d.Basis == nil {
		return min(ofSeed[distance].Bound, ofCandidate[distance].Bound)
	}
	waitsMS := [2]int64{max(0, atMS-r.Rows.CreatedMS[seed]), max(0, atMS-r.Rows.CreatedMS[candidate])}
	bound, _ := d.Max.At(d.Basis.WaitMS(waitsMS[:]))
	return bound
}

// Limits returns the current limits of a row.
func (r *Rules) Limits(row Row) []Limit { return r.Rows.Stage[row].Limits }

// Sizes returns the team sizes that apply to a match around a seed.
func (r *Rules) Sizes(seed Row) *matcher.TeamSizes { return r.SizesOf(r.Limits(seed)) }

// SizesOf returns the team sizes that apply to a match around a seed with the given limits.
func (r *Rules) SizesOf(ofSeed []Limit) *matcher.TeamSizes {
	return &r.Set.Sizes[ofSeed[len(r.Set.Distances)].Level]
}

// Larger returns the number of players of the larger of two rows. If the seed is a session, only
// the candidate counts.
func (r *Rules) Larger(seed, candidate Row) int {
	players := r.Rows.Players[candidate]
	if r.Rows.Kind[seed] == store.Ticket {
		players = max(players, r.Rows.Players[seed])
	}
	return int(players)
}

// Single reports whether matches have one team of one player. Every ticket is then a match by
// itself, even a party.
func Single(s *matcher.TeamSizes) bool { return s.MaxTeams == 1 && s.MaxPlayers == 1 }

// Key implements candidate.Keyed. It returns the number that the first distance rule compares.
func (r *Rules) Key(row Row) float64 { return r.numbers[int(row)*len(r.Set.Distances)] }

// Width implements candidate.Keyed.
func (r *Rules) Width(l *Limit) float64 { return l.Bound + criterion.Tolerance }

// Spread implements candidate.Keyed. It is infinite because candidates are compared only with the
// seed.
func (r *Rules) Spread(*Limit) float64 { return math.Inf(1) }

// Certain implements candidate.Keyed. With InTurn, a distance rule that is inactive for the seed is
// not applied to the candidate either. The limit of a rule with a Basis may be that of the candidate.
func (r *Rules) Certain(l *Limit) bool {
	return r.Set.Distances[0].Basis == nil && (l.Active || r.Set.InTurn == nil)
}
