package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// expiryTally counts expired tickets by the reason why they could not play with the others.
type expiryTally struct {
	tickets, players         int
	explained                int // tickets
	byRule                   []int
	tooLarge, tooFew, group  int
	pairs                    []int // by rule
	pairsTooLarge, pairsMeet int
}

func newExpiryTally(rules int) expiryTally {
	return expiryTally{byRule: make([]int, rules), pairs: make([]int, rules)}
}

// expired counts a ticket of a queue whose matches have at least minPlayers players.
func (t *expiryTally) expired(e *sim.Ended, minPlayers int) {
	t.tickets++
	t.players += len(e.Players)
	if e.Apart == nil {
		return // the simulator did not examine this ticket
	}
	t.explained++
	a := e.Apart
	t.pairsMeet += a.MayMeet
	t.pairsTooLarge += a.TooMany
	others := a.MayMeet + a.TooMany
	reason, most := &t.tooLarge, a.TooMany
	for rule, n := range a.ByRule {
		others += n
		t.pairs[rule] += n
		if n > most {
			reason, most = &t.byRule[rule], n
		}
	}
	switch {
	case a.MayMeet > 0 && len(e.Players)+a.MayMeet >= minPlayers:
		reason = &t.group
	case most == 0 || len(e.Players)+others < minPlayers:
		reason = &t.tooFew
	}
	*reason++
}

// expiry returns the counts by the names of the rules.
func (t *expiryTally) expiry(rules []setup.Rule) outcome.Expiry {
	pairs := t.pairsTooLarge + t.pairsMeet
	for _, n := range t.pairs {
		pairs += n
	}
	ofTickets := func(n int) outcome.Part {
		return outcome.Part{Count: outcome.Count(n), Share: outcome.ShareOf(n, t.explained)}
	}
	ofPairs := func(n int) outcome.Part {
		return outcome.Part{Count: outcome.Count(n), Share: outcome.ShareOf(n, pairs)}
	}
	return outcome.Expiry{
		Tickets:   outcome.Count(t.tickets),
		Players:   outcome.Count(t.players),
		Explained: outcome.Count(t.explained),
		ByRule:    partsByRule(rules, t.byRule, ofTickets),
		TooLarge:  ofTickets(t.tooLarge),
		TooFew:    ofTickets(t.tooFew),
		Group:     ofTickets(t.group),
		Pairs: outcome.Pairs{
			Count:    outcome.Count(pairs),
			ByRule:   partsByRule(rules, t.pairs, ofPairs),
			TooLarge: ofPairs(t.pairsTooLarge),
			MayMeet:  ofPairs(t.pairsMeet),
		},
	}
}

// partsByRule returns a part for every rule, also for a count of 0, because a gate may have a
// limit on the part.
func partsByRule(rules []setup.Rule, counts []int, of func(int) outcome.Part) outcome.Parts {
	parts := make(outcome.Parts, len(rules))
	for i := range rules {
		parts[i] = of(counts[i])
		parts[i].Name = rules[i].Name
	}
	return parts
}
