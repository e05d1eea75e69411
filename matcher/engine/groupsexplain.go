package engine

import (
	"sort"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// obstacle implements method.obstacle.
func (g *groups) obstacle(a, b Row, full bool) Obstacle {
	rows, o := g.pool.rows, Obstacle{Other: b, AllowedMS: matcher.Never}
	if players, seats := int(rows.Players[a]+rows.Players[b]), min(g.seats(a), g.seats(b)); players > seats {
		o.Why, o.Value, o.Bound = TooMany, float64(players), float64(seats)
	} else if at, apart := g.rules.KeepsApart(rows, a, b); apart {
		if o.Why, o.Rule = ByRule, at; full {
			o.Value, o.Bound, o.Words = g.rules.Observed(rows, at, a, b)
			o.AllowedMS = g.allowed(a, b)
		}
	}
	return o
}

// ownObstacle implements optionalFuncs.ownObstacle.
func (g *groups) ownObstacle(row Row) (rule int, apart bool) {
	return g.rules.KeepsOwnApart(g.pool.rows, row)
}

// allowed returns the first instant from now on at which no rule keeps two rows apart. It returns
// matcher.Never if there is none. Each rule allows the two in some ranges of time, so allowed moves
// on to the next range of every rule until all rules agree.
func (g *groups) allowed(a, b Row) int64 {
	at := g.pool.rows.NowMS
	for agreed := false; !agreed; {
		agreed = true
		for i := range g.pool.rules.Rules {
			if !g.rules.Compares(i) {
				continue
			}
			switch next := g.allowedUnder(i, a, b, at); {
			case next == matcher.Never:
				return matcher.Never
			case next > at:
				at, agreed = next, false
			}
		}
	}
	return at
}

// allowedUnder returns the first instant from fromMS on at which a rule lets two rows meet. It
// returns matcher.Never if there is none.
func (g *groups) allowedUnder(rule int, a, b Row, fromMS int64) int64 {
	rows, settings := g.pool.rows, g.rules.All[rule].Rule()
	old, young := rows.ByWait(a, b)
	basis, last := old, young // basis is the row whose wait sets the stage; last is the row whose wait makes the rule optional
	if set := g.pool.rules; set.BasisOf(set.Rules[rule]) == matcher.ShortestWait {
		basis = young
	}
	if g.pool.rules.OptionalBasis == matcher.AnyWaited {
		last = old
	}
	created := rows.CreatedMS[basis]
	allows := func(waitMS int64) bool { return g.rules.Allows(rule, waitMS, a, b) }
	first, waitMS := matcher.Never, max(0, fromMS-created)
	if settings.OptionalAfterMS != matcher.Never {
		first = max(fromMS, rows.CreatedMS[last]+settings.OptionalAfterMS)
	}
	if first == fromMS || allows(waitMS) {
		return fromMS
	}
	for _, s := range g.pool.rules.Rules[rule].Schedules() {
		if at := firstStage(s, waitMS, allows); at != matcher.Never {
			first = min(first, created+at)
		}
	}
	return first
}

// firstStage returns the first wait after waitMS, in ms, at which a stage begins in which two
// tickets may meet. It returns matcher.Never if there is no such stage. If one stage of a linear
// schedule lets the tickets meet, all later stages do too.
func firstStage(s *matcher.Schedule, waitMS int64, allows func(waitMS int64) bool) int64 {
	if s.EveryMS <= 0 {
		return matcher.Never
	}
	from := s.Stage(waitMS) + 1
	if len(s.List) > 0 {
		for stage := from; stage < int64(len(s.List)); stage++ {
			if allows(stage * s.EveryMS) {
				return stage * s.EveryMS
			}
		}
		return matcher.Never
	}
	const horizon = 1 << 40 // 34 years in ms; no ticket waits that long
	stages := int(max(0, horizon/s.EveryMS-from))
	n := sort.Search(stages, func(i int) bool { return allows((from + int64(i)) * s.EveryMS) })
	if n == stages {
		return matcher.Never
	}
	return (from + int64(n)) * s.EveryMS
}

// turn implements method.turn.
func (g *groups) turn(waitMS int64) int64 {
	next := matcher.Never
	for i, c := range g.rules.All {
		if optional := c.Rule().OptionalAfterMS; optional > waitMS {
			next = min(next, optional)
		}
		for _, s := range g.pool.rules.Rules[i].Schedules() {
			if len(s.List) > 0 {
				next = min(next, s.NextChange(waitMS))
			}
		}
	}
	return next
}

// ranking implements optionalFuncs.ranking.
func (g *groups) ranking(seed Row) (list []Ranked) {
	rows := g.pool.rows
	for other, kind := range rows.Kind {
		if other := Row(other); other != seed && kind == store.Ticket && g.obstacle(seed, other, false).Why == MayMeet {
			distance, rounded := g.rules.RankedDistance(rows, seed, other)
			list = append(list, Ranked{other, distance, rounded})
		}
	}
	return list
}
