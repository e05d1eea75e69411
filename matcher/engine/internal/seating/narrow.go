package seating

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// narrowing is a criterion that excludes candidates if a rule certainly keeps them apart from
// the seed.
type narrowing struct {
	criterion.Criterion
	region *criterion.Region
	party  matcher.Aggregation
	places *[]int32   // maps a place to the region criterion's own number for it
	lists  *agreement // nil: the criterion is not about lists
}

// load reads a ticket. For a party, regions are compared by the merged round-trip times, and
// lists are the merged ones.
func (n narrowing) load(r *Rules, row Row, t *matcher.Ticket) {
	if n.lists != nil && len(t.Players) > 1 {
		values := make([]matcher.Value, n.lists.at+1)
		values[n.lists.at] = matcher.SetValue(r.columns.Cell(n.lists.column, entry(row)).Texts)
		n.Load(row, []matcher.Player{{Values: values}})
		return
	}
	if n.region == nil {
		n.Load(row, t.Players)
		return
	}
	if t.From != matcher.NoPlace {
		for len(*n.places) < len(r.columns.Places()) {
			*n.places = append(*n.places, n.region.AddPlace(r.columns.Places()[len(*n.places)]))
		}
		n.region.LoadPlace(row, (*n.places)[t.From])
		return
	}
	at := r.columns.RTT(n.party)
	n.Load(row, []matcher.Player{{RTTMS: r.columns.RTTOf(at, entry(row))}})
}

// narrow determines the criteria that narrow the candidates. The sort key of the index is the
// first number that a rule bounds. If there is none, it is the wait, because candidates are
// tried in order of age.
func (r *Rules) narrow(set *matcher.Ruleset) {
	r.Index.Key, r.ByAge, r.Index.ByNewest = age{r}, true, !r.Set.Oldest
	basis := &matcher.Ruleset{MinPlayers: 1, MaxPlayers: set.MaxPlayers, ExpansionBasis: matcher.ShortestWait}
	if r.Set.Oldest {
		basis.ExpansionBasis = matcher.LongestWait
	}
	settings := matcher.Common{Weight: 1, OptionalAfterMS: matcher.Never}
	for i := range r.spreads {
		x := &r.spreads[i]
		if _, ok := scheduleOf(x.steps()); ok && r.ByAge {
			r.Index.Key, r.Index.OwnWidths, r.ByAge = numberKey{&r.columns, x.column, x.factor}, !r.Set.Oldest, false
			r.spreads[0], r.spreads[i] = r.spreads[i], r.spreads[0] // enough uses only the first
		}
	}
	hasRegion := false
	for _, c := range r.certain {
		switch of := c.of.(type) {
		case *matcher.Latency:
			if schedule, ok := scheduleOf(of.Max); ok && !hasRegion {
				hasRegion = true
				r.index(criterion.New(&matcher.ReachRegion{Common: settings, MaxRTTMS: schedule}, basis, r.schema), c.party, nil)
			}
		default:
			if a, ok := r.agreementOf(c); ok && a.lists {
				r.index(criterion.New(&matcher.SetOverlap{Common: settings, Column: a.at, MinShared: matcher.Fixed(1)}, basis, r.schema), c.party, &a)
			} else if ok {
				r.index(criterion.New(&matcher.EqualText{Common: settings, Column: a.at, Enabled: matcher.Fixed(1)}, basis, r.schema), c.party, nil)
			}
		}
	}
	if !r.ByAge {
		r.Index.KeyAt = len(r.All) + int(r.spreads[0].rule.most) // see limitAt
	}
}

// numberKey is a sort key with a largest difference that only widens with the wait: the numbers
// of any pair in a group differ by at most the limit of the row that has waited longest.
type numberKey struct {
	columns *expression.Columns
	column  int
	factor  float64 // see spread
}

func (k numberKey) Key(row Row) float64           { return k.columns.Cell(k.column, entry(row)).Number }
func (numberKey) Certain(*store.Limit) bool       { return true }
func (k numberKey) Width(l *store.Limit) float64  { return k.factor*l.Bound + tolerance }
func (k numberKey) Spread(l *store.Limit) float64 { return k.Width(l) }

// index adds a criterion to those that narrow the candidates.
func (r *Rules) index(c criterion.Criterion, party matcher.Aggregation, lists *agreement) {
	region, _ := c.(*criterion.Region)
	values := wide{c.(criterion.Valued), r, len(r.All)}
	if r.Index.Valued = append(r.Index.Valued, values); region != nil {
		r.Index.Valued[len(r.Index.Valued)-1] = wideRegion{values, region}
	}
	r.Index.At = append(r.Index.At, len(r.All))
	r.All = append(r.All, c)
	r.narrowing = append(r.narrowing, narrowing{c, region, party, new([]int32), lists})
}

// scheduleOf converts non-decreasing steps into a schedule. It returns false if they decrease
// or are absent for a while.
func scheduleOf(steps matcher.Steps[float64]) (matcher.Schedule, bool) {
	if len(steps) == 0 || steps[0].AfterMS > 0 {
		return matcher.Schedule{}, false
	}
	every := int64(0)
	for i, s := range steps {
		if i > 0 && s.Value < steps[i-1].Value {
			return matcher.Schedule{}, false
		}
		for a := s.AfterMS; a != 0; { // the greatest common divisor
			every, a = a, every%a
		}
	}
	if every == 0 {
		return matcher.Fixed(steps[0].Value), true
	}
	var list []matcher.Override
	for wait := int64(0); wait <= steps[len(steps)-1].AfterMS; wait += every {
		v, _ := steps.At(wait)
		list = append(list, matcher.Override{Value: v})
	}
	return matcher.Custom(steps[0].Value, every, list), true
}

// wide is a criterion whose limit only widens with the wait. Between a seed and a candidate,
// the limit of one of them applies, so each is given the values for its own limit.
type wide struct {
	criterion.Valued
	rules *Rules
	at    int
}

func (wide) Certain(*store.Limit) bool { return true }

func (w wide) Theirs(l *store.Limit, candidate Row) uint64 {
	if w.rules.Set.Oldest {
		return w.Mask(l, candidate)
	}
	return w.Mask(&w.rules.rows.Stage[candidate].Limits[w.at], candidate)
}

func (w wide) Asks(l *store.Limit) float64 {
	if w.rules.Set.Oldest {
		return l.Bound
	}
	return 0
}

// wideRegion is a wide Region, which gives the masks of many rows in one call.
type wideRegion struct {
	wide
	region *criterion.Region
}

// Masks implements candidate.Masking.
func (w wideRegion) Masks(masks []uint64, l *store.Limit, rows []Row) {
	w.region.Masks(masks, l, rows)
}

// TheirMasks implements candidate.TheirsMasking.
func (w wideRegion) TheirMasks(masks []uint64, l *store.Limit, rows []Row) {
	if w.rules.Set.Oldest {
		w.region.Masks(masks, l, rows)
		return
	}
	for i, row := range rows {
		masks[i] = w.region.Mask(&w.rules.rows.Stage[row].Limits[w.at], row)
	}
}

// age is the sort key of the index.
type age struct{ rules *Rules }

func (a age) Key(row Row) float64       { return float64(a.rules.rows.CreatedMS[row]) }
func (age) Width(*store.Limit) float64  { return math.Inf(1) }
func (age) Spread(*store.Limit) float64 { return math.Inf(1) }
func (age) Certain(*store.Limit) bool   { return false }

// spread is a rule that limits the difference between any two numbers of a match, to factor
// times the rule's largest distance. For a batchDistance this is the whole rule. A distance of
// all players' numbers from their own average, median, minimum or maximum implies a spread, and
// so does a distance of their maximum from their minimum.
type spread struct {
	rule   *rule
	column int
	factor float64
}

var opposite = map[matcher.Function]matcher.Function{matcher.Min: matcher.Max, matcher.Max: matcher.Min}

// spreadOf returns the spread that a rule implies.
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
		path, ok := r.ofAll(about.Argument, matcher.Numbers)
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
			if opposite[m.Function] == about.Function && m.Depth == 0 { // distance of the lowest from the highest
				m = m.Argument
			}
			measured, ok := r.ofAll(m, matcher.Numbers)
			return ok && measured.Column == path.Column
		})
	}
	return spread{}, false
}

// most returns the largest allowed difference between numbers in a stage.
func (x *spread) most(r *Rules, stage *store.Stage, complete bool) float64 {
	most := r.limitsAt(stage, complete, x.rule.most).High
	if math.IsNaN(most) { // the bound may be absent
		return math.Inf(1)
	}
	return x.factor * (most + tolerance)
}

// steps returns the largest allowed difference between numbers, by wait.
func (x *spread) steps() (list matcher.Steps[float64]) {
	var of matcher.Steps[float64]
	switch rule := x.rule.of.(type) {
	case *matcher.BatchDistance:
		of = rule.Max
	case *matcher.Distance:
		of = rule.Max
	}
	for _, s := range of {
		list = append(list, matcher.Step[float64]{AfterMS: s.AfterMS, Value: x.factor * s.Value})
	}
	return list
}

// filter returns the options that may join next, and reports whether every team can still reach
// its minimum.
func (s *Search) filter(dst, from []option) (kept []option, possible bool) {
	e, total, size, open := &s.evaluator, int32(0), int32(-1), uint64(0)
	if len(s.quick.layouts) > 0 && !s.quick.narrow(e, from, len(s.Group)) {
		return dst, false
	}
	clear(s.there)
	s.quick.none()
	for _, o := range from {
		players := s.Rules.rows.Players[o.row]
		if players != size {
			size, open = players, s.openTo(players)
		}
		teams := s.joinable(o.row, o.teams&open)
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
	for team, least := range s.limits().least {
		lack := int32(least.Low) - e.Counts[team]
		if lack > s.there[team] {
			return dst, false
		}
		short += max(0, lack)
	}
	return dst, short <= total && (e.stage == nil || s.quick.enough(e, s.limits(), len(s.Group), short))
}

// openTo returns the teams with room for a number of players, as bits.
func (s *Search) openTo(players int32) (teams uint64) {
	s.limits()
	for team := range s.evaluator.Counts {
		if s.open(team) >= players {
			teams |= 1 << team
		}
	}
	return teams
}

// joinable returns those of the given teams that a ticket may join. If that does not depend on
// the team, it is tried once.
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
