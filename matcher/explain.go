package matcher

import (
	"math"
	"slices"
	"sort"
)

// Why tells what keeps two apart.
type Why uint8

// The obstacles.
const (
	MayMeet Why = iota // nothing: what no match came of is the group, its size or its teams
	TooMany            // together they have more players than a match holds
	ByRule             // see Obstacle.Rule
)

// Obstacle is the first thing that keeps a ticket apart from another, or from a
// session.
type Obstacle struct {
	Other  Row
	Why    Why
	Rule   int     // place in Ruleset.RuleNames, with ByRule; -1 where it only keeps out of sessions
	Value  float64 // what the rule looks at: the difference; the elements shared; the sum; the lowest worst RTT in a common region, +Inf without one; NaN for texts
	Bound  float64 // the threshold in force; of TooMany the seats
	Name   string  // of the rule, with a Star, instead of Rule
	OpenMS int64   // first instant at which this rule lets them meet, if both wait so long; Never
}

// Excess returns by how much the value misses the bound; NaN for texts.
func (o Obstacle) Excess() float64 { return math.Abs(o.Value - o.Bound) }

// Explain tells, for a ticket or session and every other that it could be matched
// with, in order of age, the first rule in the order of the ruleset that keeps
// them apart at an instant. It changes nothing; call it before Pass to ask about
// tickets that the pass will match.
func (p *Pool) Explain(nowMS int64, row Row) []Obstacle {
	p.advance(nowMS)
	var others []Row
	for other, state := range p.state {
		if Row(other) != row && (state == rowTicket || state == rowSession && p.state[row] == rowTicket) {
			others = append(others, Row(other))
		}
	}
	slices.SortFunc(others, p.order)
	list := make([]Obstacle, len(others))
	for i, other := range others {
		if p.star != nil {
			list[i] = p.star.obstacle(row, other)
			continue
		}
		list[i] = p.obstacle(row, other)
	}
	return list
}

// obstacle returns the first thing that keeps two apart.
func (p *Pool) obstacle(a, b Row) Obstacle {
	o := Obstacle{Other: b, OpenMS: Never}
	seats := min(p.seats(a), p.seats(b))
	if players := int(p.size[a] + p.size[b]); players > seats {
		o.Why, o.Value, o.Bound = TooMany, float64(players), float64(seats)
		return o
	}
	why, rule := p.keepsApart(a, b)
	if why == MayMeet {
		return o
	}
	old, young := p.byAge(a, b)
	c := p.columns[rule]
	f, _ := c.inForce(old, young)
	o.Why, o.Rule, o.Value, o.Bound = ByRule, rule, p.looksAt(c, a, b), f.bound
	o.OpenMS = p.opens(c, a, b)
	return o
}

// looksAt returns what a rule compares with its threshold.
func (p *Pool) looksAt(c *column, a, b Row) float64 {
	switch c.kind {
	case numberDistance:
		return math.Abs(c.number[a] - c.number[b])
	case setOverlap:
		return float64(shared(c.set[a], c.set[b]))
	case matchTotal:
		return c.number[a] + c.number[b]
	case reachRegion:
		best := math.Inf(1)
		for i, rtt := range p.reach.row(a) {
			best = min(best, max(rtt, p.reach.row(b)[i]))
		}
		return best
	}
	return math.NaN()
}

// opens returns the first instant from now on at which a rule lets two meet.
func (p *Pool) opens(c *column, a, b Row) int64 {
	old, young := p.byAge(a, b)
	basis, last := old, young // whose wait sets the stage, and makes the rule optional
	if c.shortest {
		basis = young
	}
	if c.any {
		last = old
	}
	first := Never
	if c.optionalAfterMS != Never {
		first = p.createdMS[last] + c.optionalAfterMS
	}
	lets := func(waitMS int64) bool {
		f := c.at(waitMS)
		_, fits := p.compare(c, &f, a, b)
		return fits || !f.active
	}
	created := p.createdMS[basis]
	for _, s := range []*Schedule{&c.bound, &c.least} {
		if at := s.firstStage(max(0, p.clock.nowMS-created), lets); at != Never {
			first = min(first, created+at)
		}
	}
	return first
}

// firstStage returns the first wait in ms, above the one given, at which a stage
// begins that lets something happen; Never when there is none. In a linear
// schedule whatever a stage lets happen, all later ones do.
func (s *Schedule) firstStage(waitMS int64, lets func(waitMS int64) bool) int64 {
	if s.EveryMS <= 0 {
		return Never
	}
	from := s.Stage(waitMS) + 1
	if len(s.List) > 0 {
		for stage := from; stage < int64(len(s.List)); stage++ {
			if lets(stage * s.EveryMS) {
				return stage * s.EveryMS
			}
		}
		return Never
	}
	const horizon = 1 << 40 // ms, 34 years: no ticket waits that long
	stages := int(max(0, horizon/s.EveryMS-from))
	n := sort.Search(stages, func(i int) bool { return lets((from + int64(i)) * s.EveryMS) })
	if n == stages {
		return Never
	}
	return (from + int64(n)) * s.EveryMS
}
