package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// expiryTally counts tickets whose time was over, by the reason why they found no match; see
// outcome.Expiry.
type expiryTally struct {
	tickets, players        int
	explained               int   // tickets that the simulator examined
	byRule                  []int // by rule
	tooLarge, tooFew, group int
	own                     int // tickets whose own players a rule keeps apart

	// Pairs of such a ticket and another ticket that was waiting at that time:
	pairs                    []int // by rule: pairs that this rule kept apart
	pairsTooLarge, pairsMeet int
}

// expired counts a ticket whose time was over. minPlayers is the minimum number of players in a match of
// its queue.
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
	case a.Own:
		reason = &t.own
	case a.MayMeet > 0 && len(e.Players)+a.MayMeet >= minPlayers:
		reason = &t.group
	case most == 0 || len(e.Players)+others < minPlayers:
		reason = &t.tooFew
	}
	*reason++
}

// expiry returns the counts. A count by rule has the rule's name.
func (t *expiryTally) expiry(rules []setup.Rule) outcome.Expiry {
	pairs := t.pairsTooLarge + t.pairsMeet
	for _, n := range t.pairs {
		pairs += n
	}
	ofTickets := func(n int) outcome.Part { return partOf("", n, t.explained) }
	return outcome.Expiry{
		Tickets:   outcome.Count(t.tickets),
		Players:   outcome.Count(t.players),
		Explained: outcome.Count(t.explained),
		ByRule:    partsByRule(rules, t.byRule, t.explained),
		TooLarge:  ofTickets(t.tooLarge),
		TooFew:    ofTickets(t.tooFew),
		Group:     ofTickets(t.group),
		Own:       ofTickets(t.own),
		Pairs: outcome.Pairs{
			Count:    outcome.Count(pairs),
			ByRule:   partsByRule(rules, t.pairs, pairs),
			TooLarge: partOf("", t.pairsTooLarge, pairs),
			MayMeet:  partOf("", t.pairsMeet, pairs),
		},
	}
}

// partsByRule returns a part of all for every rule, even if its count is 0, because a gate may set a
// limit for the part.
func partsByRule(rules []setup.Rule, counts []int, all int) outcome.Parts {
	parts := make(outcome.Parts, len(rules))
	for i := range rules {
		parts[i] = partOf(rules[i].Name, counts[i], all)
	}
	return parts
}

// partOf returns a part with the count n of all.
func partOf(name string, n, all int) outcome.Part {
	return outcome.Part{Name: name, Count: outcome.Count(n), Share: outcome.ShareOf(n, all)}
}

// countedParts returns the parts of all whose counts are not 0. name returns the name of a part.
func countedParts(counts []int, all int, name func(i int) string) outcome.Parts {
	parts := outcome.Parts{}
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, partOf(name(i), n, all))
		}
	}
	return parts
}
