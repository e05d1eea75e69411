package quick

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// Checks is what follows from the rules of a ruleset and can be decided from totals.
type Checks struct {
	Spreads    []Spread // State.Enough reads only the first
	Regions    []*Rule  // latency rules
	Agreements []Agreement
	Quotas     []Quota // at most QuotasMax
	Alone      []Alone
	Traits     []Traits // indexed by row
	Compared   []Compared
	Layouts    []Layout // all allowed combinations of team sizes, largest match first, or none
	Summed     []*Rule  // the rules that are decided by checking the layouts
	Oldest     bool     // the oldest ticket decides the group's stage, not the newest
	Sorted     bool     // the candidate index is sorted by the number of the first spread
}

// Spread is a rule that limits the difference between any two players' numbers. The limit is
// Factor times the rule's largest distance.
type Spread struct {
	Rule   *Rule
	Column int
	Factor float64
}

// Most returns the largest difference that a spread allows in a stage.
func (x *Spread) Most(stage *store.Stage, complete bool) float64 {
	most := x.Rule.Most.At(stage, complete).High
	if math.IsNaN(most) { // the rule has no bound
		return math.Inf(1)
	}
	return x.Width(most)
}

// Width converts a bound of the rule to the largest difference between two numbers.
func (x *Spread) Width(bound float64) float64 { return x.Factor * (bound + Tolerance) }

// Agreement is a rule that requires all players of a match to have the same text. If the players'
// values are lists of texts, all lists must have at least one text in common.
type Agreement struct {
	Rule   *Rule
	Column int
	Lists  bool // the players' values are lists
}

// QuotasMax is the largest number of quotas.
const QuotasMax = 4

// Quota is a rule that limits how many players have a given text, such as the number of healers
// per team. A match then needs some players with that text and some without it.
type Quota struct {
	Rule     *Rule
	Measured []*expression.Expression // they read the same column, and no two of them read the same team
	Text     matcher.Text
	Of       []int // for each team: index of the expression that reads it, or -1
	Column   int
}

// Capped reports whether State.Lets decides the rule of a quota: the rule only limits how many
// players have the text.
func (q *Quota) Capped() bool { return q.Rule.Least < 0 }

// Traits is what the quotas and the rules about players alone read of a ticket.
type Traits struct {
	Has   [QuotasMax]int32 // for each quota, how many of the ticket's players have its text
	Texts uint8            // mask of the quotas whose text any of them has
	Teams uint64           // mask of the teams in which all rules about players alone hold
}

// Load sets the traits of a ticket whose values and Alone.Teams have been loaded.
func (c *Checks) Load(columns *expression.Columns, row Row) {
	t := Traits{Teams: expression.Everything}
	for i := range c.Alone {
		t.Teams &= c.Alone[i].Teams[row]
	}
	for k := range c.Quotas {
		q := &c.Quotas[k]
		if t.Has[k] = columns.Has(q.Measured[0], entry(row), q.Text); t.Has[k] > 0 {
			t.Texts |= 1 << k
		}
	}
	c.Traits = expression.Grow(c.Traits, int(row))
	c.Traits[row] = t
}

// Alone is a rule about each player alone: whether a player satisfies it does not depend on any other
// player. An example is that the boss must want to be the boss.
type Alone struct {
	Rule  *Rule
	Teams []uint64 // indexed by row: mask of the teams in which the ticket satisfies the rule
}

// Layout is a combination of team sizes that the ruleset allows. It includes the bounds on
// weighted sums that follow from the rules for these sizes.
type Layout struct {
	Sizes []float64 // number of players of each team
	Sums  []Sum
}

// Sum is a bound on a weighted sum, and the rule from which the bound follows.
type Sum struct {
	expression.Bound
	Rule *Rule
	at   int // index of the bound's column in State.columns
}
