package engine

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// keepsApart implements method.
func (v *pivots) keepsApart(a, b Row) (why Why, rule int) {
	seed, candidate := v.pool.roles(a, b)
	if r, apart := v.rules.Fixed(seed, candidate); apart {
		return ByRule, r.Rule
	}
	if players, seats := v.larger(seed, candidate); players > seats {
		return TooMany, 0
	}
	if r, apart := v.rules.Waiting(seed, candidate); apart {
		return ByRule, r.Rule
	}
	return MayMeet, 0
}

// obstacle implements method.
func (v *pivots) obstacle(a, b Row) Obstacle {
	o := Obstacle{Other: b, OpenMS: matcher.Never, Value: math.NaN(), Bound: math.NaN()}
	seed, candidate := v.pool.roles(a, b)
	if r, apart := v.rules.Fixed(seed, candidate); apart {
		o.Why, o.Name, o.Rule = ByRule, r.Name, r.Rule
	} else if players, seats := v.larger(seed, candidate); players > seats {
		o.Why, o.Value, o.Bound = TooMany, float64(players), float64(seats)
	} else if r, apart := v.rules.Waiting(seed, candidate); apart {
		o.Why, o.Name, o.Rule = ByRule, r.Name, r.Rule
		o.Value, o.Bound, o.OpenMS = v.rules.Observed(r, seed, candidate)
	}
	return o
}

// larger returns the players of the larger of two tickets, or of the ticket that a session may
// take, and the number of players that a team holds.
func (v *pivots) larger(seed, candidate Row) (players, seats int) {
	rows := v.pool.rows
	players = int(rows.Players[candidate])
	if rows.Kind[seed] == store.Ticket {
		players = max(players, int(rows.Players[seed]))
	}
	return players, v.rules.Sizes(seed).MaxPlayers
}
