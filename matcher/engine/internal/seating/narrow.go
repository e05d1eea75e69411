package seating

import (
	"math/bits"

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

// filter sets kept to those of the options whose tickets are in a set and may still join. possible is false if
// these options have too few players to bring every team to its minimum, or if the budget is used up.
func (s *Search) filter(kept, of *quick.Options, set quick.Set) (possible bool) {
	e := &s.evaluator
	if !s.quick.Narrow(&e.Group, set, len(s.Group)) {
		return false
	}
	kept.Among(of, set)
	s.quick.Fit(kept, s.free)
	filled := s.quick.Filled(&e.Group, len(s.Group))
	// Each option that is closed costs a look, as if joinable had tried it.
	atOnce := s.looks+64*len(set)*len(e.Sides) <= looksPerStep*s.Budget // otherwise, the budget may end the search at any option
	if s.closes && atOnce {
		s.looks += s.quick.Close(&e.Group, &filled, kept, 0, len(set), ^uint64(0))
	}
	total := int32(0)
	clear(s.there)
	s.left = s.left[:0]
	for at := range set {
		left := kept.Word(at)
		for rest := left; rest != 0; rest &= rest - 1 {
			if s.spent() {
				return false
			}
			bit := rest & -rest
			if s.closes && !atOnce {
				s.looks += s.quick.Close(&e.Group, &filled, kept, at, at+1, bit)
			}
			candidate := 64*at + bits.TrailingZeros64(rest)
			row, teams := s.candidates[candidate], kept.Teams(candidate)
			open := s.joinable(row, teams)
			if open != teams {
				kept.Remove(candidate, teams&^open)
			}
			if open == 0 {
				left &^= bit
				continue
			}
			players := s.Rules.rows.Players[row]
			for total += players; open != 0; open &= open - 1 {
				s.there[bits.TrailingZeros64(open)] += players
			}
		}
		s.left = append(s.left, left)
	}
	short := int32(0)
	for team, n := range e.Counts {
		lack := int32(e.Requires(team).Low) - n
		if lack > s.there[team] {
			return false
		}
		short += max(0, lack)
	}
	return short <= total && (len(s.Group) == 0 || s.quick.Enough(&e.Group, len(s.Group), s.left, short))
}

// joinable returns a mask of those among the given teams that a ticket may join. If no rule
// distinguishes the teams, the first team that the ticket may join stands for all teams after it.
func (s *Search) joinable(row Row, teams uint64) uint64 {
	for rest := teams; rest != 0; rest &= rest - 1 {
		team := bits.TrailingZeros64(rest)
		s.looks++
		may := s.may(row, team)
		switch {
		case may && s.alike:
			return rest
		case !may && s.alike && s.plain:
			return 0
		case !may:
			teams &^= 1 << team
		}
	}
	return teams
}
