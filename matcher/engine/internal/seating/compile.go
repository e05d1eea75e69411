package seating

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// Rules is the compiled form of SeatRules.
type Rules struct {
	Set   *matcher.SeatRules
	Index candidate.Rules
	ByAge bool // the candidate index is sorted by age
	Late  bool // some rules are late: their results may change although no ticket's stage does

	rows       *store.Rows
	schema     *matcher.Schema
	enforced   []*rule
	byRule     map[matcher.SeatRule]*rule
	reaches    []*rule          // all latency rules
	times      []*reach.Entries // of all latency rules, and slowest
	slowest    *reach.Entries   // the slowest player's round-trip times; nil if there is no latency rule and no LargeMatches
	certain    []*rule          // the enforced rules, and the parts of every enforced "and"
	latencies  []*rule          // the latency rules in certain; one region must satisfy all of them
	regions    []*rule          // the latency rules in certain without Latency.MaxDistance
	spreads    []spread         // derived from rules in certain
	agreements []*agreement     // derived from rules in certain
	quotas     []quota          // derived from rules in certain
	layouts    []layout         // set by arrange; empty if no rule in certain bounds a sum, or if arrange cannot list all layouts
	summed     []*rule          // the rules that are decided by checking the layouts
	sorts      []expression.Sorting
	sortBy     []int            // columns
	balance    int              // the column of LargeMatches.Balance
	fastest    []matcher.Region // indexed by row: the result of fastestOf, with LargeMatches.FastestRegion
	teams      []teamLimits
	fixedSizes bool                     // no team's size limits change with the wait
	anyWait    store.Stage              // the range of each limit over all waits; its exact values are unset
	Last       store.Stage              // the stage after all steps, in which every limit that the index uses is widest
	symmetric  bool                     // no expression distinguishes teams
	steps      []matcher.Steps[float64] // the schedule of each limit
	columns    expression.Columns
}

// teamLimits contains the bounds on a team's number of players.
type teamLimits struct{ least, most limit }

// Compile compiles the rules of a ruleset.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set.Seats, schema: schema, byRule: map[matcher.SeatRule]*rule{}}
	for i := range r.Set.Teams {
		t := &r.Set.Teams[i]
		r.teams = append(r.teams, teamLimits{r.limit(t.Min), r.limit(t.Max)})
	}
	for i, of := range r.Set.Rules {
		c := r.rule(of)
		c.index = i
		if sort, ok := of.(*matcher.Sort); ok {
			r.sorts = append(r.sorts, expression.NewSorting(sort, r.columns.Column(sort.Column, c.party)))
			continue
		}
		if of.Common().Named {
			continue
		}
		r.enforced = append(r.enforced, c)
	}
	r.certain = slices.DeleteFunc(slices.Clone(r.enforced), func(c *rule) bool { return c.late != nil })
	for _, c := range r.certain {
		if c.statement != nil {
			r.conjoin(c, c.statement)
		}
	}
	for _, c := range r.certain {
		if x, ok := r.spreadOf(c); ok {
			r.spreads = append(r.spreads, x)
		}
		if a := r.agreementOf(c); a != nil {
			c.quick, c.column, c.agreement = true, a.column, a
			r.agreements = append(r.agreements, a)
		}
		if c.reach != nil {
			r.latencies = append(r.latencies, c)
			if c.quick = c.far < 0; c.quick {
				r.regions = append(r.regions, c)
			}
		}
		r.addQuota(c)
	}
	r.arrange()
	r.symmetric = !slices.ContainsFunc(r.Set.Rules, r.names)
	r.fixedSizes = !slices.ContainsFunc(r.Set.Teams, func(t matcher.SeatTeam) bool { return len(t.Min)+len(t.Max) > 2 })
	for _, at := range r.Set.SortBy {
		r.sortBy = append(r.sortBy, r.columns.Column(at, matcher.PartyAvg))
	}
	if r.Set.Large != nil || len(r.reaches) > 0 {
		r.slowest = reach.NewEntries(schema, matcher.PartyMax, nil)
		r.times = []*reach.Entries{r.slowest}
	}
	for _, c := range r.reaches {
		r.times = append(r.times, c.reach)
	}
	if r.Set.Large != nil && r.Set.Large.Balance != matcher.NoColumn {
		r.balance = r.columns.Column(r.Set.Large.Balance, matcher.PartyAvg)
	}
	r.narrow()
	r.anyWait.Limits = make([]store.Limit, len(r.steps), 2*len(r.steps))
	for _, steps := range r.steps {
		x := ranges.Of(steps)
		r.anyWait.Limits = append(r.anyWait.Limits, store.Limit{Least: x.Low, Bound: x.High})
	}
	r.number(&r.anyWait)
	r.Last = r.StageAt(matcher.Never)
	return r
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
	case c.enclosing == nil:
		c.enclosing = enclosing
		r.certain = append(r.certain, c)
	}
}

// Begin sets the rows of the pool. It must be called before Load.
func (r *Rules) Begin(rows *store.Rows) { r.rows = rows }

// layoutsMax is the largest number of layouts that a search tracks. If there are more, rules
// about sums are evaluated like all other rules.
const layoutsMax = 64

// layout is a combination of team sizes that the ruleset allows. It includes the bounds on
// weighted sums that follow from the rules for these sizes.
type layout struct {
	sizes []float64 // number of players of each team
	sums  []sum
}

// sum is a bound on a weighted sum, and the rule from which the bound follows.
type sum struct {
	expression.Bound
	rule *rule
}

// arrange sets layouts, largest match first, if rules in certain bound sums. It sets none if a team
// may be empty or if there are more than layoutsMax. Type quick then checks these rules, and also
// the rules that only compare numbers of players.
func (r *Rules) arrange() {
	all := [][]float64{nil}
	for _, t := range r.Set.Teams {
		least, most := ranges.Of(t.Min).Low, ranges.Of(t.Max).High
		if least < 1 || (most-least+1)*float64(len(all)) > 1<<12 {
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
	var counted, summed []*rule
	first := r.StageAt(0)
	for _, c := range r.certain {
		if !c.countsPlayers() {
			continue
		}
		counted = append(counted, c)
		all = slices.DeleteFunc(all, func(sizes []float64) bool {
			e := evaluator{Group: expression.Sized(sizes), rules: r, stage: &first}
			return e.known(c) != holds
		})
	}
	if len(all) == 0 || len(all) > layoutsMax {
		return
	}
	var layouts []layout
	for _, sizes := range all {
		x := layout{sizes: sizes}
		for _, c := range r.certain {
			bounds, whole := c.bounds(sizes)
			for _, b := range bounds {
				x.sums = append(x.sums, sum{b, c})
				if c.column = b.Column; whole && !slices.Contains(summed, c) {
					summed = append(summed, c)
				}
			}
		}
		layouts = append(layouts, x)
	}
	players := func(x layout) (n float64) {
		for _, size := range x.sizes {
			n += size
		}
		return n
	}
	slices.SortStableFunc(layouts, func(a, b layout) int { return int(players(b) - players(a)) })
	if slices.ContainsFunc(layouts, func(x layout) bool { return len(x.sums) > 0 }) {
		r.layouts, r.summed = layouts, append(counted, summed...)
	}
	for _, c := range r.summed {
		c.quick = true
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

// names reports whether a rule reads only some of the teams.
func (r *Rules) names(of matcher.SeatRule) bool {
	c := r.byRule[of]
	return slices.ContainsFunc(slices.Concat(c.measured, c.with), func(x *expression.Expression) bool {
		return x != nil && x.Names(len(r.Set.Teams))
	})
}

// limit adds a limit with the given schedule and returns its index. It returns -1 if the schedule
// is empty.
func (r *Rules) limit(steps matcher.Steps[float64]) limit {
	if len(steps) == 0 {
		return -1
	}
	r.steps = append(r.steps, steps)
	return limit(len(r.steps) - 1)
}

// rule returns the compiled form of a rule.
func (r *Rules) rule(of matcher.SeatRule) *rule {
	c := &rule{of: of, party: of.Common().Party, least: -1, most: -1, far: -1, references: -1, column: -1}
	r.byRule[of] = c
	r.decideLate(c)
	switch of := of.(type) {
	case *matcher.Comparison:
		c.references = r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.Distance:
		c.least, c.most, c.references = r.limit(of.Min), r.limit(of.Max), r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.BatchDistance:
		c.column, c.most = r.columns.Column(of.Column, c.party), r.limit(of.Max)
	case *matcher.Collection:
		c.least, c.most, c.references = r.limit(of.Min), r.limit(of.Max), r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.Latency:
		c.most, c.far, c.reach = r.limit(of.Max), r.limit(of.MaxDistance), reach.NewEntries(r.schema, c.party, of.Max)
		r.reaches = append(r.reaches, c)
	case *matcher.Compound:
		c.statement = r.statement(of.Statement)
	}
	return c
}

// references adds a limit whose value is the index of the current reference, and returns the
// limit's index. It returns -1 if the rule has only one reference.
func (r *Rules) references(steps matcher.Steps[matcher.Reference]) limit {
	if len(steps) < 2 {
		return -1
	}
	return r.limit(ranges.Indexes(steps))
}

// Evaluations returns how often each rule in SeatRules.Rules was evaluated. The list has one more
// element, for the team sizes, which is always zero.
func (r *Rules) Evaluations() []matcher.Evaluations {
	list := make([]matcher.Evaluations, len(r.Set.Rules)+1)
	for i, of := range r.Set.Rules {
		list[i] = r.byRule[of].counts
	}
	return list
}

// read compiles the expressions of a rule. It must be called before any row is loaded.
func (r *Rules) read(c *rule, measured []*matcher.Expression, references matcher.Steps[matcher.Reference]) {
	for _, x := range measured {
		c.measured = append(c.measured, r.columns.Compile(x, c.party))
	}
	for i := range references {
		var with *expression.Expression
		if x := references[i].Value.Expression; x != nil {
			with = r.columns.Compile(x, c.party)
		}
		c.with = append(c.with, with)
	}
}

func (r *Rules) statement(s *matcher.Statement) *statement {
	c := &statement{operator: s.Operator}
	if s.Rule != nil {
		c.rule = r.byRule[s.Rule]
	}
	for _, part := range s.Parts {
		c.parts = append(c.parts, r.statement(part))
	}
	return c
}

// StageAt returns the limits that apply at a given wait, in ms. The first half of Stage.Limits
// contains the value of each limit. The second half contains the range of values that each limit
// may still have in the finished match, assuming that a ticket with this wait determines the
// stage so far.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	var spans []store.Limit
	for _, steps := range r.steps {
		now, ok := steps.At(waitMS)
		if !ok {
			now = math.NaN()
		}
		stage.Limits = append(stage.Limits, store.Limit{Least: now, Bound: now, Active: ok})
		s := ranges.Exactly(now)
		for _, step := range steps {
			if step.AfterMS > waitMS {
				stage.UntilMS = min(stage.UntilMS, step.AfterMS)
			}
			if (step.AfterMS <= waitMS) != r.Set.Oldest { // as tickets join, the wait that counts can only shrink or, with Oldest, only grow
				s = span{Low: min(s.Low, step.Value), High: max(s.High, step.Value)}
			}
		}
		spans = append(spans, store.Limit{Least: s.Low, Bound: s.High, Active: ok})
	}
	stage.Limits = append(stage.Limits, spans...)
	r.number(&stage)
	return stage
}

// number sets the levels of the bounds of latency rules.
func (r *Rules) number(stage *store.Stage) {
	for _, c := range r.reaches {
		for _, complete := range []bool{true, false} {
			if c.most >= 0 {
				l := r.limitAt(stage, complete, c.most)
				l.Level = c.reach.Level(l.Bound)
			}
		}
	}
}

// limitAt returns a limit of a stage. Limit.Least and Limit.Bound are the range of its values. If
// complete is set, they are equal.
func (r *Rules) limitAt(stage *store.Stage, complete bool, l limit) *store.Limit {
	if !complete {
		l += limit(len(r.steps))
	}
	return &stage.Limits[l]
}

// limitsAt returns the range of values of a limit in a stage. If complete is set, the range is a
// single value. The range is NaN if the limit is absent.
func (r *Rules) limitsAt(stage *store.Stage, complete bool, l limit) span {
	x := r.limitAt(stage, complete, l)
	return span{Low: x.Least, High: x.Bound}
}

// levelAt returns the index of a latency rule's current bound in the result of Entries.ByLevel.
func (r *Rules) levelAt(stage *store.Stage, complete bool, c *rule) int32 {
	if c.most < 0 {
		return c.reach.Level(math.Inf(1)) - 1
	}
	return r.limitAt(stage, complete, c.most).Level - 1
}

// Load stores the values of a ticket.
func (r *Rules) Load(row Row, t *matcher.Ticket) {
	r.columns.Load(row, t.Players)
	for _, x := range r.times {
		x.Load(row, t.Players, t.From)
	}
	for i := range r.sorts {
		r.sorts[i].Load(row, t.Players)
	}
	if r.Set.Large != nil && r.Set.Large.FastestRegion { // finding it for every candidate of every seed took most of a day's time
		r.fastest = expression.Grow(r.fastest, int(row))
		r.fastest[row] = r.fastestOf(row)
	}
}

// Enter stores the values of a player in a session and returns the player's entry.
func (r *Rules) Enter(p matcher.Player, at matcher.Region) int32 {
	member := r.columns.Enter(p)
	for _, x := range r.times {
		x.Enter(Row(member), p, at)
	}
	return int32(member)
}

// Leave removes a session player's values.
func (r *Rules) Leave(player int32) { r.columns.Leave(expression.Entry(player)) }

// AddPlace stores the round-trip times of a place and returns the place's number.
func (r *Rules) AddPlace(rttMS []float64) matcher.Place {
	if len(r.times) == 0 {
		return 1 // any value except NoPlace, because no rule reads places
	}
	var tables []*reach.Table
	for _, x := range r.times {
		x.Learn()
		tables = append(tables, x.Tickets)
	}
	return reach.AddPlace(rttMS, tables...)
}

// Least returns the smallest number of players that a match around a seed may have at its current
// wait.
func (r *Rules) Least(seed Row) int32 {
	least := 0.0
	for _, t := range r.teams {
		least += max(0, r.limitsAt(r.rows.Stage[seed], false, t.least).Low)
	}
	return int32(least)
}

// Sorts reports whether the rules sort candidates. Otherwise, they are in order of age.
func (r *Rules) Sorts() bool { return len(r.sorts) > 0 }

// order sorts the candidates of a seed by the first sort rule, then by the next ones, and finally
// by age.
func (r *Rules) order(list []Row, seed Row) {
	slices.SortFunc(list, func(a, b Row) int {
		for i := range r.sorts {
			s := &r.sorts[i]
			x, y := s.Value(&r.columns, seed, a), s.Value(&r.columns, seed, b)
			order := cmp.Compare(x, y)
			if s.Descending && !math.IsInf(x, 1) && !math.IsInf(y, 1) {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return r.rows.Compare(a, b)
	})
}

// CompareSorted compares two rows by the attributes in SeatRules.SortBy. A session has no
// attributes, so it counts as 0 or as an empty text.
func (r *Rules) CompareSorted(a, b Row) int {
	cell := func(row Row, column int) *expression.Cell {
		if r.rows.Kind[row] == store.Ticket {
			return r.columns.Cell(column, entry(row))
		}
		return &expression.Cell{}
	}
	for _, column := range r.sortBy {
		if order := cell(a, column).Compare(cell(b, column), r.schema); order != 0 {
			return order
		}
	}
	return 0
}
