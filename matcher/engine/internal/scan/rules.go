// Package scan forms matches with the algorithm of matcher.Scan: candidates are tested one
// after another in a fixed order (see Search.compare), and an admitted candidate may change the
// conditions for later ones; teams are filled by first fit.
//
// Rules holds the data of every row. A Search lists the candidates of a seed in one region
// (admit.go), fills teams with them (teams.go), balances the teams (balance.go) and fills
// sessions (session.go).
package scan

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Row and Limit are aliases of types that every file uses.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Rules are pivot rules with a Scan, compiled for a pool.
type Rules struct {
	Set   *matcher.PivotRules
	Index candidate.Rules

	schema   *matcher.Schema
	rows     *store.Rows
	alike    [][]int // by distance: the distances with the same column, in order
	balanced []balanced
	numbers  []float64 // by row and distance
	traits   []traits  // by row
	blockers int       // number of rows that block a player
	asking   int       // number of rows with other attributes
	regions  regions
}

// balanced is a number by which teams are balanced.
type balanced struct {
	column matcher.Column
	scale  float64 // 0: unscaled
}

// traits are the data of a row other than its numbers and regions.
type traits struct {
	worth   float64 // sum over the players of the values by which teams are balanced
	newOnly bool    // it never joins an open session
	people  []matcher.Text
	blocked []matcher.Text
	options [][]matcher.Text // by option; empty: the row does not have the option
	own     [][]matcher.Text
	equal   []matcher.Value // by Scan.Equal: texts
	others  []matcher.Text
}

// RegionRule is the index of the region in Index.Valued.
const RegionRule = 0

// Compile compiles the rules of a ruleset. Call Attach before loading rows.
func Compile(set *matcher.PivotRules, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set, schema: schema}
	distances := set.Distances
	for i := range distances {
		var alike []int
		for k := range distances {
			if distances[k].Column == distances[i].Column {
				alike = append(alike, k)
			}
		}
		r.alike = append(r.alike, alike)
		if distances[i].Balanced {
			r.balanced = append(r.balanced, balanced{distances[i].Column, distances[alike[0]].Scale})
		}
	}
	r.regions = newRegions(&set.Region, schema, len(distances)+1)
	if len(distances) > 0 {
		r.Index.Key, r.Index.OwnWidths = r, true
	}
	r.Index.Valued, r.Index.At = []candidate.Valued{&r.regions}, []int{r.regions.At}
	for i := 1; i < len(distances); i++ {
		r.Index.Valued, r.Index.At = append(r.Index.Valued, &candidate.Bands{
			Number: func(row Row) float64 { return r.of(row)[i] },
			Width:  func(l *Limit, row Row) float64 { return min(l.Bound, r.reference(i, r.limits(row))) },
		}), append(r.Index.At, i)
	}
	for i := range set.Options {
		if set.Options[i].Kind != matcher.NoRepeat {
			r.Index.Valued, r.Index.At = append(r.Index.Valued, &optionValues{rules: r, option: i}), append(r.Index.At, len(distances))
		}
	}
	if set.Scan.Others != matcher.NoColumn {
		r.Index.Valued, r.Index.At = append(r.Index.Valued, &otherValues{rules: r}), append(r.Index.At, len(distances))
	}
	return r
}

// Attach sets the rows of the pool.
func (r *Rules) Attach(rows *store.Rows) {
	r.rows, r.regions.rows = rows, rows
	r.regions.Attach(rows)
}

// StageAt returns the state of the rules after a wait in ms: a limit for each distance; one for
// the team sizes, whose Level is their index; and one for the region, whose Bound is the reach
// and which is Optional once candidates need only have measured the region. The reach grows
// after a multiple of its period has passed, not exactly at it.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	until := func(atMS int64) {
		if atMS > waitMS {
			stage.UntilMS = min(stage.UntilMS, atMS)
		}
	}
	for i := range r.Set.Distances {
		limit := Limit{Bound: math.Inf(1)}
		for _, s := range r.Set.Distances[i].Max {
			if until(s.AfterMS); s.AfterMS > waitMS {
				continue
			}
			if limit = (Limit{Bound: s.Value, Active: true}); s.Absent {
				limit = Limit{Bound: math.Inf(1)}
			}
		}
		stage.Limits = append(stage.Limits, limit)
	}
	sizes := 0
	for i := range r.Set.Sizes {
		if until(r.Set.Sizes[i].AfterMS); r.Set.Sizes[i].AfterMS <= waitMS {
			sizes = i
		}
	}
	region := &r.Set.Region
	reachMS, _ := region.ReachMS.At(waitMS - 1)
	stage.Limits = append(stage.Limits, Limit{Level: int32(sizes)},
		Limit{Bound: reachMS, Level: r.regions.Level(reachMS), Active: !region.Ignored, Optional: waitMS > region.OneWayAfterMS})
	if region.OneWayAfterMS < matcher.Never {
		until(region.OneWayAfterMS + 1)
	}
	if next := region.ReachMS.NextChange(max(0, waitMS-1)); !region.Ignored && next < matcher.Never {
		until(next + 1)
	}
	return stage
}

// limits returns the current limits of a row.
func (r *Rules) limits(row Row) []Limit { return r.rows.Stage[row].Limits }

// Sizes returns the team sizes of a match around a seed.
func (r *Rules) Sizes(seed Row) *matcher.TeamSizes {
	return &r.Set.Sizes[r.limits(seed)[len(r.Set.Distances)].Level]
}

// Single reports whether every ticket is a match of its own, whatever its size.
func (r *Rules) Single() bool {
	s := &r.Set.Sizes[0]
	return s.MaxTeams == 1 && s.MaxPlayers == 1
}

// Load reads a row: the values of a ticket or a session as a whole, and its players. Its
// round-trip times are those of a place, or those of the last Measure if there is none.
func (r *Rules) Load(row Row, values []matcher.Value, players []matcher.Player, from matcher.Place) {
	for int(row) >= len(r.traits) {
		r.traits = append(r.traits, traits{})
		r.numbers = append(r.numbers, make([]float64, len(r.Set.Distances))...)
	}
	t, all := &r.traits[row], &matcher.Player{Values: values}
	t.newOnly = all.At(r.Set.NewOnly).Kind != matcher.Missing
	t.people, t.worth = t.people[:0], 0
	for i := range players {
		if v := players[i].At(r.Set.People); v.Kind == matcher.IsText {
			t.people = append(t.people, v.Text)
		}
	}
	slices.Sort(t.people)
	replace(&t.blocked, all.At(r.Set.Blocked).Set, &r.blockers)
	replace(&t.others, all.At(r.Set.Scan.Others).Set, &r.asking)
	t.equal = t.equal[:0]
	for _, column := range r.Set.Scan.Equal {
		t.equal = append(t.equal, *all.At(column))
	}
	t.options, t.own = t.options[:0], t.own[:0]
	for i := range r.Set.Options {
		t.options = textset.AppendCopy(t.options, all.At(r.Set.Options[i].Column).Set)
		t.own = textset.AppendCopy(t.own, all.At(r.Set.Options[i].Own).Set)
	}
	numbers := r.of(row)
	for i := range numbers {
		numbers[i] = mean(players, r.Set.Distances[i].Column)
	}
	t.worth = r.Worth(players...)
	r.regions.Load(row, from)
}

// replace replaces a set of a row. rows counts the rows with a set that is not empty.
func replace(set *[]matcher.Text, with []matcher.Text, rows *int) {
	if len(*set) == 0 && len(with) == 0 { // most rows
		return
	}
	if len(*set) > 0 {
		*rows--
	}
	if *set = append((*set)[:0], with...); len(with) > 0 {
		*rows++
	}
}

// Clear drops the data of a row that leaves.
func (r *Rules) Clear(row Row) {
	t := &r.traits[row]
	replace(&t.blocked, nil, &r.blockers)
	replace(&t.others, nil, &r.asking)
}

// of returns the numbers of a row, by distance.
func (r *Rules) of(row Row) []float64 {
	n := len(r.Set.Distances)
	return r.numbers[int(row)*n:][:n]
}

// mean returns the number of a ticket. A player without one counts as 0.
func mean(players []matcher.Player, column matcher.Column) float64 {
	sum := 0.0
	for i := range players {
		if v := players[i].At(column); v.Kind == matcher.IsNumber {
			sum += v.Number
		}
	}
	return sum / float64(max(1, len(players)))
}

// Worth returns the contribution of players to the balance value of their team.
func (r *Rules) Worth(players ...matcher.Player) float64 {
	sum := 0.0
	for _, b := range r.balanced {
		for i := range players {
			v := players[i].At(b.column)
			switch {
			case v.Kind != matcher.IsNumber:
			case b.scale > 0:
				sum += float64(v.Number / b.scale)
			default:
				sum += v.Number
			}
		}
	}
	return sum
}
