package seating

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// narrow chooses the rules that the candidate index uses to exclude rows. If there is a spread
// whose bound never decreases with the wait, the index is sorted by its number. Otherwise, the
// index is sorted by age.
func (r *Rules) narrow() {
	r.Index.Key, r.ByAge, r.Index.ByNewest = candidate.Age{Rows: &r.rows}, true, !r.Set.Oldest
	for i, x := range r.checks.Spreads {
		if r.ByAge && expression.Rises(r.steps[x.Rule.Most]) {
			r.Index.Key, r.Index.KeyAt, r.Index.OwnWidths, r.ByAge = expression.NumberKey{Columns: &r.columns, Column: x.Column, Most: x.Width}, int(x.Rule.Most), !r.Set.Oldest, false
			r.checks.Spreads[0], r.checks.Spreads[i] = r.checks.Spreads[i], r.checks.Spreads[0] // quick.State.Enough reads only the first
		}
	}
	r.checks.Sorted = !r.ByAge
	never := r.limit(matcher.Steps[float64]{{}}) // agreements need a limit, but it never changes
	if r.Set.Large != nil && r.Set.Large.FastestRegion && len(r.checks.Regions) > 0 {
		r.index(fastestValues{r}, never)
	}
	hasRegion := false
	for _, c := range r.certain {
		switch {
		case c.agrees:
			r.index(expression.TextValues{Columns: &r.columns, Column: c.column}, never)
		case c.Reach != nil && !hasRegion && c.Most >= 0 && expression.Rises(r.steps[c.Most]):
			hasRegion = true
			r.index(&reach.Common{Entries: c.Reach, Rows: &r.rows, Limit: int(c.Most), Newest: !r.Set.Oldest}, c.Most)
		}
	}
	for i := range r.checks.Quotas {
		r.Index.Counted = append(r.Index.Counted, func(row Row) (with, without bool) {
			n := r.checks.Traits[row].Has[i]
			return n > 0, n < r.rows.Players[row]
		})
	}
}

// index adds a rule that the candidate index uses to exclude rows.
func (r *Rules) index(values candidate.Valued, at quick.Limit) {
	r.Index.Valued, r.Index.At = append(r.Index.Valued, values), append(r.Index.At, int(at))
}

// fastestValues makes the candidate index exclude rows whose fastest region is not the seed's. A
// session takes players of any fastest region. Without it, every seed without enough players with
// its fastest region was the seed of a search: ten minutes of a day with matches of 80 to 100 players
// took 1.5 s of CPU time more.
type fastestValues struct{ rules *Rules }

func (fastestValues) Certain(*store.Limit) bool { return true }
func (fastestValues) Filters(*store.Limit) bool { return true }

func (v fastestValues) Mask(_ *store.Limit, row Row) uint64 {
	if row < 0 {
		return candidate.AllValues
	}
	return v.rules.slowest.Tickets.Only(v.rules.fastest[row])
}
