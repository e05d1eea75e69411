package matcher

import (
	"math"
	"slices"
)

// obstacle returns the first thing that keeps two apart and what will end that.
func (s *starSearch) obstacle(row, other Row) Obstacle {
	o := Obstacle{Other: other, OpenMS: Never, Value: math.NaN(), Bound: math.NaN()}
	seed, candidate := s.roles(row, other)
	if name, apart := s.fixedObstacle(seed, candidate); apart {
		o.Why, o.Name, o.Rule = ByRule, name, s.pool.ruleAt(name)
		return o
	}
	why, rule := s.firstObstacle(row, other)
	switch o.Why = why; {
	case why == TooMany:
		o.Value, o.Bound = float64(s.larger(seed, candidate)), float64(s.rules.at(s.wait(seed)).MaxPlayers)
	case why == ByRule && rule < len(s.rules.Distances):
		s.distanceObstacle(&o, seed, candidate, rule)
	case why == ByRule:
		s.regionObstacle(&o, seed, candidate)
		o.Rule = rule
	}
	return o
}

// roles tells which of two is the seed: the session, or the older one.
func (s *starSearch) roles(row, other Row) (seed, candidate Row) {
	if s.pool.state[other] == rowSession || s.pool.state[row] == rowTicket && s.pool.older(other, row) {
		return other, row
	}
	return row, other
}

// larger returns the players of the larger of two, of a session none.
func (s *starSearch) larger(seed, candidate Row) int {
	if s.isSession(seed) {
		return int(s.pool.size[candidate])
	}
	return int(max(s.pool.size[seed], s.pool.size[candidate]))
}

// firstObstacle returns the first thing that keeps two apart, and of a rule its
// place among Ruleset.RuleNames.
func (s *starSearch) firstObstacle(row, other Row) (why Why, rule int) {
	seed, candidate := s.roles(row, other)
	if name, apart := s.fixedObstacle(seed, candidate); apart {
		return ByRule, s.pool.ruleAt(name)
	}
	if s.larger(seed, candidate) > s.rules.at(s.wait(seed)).MaxPlayers {
		return TooMany, 0
	}
	x, y := &s.rows[seed], &s.rows[candidate]
	waits := [2]int64{s.wait(seed), s.wait(candidate)}
	for i := range s.rules.Distances {
		d := &s.rules.Distances[i]
		if difference := math.Abs(x.numbers[i] - y.numbers[i]); !d.lets(difference, waits[0]) || !d.lets(difference, waits[1]) {
			return ByRule, i
		}
	}
	if s.regionMatters(seed, candidate) && !s.shareRegion(seed, candidate, waits) {
		return ByRule, len(s.rules.Distances) + len(s.rules.Options)
	}
	return MayMeet, 0
}

// distanceObstacle fills in that a distance keeps two apart.
func (s *starSearch) distanceObstacle(o *Obstacle, seed, candidate Row, rule int) {
	d := &s.rules.Distances[rule]
	difference := math.Abs(s.rows[seed].numbers[rule] - s.rows[candidate].numbers[rule])
	o.Name, o.Rule, o.Value = d.Name, rule, difference
	o.Bound = min(d.bound(s.wait(seed)), d.bound(s.wait(candidate)))
	var after []int64
	for _, stage := range d.Max {
		after = append(after, stage.AfterMS)
	}
	o.OpenMS = s.opens(seed, candidate, after, func(waits [2]int64) bool {
		return d.lets(difference, waits[0]) && d.lets(difference, waits[1])
	})
}

// fixedObstacle tells whether something that no waiting relaxes keeps two apart.
func (s *starSearch) fixedObstacle(seed, candidate Row) (by string, apart bool) {
	x, y := &s.rows[seed], &s.rows[candidate]
	open := s.pool.state[seed] == rowSession
	switch {
	case open && !s.rules.Backfill:
		return "no backfill", true
	case open && y.newOnly:
		return "new matches only", true
	case x.same != y.same:
		return otherAttributes, true
	}
	return s.keepsApart(x, y)
}

// lets tells whether a difference is allowed after a wait.
func (d *StarDistance) lets(difference float64, waitMS int64) bool {
	return d.at(waitMS).lets(difference)
}

// bound returns the threshold after a wait.
func (d *StarDistance) bound(waitMS int64) float64 {
	if stage := d.at(waitMS); !stage.Absent {
		return stage.Value
	}
	return math.Inf(1)
}

// regionMatters tells whether two have to share a region.
func (s *starSearch) regionMatters(seed, candidate Row) bool {
	if s.isSession(seed) {
		return s.pool.details[seed].Region != NoRegion
	}
	return s.rows[seed].measured || s.rows[candidate].measured
}

// rttsTo returns the round-trip times of two to a region, 0 of one that goes
// anywhere or is a session there.
func (s *starSearch) rttsTo(region Region, seed, candidate Row) (mine, other float64) {
	x, y := &s.rows[seed], &s.rows[candidate]
	if s.isSession(seed) {
		if region != s.pool.details[seed].Region {
			return math.Inf(1), math.Inf(1)
		}
		return 0, y.to(region)
	}
	if x.measured {
		mine = x.to(region)
	}
	if y.measured {
		other = y.to(region)
	}
	return mine, other
}

// shareRegion tells whether two reach a region after waits.
func (s *starSearch) shareRegion(seed, candidate Row, waits [2]int64) bool {
	rule := &s.rules.Region
	own, others := rule.limit(waits[0], s.rows[seed].bestMS), rule.limit(waits[1], s.rows[candidate].bestMS)
	if s.isSession(seed) {
		own = math.MaxFloat64
	} else if waits[0] > rule.OneWayAfterMS {
		others = rule.MaxMS
	}
	for region := range Region(s.pool.schema.Regions()) {
		mine, other := s.rttsTo(region, seed, candidate)
		if mine <= own+tolerance && other <= others+tolerance && !math.IsInf(max(mine, other), 1) {
			return true
		}
	}
	return false
}

// regionObstacle fills in that two share no region.
func (s *starSearch) regionObstacle(o *Obstacle, seed, candidate Row) {
	rule := &s.rules.Region
	shorter := min(s.wait(seed), s.wait(candidate))
	o.Name, o.Value, o.Bound = rule.Name, math.Inf(1), rule.limit(shorter, min(s.rows[seed].bestMS, s.rows[candidate].bestMS))
	for region := range Region(s.pool.schema.Regions()) {
		mine, other := s.rttsTo(region, seed, candidate)
		o.Value = min(o.Value, max(mine, other))
	}
	var after []int64
	const stagesMax = 10_000 // more than any limit of milliseconds is away
	for stage := int64(1); rule.ReachMS.EveryMS > 0 && stage <= stagesMax; stage++ {
		after = append(after, stage*rule.ReachMS.EveryMS)
		if threshold, _ := rule.ReachMS.atStage(stage); threshold > o.Value {
			break
		}
	}
	if rule.OneWayAfterMS < Never-1 {
		after = append(after, rule.OneWayAfterMS+1)
	}
	o.OpenMS = s.opens(seed, candidate, after, func(waits [2]int64) bool { return s.shareRegion(seed, candidate, waits) })
}

// opens returns the first instant from now on, of those at which one of two has
// waited so long, at which a rule lets them meet; Never.
func (s *starSearch) opens(seed, candidate Row, afterMS []int64, lets func(waits [2]int64) bool) int64 {
	created := [2]int64{s.pool.createdMS[seed], s.pool.createdMS[candidate]}
	var instants []int64
	for _, c := range created {
		for _, after := range afterMS {
			if at := c + after; at > s.pool.clock.nowMS {
				instants = append(instants, at)
			}
		}
	}
	slices.Sort(instants)
	for _, at := range instants {
		if lets([2]int64{at - created[0], at - created[1]}) {
			return at
		}
	}
	return Never
}
