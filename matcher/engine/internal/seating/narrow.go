package seating

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// narrow chooses the rules that the candidate index uses to exclude rows. If there is a spread
// whose bound never decreases with the wait, the index is sorted by its number. Otherwise, the
// index is sorted by age.
func (r *Rules) narrow() {
	r.Index.Key, r.ByAge, r.Index.ByNewest = candidate.Age{Rows: &r.rows}, true, !r.Set.Oldest
	for i, x := range r.spreads {
		if r.ByAge && expression.Rises(r.steps[x.rule.most]) {
			r.Index.Key, r.Index.KeyAt, r.Index.OwnWidths, r.ByAge = expression.NumberKey{Columns: &r.columns, Column: x.column, Most: x.width}, int(x.rule.most), !r.Set.Oldest, false
			r.spreads[0], r.spreads[i] = r.spreads[i], r.spreads[0] // quick.enough uses only the first spread
		}
	}
	never := r.limit(matcher.Steps[float64]{{}}) // agreements need a limit, but it never changes
	if r.Set.Large != nil && r.Set.Large.FastestRegion && len(r.regions) > 0 {
		r.index(fastestValues{r}, never)
	}
	hasRegion := false
	for _, c := range r.certain {
		switch {
		case c.agreement != nil:
			r.index(expression.TextValues{Columns: &r.columns, Column: c.agreement.column}, never)
		case c.reach != nil && !hasRegion && c.most >= 0 && expression.Rises(r.steps[c.most]):
			hasRegion = true
			r.index(&reach.Common{Entries: c.reach, Rows: &r.rows, Limit: int(c.most), Newest: !r.Set.Oldest}, c.most)
		}
	}
	for _, q := range r.quotas {
		r.Index.Counted = append(r.Index.Counted, func(row Row) (with, without bool) {
			n := r.columns.Has(q.measured[0], entry(row), q.text)
			return n > 0, n < r.rows.Players[row]
		})
	}
}

// index adds a rule that the candidate index uses to exclude rows.
func (r *Rules) index(values candidate.Valued, at limit) {
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

// spread is a rule that limits the difference between any two players' numbers. The limit is
// factor times the rule's largest distance. A batchDistance rule is such a limit. The limit also
// follows from a rule about the distance between all players' numbers and their average, median,
// minimum or maximum, and from a rule about the distance between minimum and maximum.
type spread struct {
	rule   *rule
	column int
	factor float64
}

var opposite = map[matcher.Function]matcher.Function{matcher.Min: matcher.Max, matcher.Max: matcher.Min}

// spreadOf returns the spread that follows from a rule. ok is false if none follows.
func (r *Rules) spreadOf(c *rule) (x spread, ok bool) {
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		c.quick = len(of.Max) > 0
		return spread{c, c.column, 1}, c.quick
	case *matcher.Distance:
		if len(of.Max) == 0 || len(of.Reference) != 1 || of.Reference[0].Value.Expression == nil {
			return spread{}, false
		}
		about := of.Reference[0].Value.Expression
		if about.Depth > 0 || about.Function == matcher.NoFunction {
			return spread{}, false
		}
		path, ok := expression.OfAll(about.Argument, matcher.Numbers, len(r.Set.Teams))
		if !ok {
			return spread{}, false
		}
		x = spread{c, r.columns.Column(path.Column, c.party), 2}
		switch about.Function {
		case matcher.Min, matcher.Max:
			x.factor = 1
		case matcher.Avg, matcher.Median:
		default:
			return spread{}, false
		}
		return x, slices.ContainsFunc(of.Measured, func(m *matcher.Expression) bool {
			ends := opposite[m.Function] == about.Function && m.Depth == 0 // the rule is about the distance between minimum and maximum
			if ends {
				m = m.Argument
			}
			measured, ok := expression.OfAll(m, matcher.Numbers, len(r.Set.Teams))
			ok = ok && measured.Column == path.Column
			c.quick = c.quick || ok && ends && len(of.Measured) == 1 && len(of.Min) == 0
			return ok
		})
	}
	return spread{}, false
}

// most returns the largest difference that a spread allows in a stage.
func (x *spread) most(r *Rules, stage *store.Stage, complete bool) float64 {
	most := r.limitsAt(stage, complete, x.rule.most).High
	if math.IsNaN(most) { // the rule has no bound
		return math.Inf(1)
	}
	return x.width(most)
}

// width converts a bound of the rule to the largest difference between two numbers.
func (x *spread) width(bound float64) float64 { return x.factor * (bound + tolerance) }

// filter appends to dst the options whose tickets may still join. possible is false if these
// options have too few players to bring every team to its minimum, or if the budget is used up.
func (s *Search) filter(dst, from []option) (kept []option, possible bool) {
	e, total, size, roomy := &s.evaluator, int32(0), int32(-1), uint64(0)
	if len(s.quick.layouts) > 0 && !s.quick.narrow(e, from, len(s.Group)) {
		return dst, false
	}
	clear(s.there)
	s.quick.none()
	for _, o := range from {
		if s.spent() {
			return dst, false
		}
		players := s.Rules.rows.Players[o.row]
		if players != size {
			size, roomy = players, s.withRoom(players)
		}
		teams := s.joinable(o.row, o.teams&roomy)
		if teams == 0 {
			continue
		}
		total += players
		dst = append(dst, option{o.row, teams})
		s.quick.add(o.row)
		for ; teams != 0; teams &= teams - 1 {
			s.there[bits.TrailingZeros64(teams)] += players
		}
	}
	short := int32(0)
	for team, n := range e.Counts {
		lack := int32(e.least(team).Low) - n
		if lack > s.there[team] {
			return dst, false
		}
		short += max(0, lack)
	}
	return dst, short <= total && (len(s.Group) == 0 || s.quick.enough(e, len(s.Group), short))
}

// withRoom returns a mask of the teams with room for the given number of players.
func (s *Search) withRoom(players int32) (teams uint64) {
	for team := range s.evaluator.Counts {
		if s.free(team) >= players {
			teams |= 1 << team
		}
	}
	return teams
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
