package casefile

import (
	"slices"
	"sort"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// notAlone is the value of engine.Obstacle.Rule if two tickets may be in a match with others, but a
// rule about groups or teams keeps them from being a match of their own.
const notAlone = -2

// alone changes an obstacle between the only two tickets of a scene without sessions. Comparing two
// tickets does not consider rules about groups and teams, because other tickets may help to satisfy
// them. If there are no others, the two meet when a pass matches them, which alone finds by trying.
func (x *explainer) alone(a, b *Ticket, o *engine.Obstacle) {
	if len(x.scene.Tickets) != 2 || len(x.scene.Sessions) > 0 {
		return
	}
	from := o.AllowedMS
	if o.Why == engine.MayMeet {
		from = x.scene.AtMS
	}
	at := x.meet(a, b, from)
	if o.Why == engine.MayMeet {
		rules := x.without[a.ID]
		if at == matcher.Never && rules == nil {
			return
		}
		if o.Why, o.Rule, o.Name = engine.ByRule, notAlone, sizeRule; rules != nil {
			o.Name = rules[0]
		}
	}
	o.AllowedMS = at
}

// meet returns the first time in ms, not before fromMS, at which a pass over two tickets matches
// them, or matcher.Never. It assumes that neither of them gives up. Between two turns of the rules,
// waiting only relaxes them, so a binary search finds the time.
func (x *explainer) meet(a, b *Ticket, fromMS int64) int64 {
	pair := Scene{Tickets: slices.Clone(x.scene.Tickets)} // in the order of the scene, which decides between equally old tickets
	for i := range pair.Tickets {
		pair.Tickets[i].GiveUpMS = 0
	}
	matches := func(atMS int64) bool {
		pair.AtMS = atMS
		outcome, err := x.run(&pair, x.refused)
		return err == nil && slices.ContainsFunc(outcome.Matches, func(m Match) bool {
			return slices.Contains(m.Tickets, a.ID) && slices.Contains(m.Tickets, b.ID)
		})
	}
	const horizon = 1 << 40 // 34 years in ms; no ticket waits that long
	for fromMS < matcher.Never {
		if matches(fromMS) {
			return fromMS
		}
		next := x.pool.NextTurn(fromMS, x.rows[0], x.rows[1])
		n := min(next-fromMS, horizon)
		if matches(fromMS + n - 1) {
			return fromMS + int64(sort.Search(int(n), func(i int) bool { return matches(fromMS + int64(i)) }))
		}
		fromMS = next
	}
	return matcher.Never
}

// ranks returns the rank of every candidate of a ticket.
func (x *explainer) ranks(row matcher.Row) map[matcher.Row]Candidate {
	ranks := make(map[matcher.Row]Candidate)
	for i, c := range x.pool.Ranking(x.scene.AtMS, row) {
		ranks[c.Row] = Candidate{Distance: &c.Distance, Rank: i + 1}
	}
	return ranks
}
