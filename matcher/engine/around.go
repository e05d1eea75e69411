package engine

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/candidate"
)

// seedRules is what the two searches of AccelByte have in common. Both compare candidates only with the seed, and
// search in one region after another.
type seedRules struct {
	pool     *Pool
	each     eachRules
	shared   *around.Rules   // the part of each that the two searches of AccelByte share
	inRegion candidate.Query // the seed's candidates in one region
	reserve  []Row           // scratch space for try
	tickets  []Row           // scratch space for propose, as is members
	members  []teamMember
}

// eachRules are the rules of one of them.
type eachRules interface {
	Load(row Row, values []matcher.Value, players []matcher.Player, from matcher.Place, at matcher.Region)
	Fixed(seed, candidate Row) (around.Reason, bool)
	Waiting(seed, candidate Row) (around.Reason, bool)
	Allowed(seed, candidate Row) int64
	Judge(broken []bool, seed Row, group []Row, region matcher.Region)
}

func (v *seedRules) load(row Row, t *matcher.Ticket) {
	v.each.Load(row, t.Values, t.Players, t.From, matcher.NoRegion)
}

func (v *seedRules) loadSession(row Row, s *matcher.Session) {
	v.each.Load(row, s.Values, playersOf(s), matcher.NoPlace, s.Region)
}

func (v *seedRules) addPlace(rttMS []float64) matcher.Place { return v.shared.Regions.AddPlace(rttMS) }

// turn implements method.turn.
func (v *seedRules) turn(waitMS int64) int64 { return v.shared.Turn(waitMS) }

// in restricts a query to a region, unless that is NoRegion.
func (v *seedRules) in(q *candidate.Query, region matcher.Region) *candidate.Query {
	if region == matcher.NoRegion {
		return q
	}
	v.inRegion.Only(q, v.shared.RegionRule, v.shared.Regions.Only(region))
	return &v.inRegion
}

// reserved returns the tickets of the reserve, if there is one.
func (v *seedRules) reserved(w *window) []Row {
	if v.reserve = v.reserve[:0]; w.reserve != nil {
		v.reserve = w.reserve.AppendRows(v.reserve)
	}
	return v.reserve
}

// propose adds a group to the outcome. If the seed is a session, its teams keep their numbers.
func (v *seedRules) propose(w *window, group []around.Member, teams []around.Team, region matcher.Region) verdict {
	sides := 0
	for i := range teams {
		sides = max(sides, teams[i].Number+1)
	}
	v.tickets, v.members = v.tickets[:0], v.members[:0]
	for _, m := range group {
		team := m.Team
		if w.session {
			team = teams[team].Number
		}
		v.tickets, v.members = append(v.tickets, m.Row), append(v.members, teamMember{m.Row, -1, team})
	}
	return v.pool.propose(w, v.tickets, v.members, sides, regionsOf(region))
}

// obstacle implements method.obstacle.
func (v *seedRules) obstacle(a, b Row, full bool) Obstacle {
	o := Obstacle{Other: b, AllowedMS: matcher.Never, Value: math.NaN(), Bound: math.NaN()}
	seed, candidate := v.pool.roles(a, b)
	r, apart := v.each.Fixed(seed, candidate)
	if apart {
		o.Why, o.Name, o.Rule = ByRule, r.Name, r.Rule
		return o
	}
	if players, seats := v.shared.Larger(seed, candidate), v.shared.Sizes(seed).MaxPlayers; players > seats {
		o.Why, o.Value, o.Bound = TooMany, float64(players), float64(seats)
	} else if r, apart = v.each.Waiting(seed, candidate); apart {
		o.Why, o.Name, o.Rule, o.Value, o.Bound = ByRule, r.Name, r.Rule, r.Value, r.Bound
	}
	if full && o.Why != MayMeet {
		o.AllowedMS = v.each.Allowed(seed, candidate)
	}
	return o
}
