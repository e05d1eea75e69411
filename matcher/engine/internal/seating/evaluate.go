package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// evaluator says what rules make of a group: of one that is complete, or of one that others
// may still join.
type evaluator struct {
	rules    *Rules
	schema   *matcher.Schema
	columns  *columns
	stage    *store.Stage // by which the group goes; nil: nobody's wait counts yet
	sides    [][]entry    // by team
	counts   []int32      // players by team
	complete bool
	explains bool    // evaluations are not counted
	room     []int32 // by team: players that may still join
	needs    []bool  // by team: it needs a player at any wait
	arena    []value
	quick    *quick
	tickets  int // of the group
}

// at returns a limit as it holds for the group.
func (e *evaluator) at(l limit) span { return e.rules.limitsAt(e.stage, e.complete, l) }

// limit is a number of a rule or a team that changes with the wait: its place among the
// limits of a stage; -1: there is none.
type limit int

// list appends values to the arena and returns them as a list.
func (e *evaluator) keep(values []value) []value {
	from := len(e.arena)
	e.arena = append(e.arena, values...)
	return e.arena[from:len(e.arena):len(e.arena)]
}

// path returns the values of a path: one for each player, in a list for each team.
func (e *evaluator) path(x *matcher.Expression, party matcher.Aggregation) value {
	if x.Field == matcher.InRules {
		return e.texts(x.Texts)
	}
	column := -1
	if x.Field == matcher.InColumn {
		column = e.columns.column(x.Column, party)
	}
	var few [8]value
	teams := few[:0]
	for _, team := range x.Teams {
		v := e.side(team, column, x)
		if !x.PerTeam {
			return v
		}
		teams = append(teams, v)
	}
	return value{isList: true, list: e.keep(teams)}
}

// side returns the values of the players of a team.
func (e *evaluator) side(team, column int, x *matcher.Expression) value {
	var few [16]value
	players := few[:0]
	for _, who := range e.sides[team] {
		if column < 0 {
			for range e.columns.count(who) {
				players = append(players, value{})
			}
			continue
		}
		c := e.columns.cell(column, who)
		var one value
		switch {
		case c.kind == matcher.IsNumber:
			one.span = exactly(c.number)
		case c.kind == matcher.IsSet:
			one = e.texts(c.texts)
		default:
			for _, t := range c.texts {
				players = append(players, value{text: t})
			}
			continue
		}
		for range e.columns.count(who) {
			players = append(players, one)
		}
	}
	v := value{isList: true, list: e.keep(players)}
	if !e.complete {
		v.more, v.some = int(e.room[team]), e.needs[team]
	}
	return v
}

// texts returns a list of texts.
func (e *evaluator) texts(list []matcher.Text) value {
	from := len(e.arena)
	for _, t := range list {
		e.arena = append(e.arena, value{text: t})
	}
	return value{isList: true, list: e.arena[from:len(e.arena):len(e.arena)]}
}

// evaluate returns the value of an expression.
func (e *evaluator) evaluate(x *matcher.Expression, party matcher.Aggregation) value {
	if x.Function == matcher.NoFunction {
		return e.path(x, party)
	}
	if v, ok := e.overall(x, party); ok {
		return v
	}
	return e.apply(x, e.evaluate(x.Argument, party), x.Argument.Depth, e.domain(x, party))
}

// domain returns where the numbers lie that may still come into an expression's path.
func (e *evaluator) domain(x *matcher.Expression, party matcher.Aggregation) span {
	for x.Function != matcher.NoFunction {
		x = x.Argument
	}
	if x.Field != matcher.InColumn {
		return span{}
	}
	column := e.columns.column(x.Column, party)
	c := &e.columns.list[column]
	d := span{c.lowest, c.most}
	for i := range e.quick.numbers {
		if s := &e.quick.numbers[i]; s.column == column && e.tickets > 0 && !e.complete {
			seated, most := e.quick.depths[e.tickets].spans[i], s.most(e.rules, e.stage, false)
			d = span{max(d.low, seated.high-most), min(d.high, seated.low+most)}
		}
	}
	return d
}

// apply applies a function to a value of some depth. On lists in lists it works on each,
// but for flatten, which takes the outermost away.
func (e *evaluator) apply(x *matcher.Expression, of value, depth int, domain span) value {
	inner := 1
	if x.Function == matcher.SetIntersection {
		inner = 2
	}
	switch {
	case x.Function == matcher.Flatten:
		return e.flatten(of)
	case depth > inner:
		var few [8]value
		all := value{isList: true, more: of.more}
		list := few[:0]
		for i := range of.list {
			if v := e.apply(x, of.list[i], depth-1, domain); !v.none {
				list = append(list, v)
			}
		}
		all.list = e.keep(list)
		return all
	case x.Function == matcher.SetIntersection:
		return e.intersection(of)
	case x.Function == matcher.Count:
		v := value{span: span{float64(len(of.list)), float64(len(of.list) + of.more)}}
		if of.fewer {
			v.low = 0
		}
		return v
	}
	s, ok := reduce(x.Function, of.list, of.more, domain)
	v := value{span: s, none: !ok}
	sure := func(v value) bool { return !v.doubt }
	v.doubt = ok && x.Function != matcher.Sum && !of.some && !slices.ContainsFunc(of.list, sure)
	return v
}

// flatten takes one level of lists away. How many texts the lists of those hold who may
// still join is not known.
func (e *evaluator) flatten(of value) value {
	var few [16]value
	all := value{isList: true}
	list := few[:0]
	for i := range of.list {
		v := &of.list[i]
		list = append(list, v.list...)
		all.more += v.more
		all.some = all.some || v.some
		all.fewer = all.fewer || v.fewer
	}
	if of.more > 0 {
		all.more = math.MaxInt32
	}
	all.list = e.keep(list)
	return all
}

// intersection returns the texts that all lists hold, each once.
func (e *evaluator) intersection(of value) value {
	var few [16]value
	v := value{isList: true, fewer: of.more > 0}
	if len(of.list) == 0 {
		if of.more > 0 {
			v.more = math.MaxInt32
		}
		return v
	}
	list := few[:0]
	for _, t := range of.list[0].list {
		missing := func(other value) bool { return indexText(other.list, t.text) < 0 }
		if indexText(list, t.text) < 0 && !slices.ContainsFunc(of.list, missing) {
			list = append(list, t)
		}
	}
	for i := range of.list {
		v.fewer = v.fewer || of.list[i].fewer
	}
	v.list = e.keep(list)
	return v
}

// leaves appends the values of a list in lists, and tells whether more may come.
func leaves(dst []value, v value) (all []value, more bool) {
	if !v.isList {
		if v.none {
			return dst, false
		}
		return append(dst, v), false
	}
	more = v.more > 0
	for i := range v.list {
		var inner bool
		dst, inner = leaves(dst, v.list[i])
		more = more || inner
	}
	return dst, more
}

// overall is evaluate for min, max, avg and sum over the numbers of players, in one list: it
// adds them up without making the list, which took two thirds of a day with team averages.
func (e *evaluator) overall(x *matcher.Expression, party matcher.Aggregation) (v value, ok bool) {
	switch x.Function {
	case matcher.Min, matcher.Max, matcher.Avg, matcher.Sum:
	default:
		return value{}, false
	}
	path := x.Argument
	for path.Function == matcher.Flatten {
		path = path.Argument
	}
	if path.Function != matcher.NoFunction || path.Field != matcher.InColumn || path.Base != matcher.Numbers || path.PerTeam && path == x.Argument {
		return value{}, false
	}
	column := e.columns.column(path.Column, party)
	n, more, sum, lowest, highest := 0, 0, 0.0, math.Inf(1), math.Inf(-1)
	for _, team := range path.Teams {
		for _, who := range e.sides[team] {
			number := e.columns.cell(column, who).number
			lowest, highest = min(lowest, number), max(highest, number)
			for range e.columns.count(who) { // as a list would be added up
				sum += number
				n++
			}
		}
		if !e.complete {
			more += int(e.room[team])
		}
	}
	if n == 0 {
		return value{}, false
	}
	v.span = known(x.Function, float64(n), float64(more), sum, lowest, highest, e.domain(x, party))
	return v, true
}

// known returns where the value of a function over n numbers lies, to which more within a
// domain may come.
func known(f matcher.Function, n, more, sum, lowest, highest float64, domain span) span {
	if more == 0 {
		domain = span{math.Inf(1), math.Inf(-1)}
	}
	switch f {
	case matcher.Min:
		return span{min(lowest, domain.low), lowest}
	case matcher.Max:
		return span{highest, max(highest, domain.high)}
	case matcher.Sum:
		if more == 0 {
			return exactly(sum)
		}
		return span{sum + more*min(0, domain.low), sum + more*max(0, domain.high)}
	}
	mean := exactly(sum / n)
	if more > 0 {
		mean.low = min(mean.low, (sum+more*domain.low)/(n+more))
		mean.high = max(mean.high, (sum+more*domain.high)/(n+more))
	}
	return mean
}
