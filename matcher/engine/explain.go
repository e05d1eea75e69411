package engine

import (
	"math"
	"slices"
	"sort"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Why is the kind of reason that keeps two tickets apart.
type Why uint8

// The kinds of reasons.
const (
	MayMeet Why = iota // nothing: the group, its size or its teams prevented the match
	TooMany            // together they have more players than a match holds
	ByRule             // see Obstacle.Rule
)

// Obstacle is the first reason that keeps a ticket apart from another, or from a session.
type Obstacle struct {
	Other  Row
	Why    Why
	Rule   int     // with ByRule, index in Ruleset.RuleNames; -1: the reason applies only to sessions
	Value  float64 // the value that the rule compares: the difference; the number of shared elements; the sum; the lowest worst RTT in a common region, +Inf without one; NaN for texts
	Bound  float64 // the current threshold; with TooMany the number of seats
	Words  string  // the comparison of Value with Bound in words; with ByRule, empty with pivot rules
	Name   string  // with pivot rules, the name of the rule instead of Rule
	OpenMS int64   // first instant at which this rule lets them meet, if both wait until then; matcher.Never
}

// Excess returns the difference between the value and the bound; NaN for texts.
func (o Obstacle) Excess() float64 { return math.Abs(o.Value - o.Bound) }

// Explain returns, for a ticket or session and each possible partner in order of age, the first
// rule in the order of the ruleset that keeps the two apart at an instant. It makes no
// decisions; call it before Pass to ask about tickets that the pass will match.
func (p *Pool) Explain(nowMS int64, row Row) []Obstacle {
	p.rows.Advance(nowMS)
	var others []Row
	for other, kind := range p.rows.Kind {
		if Row(other) != row && (kind == store.Ticket || kind == store.Session && p.rows.Kind[row] == store.Ticket) {
			others = append(others, Row(other))
		}
	}
	slices.SortFunc(others, p.rows.Compare)
	list := make([]Obstacle, len(others))
	for i, other := range others {
		list[i] = p.method.obstacle(row, other)
	}
	return list
}

// Evaluations returns how often the passes so far evaluated each rule of Ruleset.RuleNames. It
// returns nil unless the ruleset has SeatRules, because other methods do not count. A search
// that is known to fail is not repeated and not counted.
func (p *Pool) Evaluations() []matcher.Evaluations {
	if s, counts := p.method.(*seats); counts {
		return s.rules.Evaluations()
	}
	return nil
}

// Apart counts the reasons that keep tickets apart from others. The zero value is ready to use.
type Apart struct {
	MayMeet int   // nothing: the group, its size or its teams prevented the match
	TooMany int   // together they have more players than a match holds
	ByRule  []int // by index in Ruleset.RuleNames: this is the first rule that keeps them apart
}

// KeptApart counts the reasons that keep a ticket apart from each other ticket at an instant in
// ms. It makes no decisions. Ask about expiring tickets before the Pass that removes them.
// Cost: one comparison for each waiting ticket.
func (p *Pool) KeptApart(nowMS int64, row Row, into *Apart) {
	p.rows.Advance(nowMS)
	for len(into.ByRule) < len(p.names) {
		into.ByRule = append(into.ByRule, 0)
	}
	p.all.settle()
	for i := range p.all.members {
		other := p.all.members[i].Row
		if other == row {
			continue
		}
		switch why, rule := p.method.keepsApart(row, other); why {
		case MayMeet:
			into.MayMeet++
		case TooMany:
			into.TooMany++
		default:
			into.ByRule[rule]++
		}
	}
}

// Expiring appends the tickets that would expire in a Pass at an instant in ms, in order of
// age. It changes nothing. Cost: a step per waiting ticket.
func (p *Pool) Expiring(dst []Row, nowMS int64) []Row {
	p.all.settle()
	for i := range p.all.members {
		if row := p.all.members[i].Row; p.rows.GivesUpMS(row) <= nowMS {
			dst = append(dst, row)
		}
	}
	return dst
}

// roles returns which of two rows is the seed: the session, or the older ticket.
func (p *Pool) roles(a, b Row) (seed, candidate Row) {
	rows := p.rows
	if rows.Kind[b] == store.Session || rows.Kind[a] == store.Ticket && rows.Older(b, a) {
		return b, a
	}
	return a, b
}

// keepsApart implements method.
func (g *groups) keepsApart(a, b Row) (why Why, rule int) {
	p := g.pool
	if players := int(p.rows.Players[a] + p.rows.Players[b]); players > min(g.seats(a), g.seats(b)) {
		return TooMany, 0
	}
	if at, apart := g.rules.KeepsApart(p.rows, a, b); apart {
		return ByRule, at
	}
	return MayMeet, 0
}

// seats returns the number of players that a match around a seed may have.
func (g *groups) seats(seed Row) int {
	if s := g.pool.details[seed]; s != nil {
		return s.Capacity
	}
	return g.pool.rules.MaxPlayers
}

// obstacle implements method.
func (g *groups) obstacle(a, b Row) Obstacle {
	p := g.pool
	o := Obstacle{Other: b, OpenMS: matcher.Never}
	switch o.Why, o.Rule = g.keepsApart(a, b); o.Why {
	case TooMany:
		o.Value, o.Bound = float64(p.rows.Players[a]+p.rows.Players[b]), float64(min(g.seats(a), g.seats(b)))
	case ByRule:
		o.Value, o.Bound, o.Words = g.rules.Observed(p.rows, o.Rule, a, b)
		o.OpenMS = g.opens(o.Rule, a, b)
	}
	return o
}

// opens returns the first instant, from now on, at which a rule lets two rows meet.
func (g *groups) opens(rule int, a, b Row) int64 {
	p, settings := g.pool, g.rules.All[rule].Rule()
	old, young := p.rows.ByWait(a, b)
	basis, last := old, young // basis: its wait sets the stage; last: its wait makes the rule optional
	if g.rules.Basis.Shortest {
		basis = young
	}
	if g.rules.Basis.Any {
		last = old
	}
	first := matcher.Never
	if settings.OptionalAfterMS != matcher.Never {
		first = p.rows.CreatedMS[last] + settings.OptionalAfterMS
	}
	created := p.rows.CreatedMS[basis]
	lets := func(waitMS int64) bool { return g.rules.Lets(rule, waitMS, a, b) }
	for _, s := range p.rules.Rules[rule].Schedules() {
		if at := firstStage(s, max(0, p.rows.NowMS-created), lets); at != matcher.Never {
			first = min(first, created+at)
		}
	}
	return first
}

// firstStage returns the first wait in ms, after a given one, at which a stage begins for which
// lets returns true; matcher.Never if there is none. In a linear schedule, if one stage lets
// two tickets meet, all later stages do.
func firstStage(s *matcher.Schedule, waitMS int64, lets func(waitMS int64) bool) int64 {
	if s.EveryMS <= 0 {
		return matcher.Never
	}
	from := s.Stage(waitMS) + 1
	if len(s.List) > 0 {
		for stage := from; stage < int64(len(s.List)); stage++ {
			if lets(stage * s.EveryMS) {
				return stage * s.EveryMS
			}
		}
		return matcher.Never
	}
	const horizon = 1 << 40 // ms, 34 years: no ticket waits that long
	stages := int(max(0, horizon/s.EveryMS-from))
	n := sort.Search(stages, func(i int) bool { return lets((from + int64(i)) * s.EveryMS) })
	if n == stages {
		return matcher.Never
	}
	return (from + int64(n)) * s.EveryMS
}
