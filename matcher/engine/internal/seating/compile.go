package seating

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/engine/internal/within"
)

// Rules are compiled SeatRules.
type Rules struct {
	Set   *matcher.SeatRules
	Index candidate.Rules
	All   []criterion.Criterion // criteria that narrow the candidates
	ByAge bool                  // the sort key of the index is the wait

	rows       *store.Rows
	schema     *matcher.Schema
	enforced   []*rule
	byRule     map[matcher.SeatRule]*rule
	latencies  []*rule // subset of certain: all must hold in the same region
	certain    []*rule // enforced rules, and rules that an enforced "and" names
	regions    []*rule // subset of certain: rules about regions without a distance; those of latencies come first
	spreads    []spread
	agreements []agreement // subset of certain
	quotas     []quota     // subset of certain
	layouts    []layout    // the possible sizes of the teams, if a rule bounds sums
	summed     []*rule     // the rules that layouts decides
	sorts      []sorting
	sortBy     []int // columns
	balance    int   // column of LargeMatches
	teams      []teamLimits
	fixedSizes bool                     // of teams
	symmetric  bool                     // every expression reads all teams
	steps      []matcher.Steps[float64] // by limit
	columns    expression.Columns
	narrowing  []narrowing
}

// teamLimits are the bounds of one team's size.
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
			r.sorts = append(r.sorts, sorting{Sort: sort, column: r.columns.Column(sort.Column, c.party)})
			continue
		}
		if of.Common().Named {
			continue
		}
		r.enforced, r.certain = append(r.enforced, c), append(r.certain, c)
		r.located(c)
	}
	for _, c := range r.enforced {
		if c.statement != nil {
			r.conjoin(c, c.statement)
		}
	}
	for _, c := range r.certain {
		if x, ok := r.spreadOf(c); ok {
			r.spreads = append(r.spreads, x)
		}
		if a, ok := r.agreementOf(c); ok {
			c.quick, c.column = true, a.column
			r.agreements = append(r.agreements, a)
		}
		if q, ok := r.quotaOf(c); ok && len(r.quotas) < quotasMax {
			r.quotas = append(r.quotas, q)
		}
	}
	r.arrange()
	r.symmetric = !slices.ContainsFunc(r.Set.Rules, r.names)
	r.fixedSizes = !slices.ContainsFunc(r.Set.Teams, func(t matcher.SeatTeam) bool { return len(t.Min)+len(t.Max) > 2 })
	for _, at := range r.Set.SortBy {
		r.sortBy = append(r.sortBy, r.columns.Column(at, matcher.PartyAvg))
	}
	if r.Set.Large != nil {
		r.columns.RTT(matcher.PartyMax) // the fastest region of a ticket
		if r.Set.Large.Balance != matcher.NoColumn {
			r.balance = r.columns.Column(r.Set.Large.Balance, matcher.PartyAvg)
		}
	}
	r.narrow(set)
	return r
}

// located adds a rule that requires a region in every match.
func (r *Rules) located(c *rule) {
	if _, ok := c.of.(*matcher.Latency); ok {
		r.latencies = append(r.latencies, c)
		r.columns.RTT(matcher.PartyMax) // by which a region is chosen
		r.reaches(c)
	}
}

// reaches makes a rule about regions checkable by bits.
func (r *Rules) reaches(c *rule) {
	if of, ok := c.of.(*matcher.Latency); ok && c.far < 0 && c.reach == nil {
		c.quick, c.reach = true, within.New(c.column, of.Max)
		r.regions = append(r.regions, c)
	}
}

// conjoin marks the rules as certain that an enforced compound combines by "and".
func (r *Rules) conjoin(within *rule, s *statement) {
	if s.operator == "and" {
		for _, part := range s.parts {
			r.conjoin(within, part)
		}
	}
	c := s.rule
	switch {
	case c == nil:
	case c.statement != nil:
		r.conjoin(within, c.statement)
	case c.within == nil:
		c.within = within
		r.certain = append(r.certain, c)
		r.located(c)
	}
}

// Begin sets the rows of the pool.
func (r *Rules) Begin(rows *store.Rows) { r.rows = rows }

// layoutsMax bounds the layouts that are considered one by one.
const layoutsMax = 64

// layout is the sizes that the teams of a match may have, and the bounds on weighted sums of
// numbers that rules then imply.
type layout struct {
	sizes []float64 // by team
	sums  []sum
}

// sum is a bound on a weighted sum that follows from a rule.
type sum struct {
	expression.Bound
	rule *rule
}

// arrange finds the layouts, those with most players first, if rules bound sums. Such rules and
// comparisons of the numbers of players are then quick.
func (r *Rules) arrange() {
	all := [][]float64{nil}
	for _, t := range r.Set.Teams {
		least, most := rangeOf(t.Min).Low, rangeOf(t.Max).High
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
	for _, c := range r.certain {
		if !c.countsPlayers() {
			continue
		}
		counted = append(counted, c)
		all = slices.DeleteFunc(all, func(sizes []float64) bool {
			e := evaluator{Group: expression.Sized(sizes), rules: r}
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

// countsPlayers reports whether a rule always compares numbers of players only.
func (c *rule) countsPlayers() bool {
	of, ok := c.of.(*matcher.Comparison)
	if !ok || len(of.Reference) > 1 {
		return false
	}
	other := func(x *expression.Expression) bool { return x != nil && !x.CountsPlayers() }
	return !slices.ContainsFunc(c.measured, other) && !slices.ContainsFunc(c.with, other)
}

// bounds returns the bounds on weighted sums that follow from a rule in teams of some sizes;
// whole is set if nothing else follows from it.
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

// limit returns the index of a number that changes with the wait; -1 if it is absent.
func (r *Rules) limit(steps matcher.Steps[float64]) limit {
	if len(steps) == 0 {
		return -1
	}
	r.steps = append(r.steps, steps)
	return limit(len(r.steps) - 1)
}

// rule compiles a rule.
func (r *Rules) rule(of matcher.SeatRule) *rule {
	c := &rule{of: of, party: of.Common().Party, least: -1, most: -1, far: -1, references: -1, column: -1}
	r.byRule[of] = c
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
		c.column, c.most, c.far = r.columns.RTT(c.party), r.limit(of.Max), r.limit(of.MaxDistance)
	case *matcher.Compound:
		c.statement = r.statement(of.Statement)
	}
	return c
}

// references returns the index of the limit whose value is the number of the current reference;
// -1 if there is only one reference.
func (r *Rules) references(steps matcher.Steps[matcher.Reference]) limit {
	if len(steps) < 2 {
		return -1
	}
	var places matcher.Steps[float64]
	for i, s := range steps {
		places = append(places, matcher.Step[float64]{AfterMS: s.AfterMS, Value: float64(i)})
	}
	return r.limit(places)
}

// Evaluations returns the number of evaluations of each rule, in the order of SeatRules.Rules,
// followed by zeros for the sizes of teams.
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

// StageAt returns the state of all rules after a wait, in ms: the narrowing criteria, then each
// limit, then the range of each limit over all waits that the group may still have.
func (r *Rules) StageAt(waitMS int64) store.Stage {
	stage := store.Stage{UntilMS: matcher.Never}
	for _, c := range r.All {
		l, until := c.At(waitMS)
		stage.Limits, stage.UntilMS = append(stage.Limits, l), min(stage.UntilMS, until)
	}
	var spans []store.Limit
	for _, steps := range r.steps {
		now, ok := steps.At(waitMS)
		if !ok {
			now = math.NaN()
		}
		stage.Limits = append(stage.Limits, store.Limit{Bound: now, Active: ok})
		s := exactly(now)
		for _, step := range steps {
			if step.AfterMS > waitMS {
				stage.UntilMS = min(stage.UntilMS, step.AfterMS)
			}
			if (step.AfterMS <= waitMS) != r.Set.Oldest { // a newer ticket may join, or with Oldest, the wait can only grow
				s = span{Low: min(s.Low, step.Value), High: max(s.High, step.Value)}
			}
		}
		spans = append(spans, store.Limit{Least: s.Low, Bound: s.High, Active: ok})
	}
	stage.Limits = append(stage.Limits, spans...)
	for _, c := range r.regions {
		for _, complete := range []bool{true, false} {
			if c.most >= 0 {
				l := r.limitAt(&stage, complete, c.most)
				l.Level = c.reach.Level(l.Bound)
			}
		}
	}
	return stage
}

// limitAt returns a limit of a stage: if complete, its value in Bound; otherwise its range from
// Least to Bound.
func (r *Rules) limitAt(stage *store.Stage, complete bool, l limit) *store.Limit {
	at := len(r.All) + int(l)
	if !complete {
		at += len(r.steps)
	}
	return &stage.Limits[at]
}

// limitsAt returns a limit of a stage, as an exact value or as a range. NaN means that it is
// absent.
func (r *Rules) limitsAt(stage *store.Stage, complete bool, l limit) span {
	x := r.limitAt(stage, complete, l)
	if complete {
		return span{Low: x.Bound, High: x.Bound}
	}
	return span{Low: x.Least, High: x.Bound}
}

// levelAt returns the index of a region rule's bound in the bounds of its reach.
func (r *Rules) levelAt(stage *store.Stage, complete bool, c *rule) int32 {
	if c.most < 0 {
		return int32(len(c.reach.All()) - 1)
	}
	return r.limitAt(stage, complete, c.most).Level
}

// Load reads a ticket.
func (r *Rules) Load(row Row, t *matcher.Ticket) {
	r.columns.Load(row, t.Players, t.From)
	for _, c := range r.regions {
		c.reach.Load(row, &r.columns, t.From)
	}
	for _, n := range r.narrowing {
		n.load(r, row, t)
	}
	for i := range r.sorts {
		r.sorts[i].load(row, t.Players)
	}
}

// Seat reads a player of a session and returns its entry.
func (r *Rules) Seat(p matcher.Player, at matcher.Region) int32 {
	who := r.columns.Seat(p, at)
	for _, c := range r.regions {
		c.reach.Seat(who, &r.columns)
	}
	return int32(who)
}

// Clear drops the data of a row.
func (r *Rules) Clear(row Row) {
	for _, c := range r.All {
		c.Clear(row)
	}
}

// AddPlace stores the round-trip times of a place and returns their number.
func (r *Rules) AddPlace(rttMS []float64) int32 {
	return r.columns.AddPlace(rttMS)
}

// Largest returns the number of players of the largest team, over all waits.
func (r *Rules) Largest() int {
	most := 0.0
	for i := range r.Set.Teams {
		for _, s := range r.Set.Teams[i].Max {
			most = max(most, s.Value)
		}
	}
	return int(most)
}

// Least returns the smallest possible number of players of a match around a seed.
func (r *Rules) Least(seed Row) int32 {
	least := 0.0
	for _, t := range r.teams {
		least += max(0, r.limitsAt(r.rows.Stage[seed], false, t.least).Low)
	}
	return int32(least)
}

// order sorts candidates for a seed: by the sort rules, in their order, then by age.
func (r *Rules) order(list []Row, seed Row) {
	slices.SortFunc(list, func(a, b Row) int {
		for i := range r.sorts {
			s := &r.sorts[i]
			x, y := s.value(&r.columns, seed, a), s.value(&r.columns, seed, b)
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

// CompareSorted compares rows by SeatRules.SortBy: numbers by value, and texts by spelling.
// Sessions have no values and count as zeros.
func (r *Rules) CompareSorted(a, b Row) int {
	text := func(c expression.Cell) string {
		if len(c.Texts) == 0 {
			return ""
		}
		return r.schema.TextString(c.Texts[0])
	}
	for _, column := range r.sortBy {
		x, y := r.valueOf(column, a), r.valueOf(column, b)
		if order := cmp.Or(cmp.Compare(x.Number, y.Number), cmp.Compare(text(x), text(y))); order != 0 {
			return order
		}
	}
	return 0
}

// valueOf returns the value of a row in a column; a session has none.
func (r *Rules) valueOf(column int, row Row) expression.Cell {
	if r.rows.Kind[row] == store.Ticket {
		return *r.columns.Cell(column, entry(row))
	}
	return expression.Cell{}
}
