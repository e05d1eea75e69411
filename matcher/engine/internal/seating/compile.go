package seating

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// Rules is the compiled form of SeatRules.
type Rules struct {
	Set   *matcher.SeatRules
	Index candidate.IndexRules
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
	alone      []*rule          // the rules of checks.Alone
	single     evaluator        // evaluates them for a ticket alone
	checks     quick.Checks     // derived from rules in certain. Regions are those of latencies without Latency.MaxDistance
	sorts      []expression.Sorting
	sortBy     []int            // columns
	balance    int              // the column of LargeMatches.Balance
	fastest    []matcher.Region // indexed by row: the result of fastestOf, with LargeMatches.FastestRegion
	teams      []quick.TeamSize
	fixedSizes bool                     // no team's size limits change with the wait
	anyWait    store.Stage              // the range of each limit over all waits; its exact values are unset
	Last       store.Stage              // the stage after all steps, in which every limit that the index uses is widest
	symmetric  bool                     // no expression distinguishes teams
	steps      []matcher.Steps[float64] // the schedule of each limit
	columns    expression.Columns
}

// Compile compiles the rules of a ruleset.
func Compile(set *matcher.Ruleset, schema *matcher.Schema) *Rules {
	r := &Rules{Set: set.Seats, schema: schema, byRule: map[matcher.SeatRule]*rule{}}
	for i := range r.Set.Teams {
		t := &r.Set.Teams[i]
		r.teams = append(r.teams, quick.TeamSize{Least: r.limit(t.Min), Most: r.limit(t.Max), Varies: set.Varies(i)})
	}
	for i, of := range r.Set.Rules {
		c := r.rule(of)
		c.Index = i
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
	r.derive()
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
		r.times = append(r.times, c.Reach)
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

// Begin sets the rows of the pool. It must be called before Load.
func (r *Rules) Begin(rows *store.Rows) {
	r.rows = rows
	r.single = r.evaluator()
	r.single.Stage, r.single.Explains = &r.anyWait, true
	for team := range r.single.Room {
		r.single.Room[team] = 1
	}
}

// evaluator returns an evaluator of a group without players.
func (r *Rules) evaluator() (e evaluator) {
	teams := len(r.teams)
	e.rules, e.schema, e.Columns, e.Rows, e.Teams = r, r.schema, &r.columns, r.rows, r.teams
	e.Domains = r.columns.Domains()
	e.Sides, e.Counts, e.Room, e.Needs = make([][]entry, teams), make([]int32, teams), make([]int32, teams), make([]bool, teams)
	return e
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
func (r *Rules) limit(steps matcher.Steps[float64]) quick.Limit {
	if len(steps) == 0 {
		return -1
	}
	r.steps = append(r.steps, steps)
	return quick.Limit(len(r.steps) - 1)
}

// rule returns the compiled form of a rule.
func (r *Rules) rule(of matcher.SeatRule) *rule {
	c := &rule{Rule: quick.Rule{Least: -1, Most: -1}, of: of, party: of.Common().Party, far: -1, references: -1, column: -1}
	r.byRule[of] = c
	r.decideLate(c)
	switch of := of.(type) {
	case *matcher.Comparison:
		c.references = r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.Distance:
		c.Least, c.Most, c.references = r.limit(of.Min), r.limit(of.Max), r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.BatchDistance:
		c.column, c.Most = r.columns.Column(of.Column, c.party), r.limit(of.Max)
	case *matcher.Collection:
		c.Least, c.Most, c.references = r.limit(of.Min), r.limit(of.Max), r.references(of.Reference)
		r.read(c, of.Measured, of.Reference)
	case *matcher.Latency:
		c.Most, c.far, c.Reach = r.limit(of.Max), r.limit(of.MaxDistance), reach.NewEntries(r.schema, c.party, of.Max)
		r.reaches = append(r.reaches, c)
	case *matcher.Compound:
		c.statement = r.statement(of.Statement)
	}
	return c
}

// references adds a limit whose value is the index of the current reference, and returns the
// limit's index. It returns -1 if the rule has only one reference.
func (r *Rules) references(steps matcher.Steps[matcher.Reference]) quick.Limit {
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
		list[i] = r.byRule[of].Counts
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

// StageAt returns the limits that apply at a given wait, in ms: the value of each limit and then the
// range of its values (see quick.Limit), assuming that a ticket with this wait determines the stage so
// far.
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
			if c.Most >= 0 {
				l := c.Most.Of(stage, complete)
				l.Level = c.Reach.Level(l.Bound)
			}
		}
	}
}

// Load stores the values of a ticket.
func (r *Rules) Load(row Row, t *matcher.Ticket) {
	r.columns.Load(row, t.Players)
	for i, c := range r.alone {
		teams := expression.Grow(r.checks.Alone[i].Teams, int(row))
		teams[row] = r.single.teamsOf(c, row)
		r.checks.Alone[i].Teams = teams
	}
	r.checks.Load(&r.columns, row)
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

// teamsOf returns a mask of the teams that a rule about players alone allows a ticket to join.
func (e *evaluator) teamsOf(c *rule, row Row) (teams uint64) {
	for team := range e.Sides {
		e.Sides[team], e.Counts[team] = append(e.Sides[team], entry(row)), e.Columns.Count(entry(row))
		if e.evaluate(c) != fails {
			teams |= 1 << team
		}
		e.Sides[team], e.Counts[team] = e.Sides[team][:0], 0
	}
	return teams
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
		if t.Varies {
			continue
		}
		least += max(0, t.Least.At(r.rows.Stage[seed], false).Low)
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
