package matcher

import "slices"

// Apart adds up what keeps tickets apart from others. The zero Apart is ready.
type Apart struct {
	MayMeet int   // nothing: no match came of the group, its size or its teams
	TooMany int   // together they have more players than a match holds
	ByRule  []int // by place in Ruleset.RuleNames: this is the first rule that does
}

// KeptApart adds up what keeps a ticket apart from each other ticket at an instant
// in ms. It changes nothing that a pass decides; ask about those who will expire
// before the Pass that takes them out. Cost: one comparison for each who waits.
func (p *Pool) KeptApart(nowMS int64, row Row, into *Apart) {
	p.advance(nowMS)
	for len(into.ByRule) < len(p.names) {
		into.ByRule = append(into.ByRule, 0)
	}
	p.all.settle()
	for i := range p.all.members {
		other := p.all.members[i].row
		if other == row {
			continue
		}
		why, rule := p.keepsApart(row, other)
		switch why {
		case MayMeet:
			into.MayMeet++
		case TooMany:
			into.TooMany++
		default:
			into.ByRule[rule]++
		}
	}
}

// keepsApart returns the first thing that keeps two apart, and of a rule its place.
func (p *Pool) keepsApart(a, b Row) (why Why, rule int) {
	if p.star != nil {
		return p.star.firstObstacle(a, b)
	}
	if players := int(p.size[a] + p.size[b]); players > min(p.seats(a), p.seats(b)) {
		return TooMany, 0
	}
	old, young := p.byAge(a, b)
	for i, c := range p.columns {
		if isTeamRule(c.rule) {
			continue
		}
		f, enforced := c.inForce(old, young)
		if !enforced {
			continue
		}
		if _, fits := p.compare(c, f, a, b); !fits {
			return ByRule, i
		}
	}
	return MayMeet, 0
}

// Expiring appends the tickets that a Pass at an instant in ms would let expire, in
// order of age. It changes nothing. Cost: a look at each who waits.
func (p *Pool) Expiring(dst []Row, nowMS int64) []Row {
	from := len(dst)
	dst = p.AppendWaiting(dst)
	kept := dst[:from]
	for _, row := range dst[from:] {
		if p.givesUpMS[row] <= nowMS {
			kept = append(kept, row)
		}
	}
	return kept
}

// AppendWaiting appends the tickets that wait, in order of age.
func (p *Pool) AppendWaiting(dst []Row) []Row { return p.all.AppendRows(dst) }

// ruleAt returns the place of a name among RuleNames.
func (p *Pool) ruleAt(name string) int { return slices.Index(p.names, name) }

// AppendSessions appends the sessions that look for players, in order of age: the
// order in which a Pass lets them.
func (p *Pool) AppendSessions(dst []Row) []Row { return append(dst, p.sessions...) }
