package engine

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Why describes which kind of reason keeps two tickets apart.
type Why uint8

// The kinds of reasons.
const (
	MayMeet Why = iota // nothing keeps them apart; the group, its size or its teams prevented the match
	TooMany            // together they have more players than a match may have
	ByRule             // the rule in Obstacle.Rule keeps them apart
)

// Obstacle is the first reason why a ticket is kept apart from another ticket or from a session.
type Obstacle struct {
	Other     Row
	Why       Why
	Rule      int     // with ByRule, the index in Ruleset.RuleNames, or -1 if the reason applies only to sessions
	Value     float64 // the value that the rule compares with Bound, or NaN; see the comment below
	Bound     float64 // the current threshold; with TooMany, the number of seats
	Words     string  // with ByRule, a comparison of Value and Bound in words; empty with PivotRules
	Name      string  // with ByRule and pivot rules, the name of the rule
	AllowedMS int64   // first instant at which nothing keeps the two apart if both wait until then, or matcher.Never
}

// The Value of an Obstacle is a difference of numbers, a number of shared elements, a sum, or the
// worst RTT in ms to the best common region (+Inf if they have none in common). With TooMany, it is
// the number of players. It is NaN if the rule compares texts. With SeatRules, Value and Bound are
// 0, and Words has the values.

// Explain returns an Obstacle for each possible partner of a ticket or session at an instant in ms,
// in order of age. The Obstacle is the first rule that keeps the two apart, in the order of the
// ruleset. Explain makes no decisions. Call it before Pass to ask about tickets that the pass will
// match.
func (p *Pool) Explain(nowMS int64, row Row) []Obstacle {
	p.rows.Advance(nowMS)
	var others []Row
	for other, kind := range p.rows.Kind {
		if Row(other) != row && (kind == store.Ticket || kind == store.Session && p.rows.Kind[row] == store.Ticket) {
			others = append(others, Row(other))
		}
	}
	slices.SortFunc(others, p.rows.Compare)
	list := make([]Obstacle, len(others))
	for i, other := range others {
		list[i] = p.method.obstacle(row, other, true)
	}
	return list
}

// NextTurn returns the first instant after an instant in ms at which the rules may change for one of
// the rows, or for a match of all of them, in another way than before, or matcher.Never. Between two
// turns, waiting only relaxes linear schedules further. All rows must have been created by then.
func (p *Pool) NextTurn(afterMS int64, rows ...Row) int64 {
	next, waitsMS := matcher.Never, make([]int64, 0, len(rows)+1)
	for _, row := range rows {
		waitsMS = append(waitsMS, max(0, afterMS-p.rows.CreatedMS[row]))
	}
	if len(rows) > 0 && p.rules.CountsMeans() {
		waitsMS = append(waitsMS, matcher.MeanWait.WaitMS(waitsMS))
	}
	for _, waitMS := range waitsMS { // the mean grows as fast as the waits
		if turn := p.method.turn(waitMS); turn < matcher.Never-max(0, afterMS) {
			next = min(next, afterMS+turn-waitMS)
		}
	}
	return next
}

// Ranked is a candidate of a seed, with its weighted distance from the seed.
type Ranked struct {
	Row      Row
	Distance float64
	rounded  float64 // Distance as a search compares it
}

// Ranking returns the tickets that may be in a match with a ticket at an instant in ms, in the order
// in which a search around the ticket adds them. It returns nil under PivotRules and SeatRules, whose
// searches do not rank candidates once for all. It makes no decisions.
func (p *Pool) Ranking(nowMS int64, seed Row) []Ranked {
	if p.ranking == nil {
		return nil
	}
	p.rows.Advance(nowMS)
	list := p.ranking(seed)
	slices.SortFunc(list, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(a.rounded, b.rounded), p.rows.Compare(a.Row, b.Row))
	})
	return list
}

// Evaluations returns how often each rule of Ruleset.RuleNames has been evaluated in all passes so
// far. It returns nil unless the ruleset has SeatRules, because other methods do not count
// evaluations. A search that is known to fail is not repeated, so its evaluations are not counted
// again.
func (p *Pool) Evaluations() []matcher.Evaluations {
	if p.evaluations == nil {
		return nil
	}
	return p.evaluations()
}

// Apart counts the reasons why tickets are kept apart from others. The zero value is ready to use.
type Apart struct {
	MayMeet int   // number of other tickets that nothing keeps apart from the ticket
	TooMany int   // number of other tickets that would make the match too large
	Own     bool  // a rule keeps the ticket's own players apart, so that no match can hold it; see Pool.OwnObstacle
	ByRule  []int // indexed as Ruleset.RuleNames: number of other tickets for which this is the first rule that keeps them apart
}

// KeptApart compares a ticket with every other ticket at an instant in ms, and adds the reasons why
// they are kept apart to the counts of into. It makes no decisions. Call it for expiring tickets
// before the Pass that removes them. Cost: one comparison for each waiting ticket.
func (p *Pool) KeptApart(nowMS int64, row Row, into *Apart) {
	p.rows.Advance(nowMS)
	for len(into.ByRule) < len(p.names) {
		into.ByRule = append(into.ByRule, 0)
	}
	_, into.Own = p.OwnObstacle(nowMS, row)
	p.all.compact()
	for i := range p.all.members {
		other := p.all.members[i].Row
		if other == row {
			continue
		}
		switch o := p.method.obstacle(row, other, false); o.Why {
		case MayMeet:
			into.MayMeet++
		case TooMany:
			into.TooMany++
		default:
			into.ByRule[o.Rule]++
		}
	}
}

// OwnObstacle returns the first rule, as an index in Ruleset.RuleNames, that keeps the players of one
// ticket apart at an instant in ms, so that no match can hold the ticket. Under PivotRules, a party
// has one value for each rule, so there is no such rule.
func (p *Pool) OwnObstacle(nowMS int64, row Row) (rule int, apart bool) {
	if p.rows.Kind[row] != store.Ticket || p.rows.Players[row] < 2 || p.ownObstacle == nil {
		return 0, false
	}
	p.rows.Advance(nowMS)
	return p.ownObstacle(row)
}

// roles returns the seed and the candidate among two rows. The seed is the session or the older
// ticket.
func (p *Pool) roles(a, b Row) (seed, candidate Row) {
	rows := p.rows
	if rows.Kind[b] == store.Session || rows.Kind[a] == store.Ticket && rows.Older(b, a) {
		return b, a
	}
	return a, b
}
