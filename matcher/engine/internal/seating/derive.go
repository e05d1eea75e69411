package seating

import (
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/internal/ranges"
)

// derive sets checks: what follows from the certain rules and can be decided from totals.
func (r *Rules) derive() {
	checks := &r.checks
	checks.Oldest = r.Set.Oldest
	for _, c := range r.certain {
		if x, ok := r.spreadOf(c); ok {
			checks.Spreads = append(checks.Spreads, x)
		}
		if a, ok := r.agreementOf(c); ok {
			c.Quick, c.column, c.agrees = true, a.Column, true
			checks.Agreements = append(checks.Agreements, a)
		}
		if r.isAlone(c) {
			c.Quick, c.alone = true, true
			checks.Alone = append(checks.Alone, quick.Alone{Rule: &c.Rule})
			r.alone = append(r.alone, c)
		}
		if c.Reach != nil {
			r.latencies = append(r.latencies, c)
			if c.Quick = c.far < 0; c.Quick {
				checks.Regions = append(checks.Regions, &c.Rule)
			}
		}
		if q, ok := r.quotaOf(c); ok && len(checks.Quotas) < quick.QuotasMax {
			if checks.Quotas = append(checks.Quotas, q); q.Capped() {
				c.Quick, c.column = true, q.Column
			}
		}
	}
	r.arrange()
	for _, c := range r.enforced {
		if c.Quick {
			continue
		}
		x, ok := r.comparedOf(c)
		if !ok { // an evaluation counts only if all rules before it allow the ticket
			break
		}
		c.Quick = true
		checks.Compared = append(checks.Compared, x)
	}
}

// conjoin adds the rules of a statement to certain if they are combined by "and" only. enclosing is
// the enforced compound rule that contains the statement.
func (r *Rules) conjoin(enclosing *rule, s *statement) {
	if s.operator == "and" {
		for _, part := range s.parts {
			r.conjoin(enclosing, part)
		}
	}
	c := s.rule
	switch {
	case c == nil || c.late != nil:
	case c.statement != nil:
		r.conjoin(enclosing, c.statement)
	case c.Enclosing == nil:
		c.Enclosing = &enclosing.Rule
		r.certain = append(r.certain, c)
	}
}

// agreementOf converts a rule into an agreement. ok is false if the rule has another form.
func (r *Rules) agreementOf(c *rule) (a quick.Agreement, ok bool) {
	var at matcher.Column
	lists := false
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		at, ok = of.Column, len(of.Max) == 0
	case *matcher.Comparison:
		if of.Operation != "=" || len(of.Reference) > 0 || len(of.Measured) != 1 {
			return a, false
		}
		path, all := expression.OfAll(of.Measured[0], matcher.Texts, len(r.Set.Teams))
		at, ok = path.Column, all && !expression.GivesLists(path)
	case *matcher.Collection:
		if len(of.Measured) != 1 || len(of.Min) == 0 || of.Min[0].AfterMS > 0 ||
			slices.ContainsFunc(of.Min, func(s matcher.Step[float64]) bool { return s.Value < 1 }) {
			return a, false
		}
		lists = true
		switch of.Operation {
		case "intersection":
			path, all := expression.OfAll(of.Measured[0], matcher.Texts, len(r.Set.Teams))
			at, ok = path.Column, all && expression.GivesLists(path) && of.Measured[0].Depth == 2
		case "reference_intersection_count":
			if len(of.Reference) == 1 {
				at, ok = expression.BetweenTeams(of.Measured[0], of.Reference[0].Value.Expression, len(r.Set.Teams))
			}
		}
	}
	if ok {
		a = quick.Agreement{Rule: &c.Rule, Column: r.columns.Column(at, c.party), Lists: lists}
	}
	return a, ok
}

// isAlone reports whether a rule compares each player's value with a constant.
func (r *Rules) isAlone(c *rule) bool {
	of, ok := c.of.(*matcher.Comparison)
	return ok && len(of.Reference) == 1 && of.Reference[0].AfterMS == 0 && of.Reference[0].Value.Expression == nil && !slices.ContainsFunc(of.Measured, func(x *matcher.Expression) bool { return !expression.OnePerPlayer(x) })
}

// comparedOf returns the Compared of a rule. ok is false if the rule has another form, if a spread
// limits one of its numbers, which then depends on State.Bound, or if the size of a team changes with
// the wait.
func (r *Rules) comparedOf(c *rule) (x quick.Compared, ok bool) {
	of, ok := c.of.(*matcher.Comparison)
	if !ok || c.late != nil || len(of.Reference) != 1 || len(of.Measured) != 1 || of.Reference[0].Value.Expression == nil {
		return x, false
	}
	x = quick.Compared{Rule: &c.Rule, Operation: of.Operation}
	for i, number := range []*expression.Expression{c.measured[0], c.with[0]} {
		if !number.Tallies() {
			return x, false
		}
		column, teams := number.Reads()
		spread := func(s quick.Spread) bool { return s.Column == column }
		if slices.ContainsFunc(r.checks.Spreads, spread) {
			return x, false
		}
		side, most, needs := quick.Side{Of: number, Column: column}, 0, false
		for _, team := range teams {
			if t := &r.Set.Teams[team]; len(t.Min)+len(t.Max) > 2 || r.teams[team].Varies {
				return x, false
			}
			side.Teams |= 1 << team
			most += int(r.Set.Teams[team].Max[0].Value)
			needs = needs || r.Set.Teams[team].Min[0].Value > 0
		}
		side.Empty = expression.NewTally(most, needs)
		x.Sides[i] = side
	}
	return x, true
}

var opposite = map[matcher.Function]matcher.Function{matcher.Min: matcher.Max, matcher.Max: matcher.Min}

// spreadOf returns the spread that follows from a rule. ok is false if none follows. A batchDistance
// rule is a spread. A spread also follows from a rule about the distance between all players' numbers
// and their average, median, minimum or maximum, and from a rule about the distance between minimum
// and maximum.
func (r *Rules) spreadOf(c *rule) (x quick.Spread, ok bool) {
	switch of := c.of.(type) {
	case *matcher.BatchDistance:
		c.Quick = len(of.Max) > 0
		return quick.Spread{Rule: &c.Rule, Column: c.column, Factor: 1}, c.Quick
	case *matcher.Distance:
		if len(of.Max) == 0 || len(of.Reference) != 1 || of.Reference[0].Value.Expression == nil {
			return quick.Spread{}, false
		}
		about := of.Reference[0].Value.Expression
		if about.Depth > 0 || about.Function == matcher.NoFunction {
			return quick.Spread{}, false
		}
		path, ok := expression.OfAll(about.Argument, matcher.Numbers, len(r.Set.Teams))
		if !ok {
			return quick.Spread{}, false
		}
		x = quick.Spread{Rule: &c.Rule, Column: r.columns.Column(path.Column, c.party), Factor: 2}
		switch about.Function {
		case matcher.Min, matcher.Max:
			x.Factor = 1
		case matcher.Avg, matcher.Median:
		default:
			return quick.Spread{}, false
		}
		return x, slices.ContainsFunc(of.Measured, func(m *matcher.Expression) bool {
			ends := opposite[m.Function] == about.Function && m.Depth == 0 // the rule is about the distance between minimum and maximum
			if ends {
				m = m.Argument
			}
			measured, ok := expression.OfAll(m, matcher.Numbers, len(r.Set.Teams))
			ok = ok && measured.Column == path.Column
			c.Quick = c.Quick || ok && ends && len(of.Measured) == 1 && len(of.Min) == 0
			return ok
		})
	}
	return quick.Spread{}, false
}

// quotaOf converts a rule into a quota. It returns false if the rule has a different form.
func (r *Rules) quotaOf(c *rule) (q quick.Quota, ok bool) {
	of, ok := c.of.(*matcher.Collection)
	if !ok || of.Operation != "contains" || len(of.Reference) != 1 {
		return quick.Quota{}, false
	}
	q = quick.Quota{Rule: &c.Rule, Measured: c.measured, Text: of.Reference[0].Value.Text, Of: slices.Repeat([]int{-1}, len(r.Set.Teams))}
	for i, x := range c.measured {
		column, teams := x.Counted()
		if len(teams) == 0 || i > 0 && column != q.Column {
			return quick.Quota{}, false
		}
		q.Column = column
		for _, team := range teams {
			if q.Of[team] >= 0 {
				return quick.Quota{}, false
			}
			q.Of[team] = i
		}
	}
	return q, true
}

// layoutsMax is the largest number of layouts that a search tracks. If there are more, rules
// about sums are evaluated like all other rules.
const layoutsMax = 64

// arrange sets Checks.Layouts, largest match first, if rules in certain bound sums. It sets none if a team
// may be empty or absent or if there are more than layoutsMax. Package quick then decides these rules, and also
// the rules that only compare numbers of players.
func (r *Rules) arrange() {
	all := [][]float64{nil}
	for i, t := range r.Set.Teams {
		least, most := ranges.Of(t.Min).Low, ranges.Of(t.Max).High
		if least < 1 || r.teams[i].Varies || (most-least+1)*float64(len(all)) > 1<<12 {
			return
		}
		var longer [][]float64
		for n := most; n >= least; n-- {
			for _, sizes := range all {
				longer = append(longer, append(slices.Clone(sizes), n))
			}
		}
		all = longer
	}
	var counted, summed []*quick.Rule
	first := r.StageAt(0)
	for _, c := range r.certain {
		if !c.countsPlayers() {
			continue
		}
		counted = append(counted, &c.Rule)
		all = slices.DeleteFunc(all, func(sizes []float64) bool {
			e := evaluator{Group: quick.Group{Group: expression.Sized(sizes), Stage: &first}, rules: r}
			return e.known(c) != holds
		})
	}
	if len(all) == 0 || len(all) > layoutsMax {
		return
	}
	var layouts []quick.Layout
	for _, sizes := range all {
		x := quick.Layout{Sizes: sizes}
		for _, c := range r.certain {
			bounds, whole := c.bounds(sizes)
			for _, b := range bounds {
				x.Sums = append(x.Sums, quick.Sum{Bound: b, Rule: &c.Rule})
				if c.column = b.Column; whole && !slices.Contains(summed, &c.Rule) {
					summed = append(summed, &c.Rule)
				}
			}
		}
		layouts = append(layouts, x)
	}
	players := func(x quick.Layout) (n float64) {
		for _, size := range x.Sizes {
			n += size
		}
		return n
	}
	slices.SortStableFunc(layouts, func(a, b quick.Layout) int { return int(players(b) - players(a)) })
	if slices.ContainsFunc(layouts, func(x quick.Layout) bool { return len(x.Sums) > 0 }) {
		r.checks.Layouts, r.checks.Summed = layouts, append(counted, summed...)
	}
	for _, c := range r.checks.Summed {
		c.Quick = true
	}
}

// countsPlayers reports whether a rule only compares numbers of players and does not change with
// the wait.
func (c *rule) countsPlayers() bool {
	var references matcher.Steps[matcher.Reference]
	switch of := c.of.(type) {
	case *matcher.Comparison:
		references = of.Reference
	case *matcher.Distance:
		if references = of.Reference; len(of.Min) > 1 || len(of.Max) > 1 {
			return false
		}
	default:
		return false
	}
	other := func(x *expression.Expression) bool { return x != nil && !x.CountsPlayers() }
	return len(references) <= 1 && !slices.ContainsFunc(c.measured, other) && !slices.ContainsFunc(c.with, other)
}

// bounds returns the bounds on weighted sums that follow from a rule for teams of the given
// sizes. whole reports whether the rule holds whenever all of these bounds are satisfied.
func (c *rule) bounds(sizes []float64) (list []expression.Bound, whole bool) {
	var references matcher.Steps[matcher.Reference]
	below, above, all := false, false, true
	switch of := c.of.(type) {
	case *matcher.Distance:
		references, below, above, all = of.Reference, len(of.Max) > 0, len(of.Max) > 0, len(of.Min) == 0
	case *matcher.Comparison:
		references, below, above = of.Reference, strings.ContainsAny(of.Operation[:1], ">="), strings.ContainsAny(of.Operation[:1], "<=")
	}
	if len(references) != 1 || !below && !above {
		return nil, false
	}
	list, whole = expression.Bounds(sizes, c.measured, c.with[0], references[0].Value.Number, below, above)
	return list, whole && all
}

// teamsAlike reports whether no rule depends on which team a ticket is in.
func (r *Rules) teamsAlike() bool {
	for _, c := range r.enforced {
		switch of := c.of.(type) {
		case *matcher.BatchDistance, *matcher.Latency:
		case *matcher.Comparison:
			if !c.agrees {
				return false
			}
		case *matcher.Collection: // the other operations fail for an empty team
			if !c.agrees || of.Operation != "intersection" {
				return false
			}
		case *matcher.Distance:
			if len(of.Measured) > 1 || !slices.ContainsFunc(r.checks.Spreads, func(x quick.Spread) bool { return x.Rule == &c.Rule }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
