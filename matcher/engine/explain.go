package engine

import (
	"math"
	"slices"
	"sort"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Why tells what keeps two tickets apart.
type Why uint8

// The obstacles.
const (
	MayMeet Why = iota // nothing: what no match came of is the group, its size or its teams
	TooMany            // together they have more players than a match holds
	ByRule             // see Obstacle.Rule
)

// Obstacle is the first thing that keeps a ticket apart from another, or from a session.
type Obstacle struct {
	Other  Row
	Why    Why
	Rule   int     // place in Ruleset.RuleNames, with ByRule; -1 where it only keeps out of sessions
	Value  float64 // what the rule looks at: the difference; the elements shared; the sum; the lowest worst RTT in a common region, +Inf without one; NaN for texts
	Bound  float64 // the threshold in force; of TooMany the seats
	Words  string  // by how much Value misses Bound; with ByRule, empty with pivot rules
	Name   string  // of the rule, with pivot rules, instead of Rule
	OpenMS int64   // first instant at which this rule lets them meet, if both wait so long; matcher.Never
}

// Excess returns by how much the value misses the bound; NaN for texts.
func (o Obstacle) Excess() float64 { return math.Abs(o.Value - o.Bound) }

// Explain tells, for a ticket or session and every other that it could be matched with, in
// order of age, the first rule in the order of the ruleset that keeps them apart at an
// instant. It decides nothing; call it before Pass to ask about tickets that the pass will
// match.
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

// Evaluations returns how often the passes so far looked at each of Ruleset.RuleNames; nil
// where the method does not count, which only that of SeatRules does. A search that is
// known to fail is not repeated, and not counted.
func (p *Pool) Evaluations() []matcher.Evaluations {
	if s, counts := p.method.(*seats); counts {
		return s.rules.Evaluations()
	}
	return nil
}

// Apart adds up what keeps tickets apart from others. The zero Apart is ready.
type Apart struct {
	MayMeet int   // nothing: no match came of the group, its size or its teams
	TooMany int   // together they have more players than a match holds
	ByRule  []int // by place in Ruleset.RuleNames: this is the first rule that does
}

// KeptApart adds up what keeps a ticket apart from each other ticket at an instant in ms.
// It decides nothing; ask about those that will expire before the Pass that takes them
// out. Cost: one comparison for each that waits.
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

// Expiring appends the tickets that a Pass at an instant in ms would let expire, in order
// of age. It changes nothing. Cost: a look at each that waits.
func (p *Pool) Expiring(dst []Row, nowMS int64) []Row {
	p.all.settle()
	for i := range p.all.members {
		if row := p.all.members[i].Row; p.rows.GivesUpMS(row) <= nowMS {
			dst = append(dst, row)
		}
	}
	return dst
}

// roles tells which of two rows is the seed: the session, or the older one.
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

// opens returns the first instant from now on at which a rule lets two rows meet.
func (g *groups) opens(rule int, a, b Row) int64 {
	p, settings := g.pool, g.rules.All[rule].Rule()
	old, young := p.rows.ByWait(a, b)
	basis, last := old, young // whose wait sets the stage, and makes the rule optional
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

// firstStage returns the first wait in ms, above the one given, at which a stage begins
// that lets something happen; matcher.Never when there is none. In a linear schedule
// whatever a stage lets happen, all later ones do.
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
