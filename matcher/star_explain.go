package matcher

import (
	"math"
	"slices"
)

// obstacle returns the first thing that keeps two apart; the older one is the
// seed, or the session.
func (s *starSearch) obstacle(row, other Row) Obstacle {
	seed, candidate := row, other
	if s.pool.state[other] == rowSession || s.pool.state[row] == rowTicket && s.pool.older(other, row) {
		seed, candidate = other, row
	}
	o := Obstacle{Other: other, OpenMS: Never, Value: math.NaN(), Bound: math.NaN()}
	if name, apart := s.fixedObstacle(seed, candidate); apart {
		o.Why, o.Name = ByRule, name
		return o
	}
	larger := int(s.pool.size[candidate])
	if s.pool.state[seed] == rowTicket {
		larger = max(larger, int(s.pool.size[seed]))
	}
	if seats := s.rules.at(s.wait(seed)).MaxPlayers; larger > seats {
		o.Why, o.Value, o.Bound = TooMany, float64(larger), float64(seats)
		return o
	}
	x, y := &s.rows[seed], &s.rows[candidate]
	waits := [2]int64{s.wait(seed), s.wait(candidate)}
	for i := range s.rules.Distances {
		d := &s.rules.Distances[i]
		difference := math.Abs(x.numbers[i] - y.numbers[i])
		lets := func(waits [2]int64) bool {
			return d.lets(difference, waits[0]) && d.lets(difference, waits[1])
		}
		if lets(waits) {
			continue
		}
		o.Why, o.Name, o.Value = ByRule, d.Name, difference
		o.Bound = min(d.bound(waits[0]), d.bound(waits[1]))
		var after []int64
		for _, stage := range d.Max {
			after = append(after, stage.AfterMS)
		}
		o.OpenMS = s.opens(seed, candidate, after, lets)
		return o
	}
	s.regionObstacle(&o, seed, candidate, waits)
	return o
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
		return "other attributes", true
	}
	return s.keepsApart(x, y)
}

// lets tells whether a difference is allowed after a wait.
func (d *StarDistance) lets(difference float64, waitMS int64) bool {
	return difference <= d.bound(waitMS)+tolerance
}

// bound returns the threshold after a wait.
func (d *StarDistance) bound(waitMS int64) float64 {
	if stage := d.at(waitMS); !stage.Absent {
		return stage.Value
	}
	return math.Inf(1)
}

// regionObstacle fills in that two share no region.
func (s *starSearch) regionObstacle(o *Obstacle, seed, candidate Row, waits [2]int64) {
	x, y, rule := &s.rows[seed], &s.rows[candidate], &s.rules.Region
	session := s.pool.details[seed]
	if session == nil && !x.measured && !y.measured || session != nil && session.Region == NoRegion {
		return
	}
	rtts := func(region int) (mine, other float64) { // 0 of a ticket that goes anywhere
		if session != nil {
			if region != int(session.Region) {
				return math.Inf(1), math.Inf(1)
			}
			return 0, y.to(Region(region))
		}
		if x.measured {
			mine = x.to(Region(region))
		}
		if y.measured {
			other = y.to(Region(region))
		}
		return mine, other
	}
	regions := s.pool.schema.Regions()
	lets := func(waits [2]int64) bool {
		own, others := rule.limit(waits[0], x.bestMS), rule.limit(waits[1], y.bestMS)
		if session != nil {
			own = math.MaxFloat64
		} else if waits[0] > rule.OneWayAfterMS {
			others = rule.MaxMS
		}
		for region := range regions {
			mine, other := rtts(region)
			if mine <= own+tolerance && other <= others+tolerance && !math.IsInf(max(mine, other), 1) {
				return true
			}
		}
		return false
	}
	if lets(waits) {
		return
	}
	o.Why, o.Name, o.Value, o.Bound = ByRule, rule.Name, math.Inf(1), rule.limit(min(waits[0], waits[1]), min(x.bestMS, y.bestMS))
	for region := range regions {
		mine, other := rtts(region)
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
	o.OpenMS = s.opens(seed, candidate, after, lets)
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
