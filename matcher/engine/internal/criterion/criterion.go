// Package criterion has one file for each kind of rule, with everything that the engine
// knows about that kind: which values of a ticket it reads, how it holds after a wait,
// what it says of a pair and of a group, and how an index may narrow the search by it.
//
// A new kind is a type of package matcher, a file here and a line in New (table.go).
package criterion

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row and Limit are short for what every file here uses.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Criterion is a rule compiled for a pool.
type Criterion interface {
	// Rule returns what all rules have.
	Rule() *matcher.Common
	// Load reads the values of a row's players. A session's members are its players.
	Load(row Row, players []matcher.Player)
	// Clear forgets a row that leaves.
	Clear(row Row)
	// At returns the rule as it holds after a wait, and the first later wait at which it
	// differs, both in ms.
	At(waitMS int64) (Limit, int64)
	// Certain tells whether a rule that holds like this for a row is enforced between the
	// row and every ticket that has waited less, with this very Limit.
	Certain(l *Limit) bool
	// Always tells whether the rule is enforced in every group of which a row with this
	// Limit is a member.
	Always(l *Limit) bool
}

// Ranking is a criterion that compares two tickets. The candidates of a seed are ranked
// by the sum of weight times distance over all of them.
type Ranking interface {
	Criterion
	// Pair returns the distance of two rows, from 0 to 1, and whether they may be in one
	// match as far as this rule goes.
	Pair(l *Limit, a, b Row) (distance float64, ok bool)
	// Observed returns what the rule compares with its threshold; NaN for texts.
	Observed(a, b Row) float64
	// Nearest returns a lower bound of the distance of a row to any other, for rules
	// that hold between them at most as widely as l.
	Nearest(l *Limit, row Row) float64
}

// Keyed is a criterion that may serve as the sort key of the index: two rows whose keys
// differ by more than the width never meet.
type Keyed interface {
	Ranking
	Key(row Row) float64 // NaN: the row may meet every key
	// Width is that of a rule which is certain to hold like this, rounding included.
	Width(l *Limit) float64
	// Spread returns how far apart the keys of any two of a group may be of which a row
	// with this Limit has waited longest, nil: of any group; +Inf where nothing is sure.
	Spread(l *Limit) float64
	// NearestBeyond returns a lower bound of the distance of two rows whose keys differ
	// by at least difference.
	NearestBeyond(l *Limit, difference float64) float64
}

// Valued is a criterion under which tickets need a value in common. Values are numbered,
// and Mask has a bit for each; where there are more than 64, several values share a bit.
// Two rows whose masks have no bit in common do not meet, while the rule is enforced.
type Valued interface {
	Ranking
	Mask(l *Limit, row Row) uint64 // all ones: the row may meet everybody
	// Filters tells whether Mask excludes anybody under a limit.
	Filters(l *Limit) bool
}

// Shared is a criterion under which all tickets of a match need a value in common.
type Shared interface {
	Grouped
	// Loosest returns the limit of the stage that allows most.
	Loosest() Limit
	// Values returns how many values a seed has under a limit, any of which a match
	// around it may have in common; -1: the rule asks for none.
	Values(l *Limit, seed Row) int
	// AppendCommon appends which of the seed's values a row has, numbered from 0.
	AppendCommon(dst []int, l *Limit, seed, row Row) []int
}

// Grouped is a criterion about all tickets of a match together. It keeps what they add up
// to by depth: Push and Final speak of the group that was pushed last.
type Grouped interface {
	Ranking
	// Push takes in the last of group, and tells whether the rule, held by l for the
	// whole group, lets the group be. Those before it were pushed in this order.
	Push(l *Limit, group []Row) bool
	// Final tells whether the rule lets the first depth tickets be a match; what Push said holds
	// already.
	Final(l *Limit, depth int) bool
}

// Divider is a criterion along whose values tickets may be split into parts that are
// matched apart.
type Divider interface {
	Criterion
	// Unsuited ranks the rules by how little they suit: equal texts before numbers, those
	// that always hold alike before others.
	Unsuited() int
	// Order returns the value of a row as a number to sort by, NaN without one.
	Order(schema *matcher.Schema) func(Row) float64
}

// Basis is whose wait counts where tickets have waited for different times.
type Basis struct {
	Shortest bool // the newest ticket sets the stage
	Any      bool // one ticket that has waited long enough makes a rule optional
}

// BasisOf returns the basis of a ruleset.
func BasisOf(set *matcher.Ruleset) Basis {
	return Basis{Shortest: set.ExpansionBasis == matcher.ShortestWait, Any: set.OptionalBasis == matcher.AnyWaited}
}

// InForce returns a rule as it holds among tickets, of which it holds like old for the one
// that has waited longest and like young for the newest, and whether it is enforced.
func (b Basis) InForce(old, young *Limit) (l *Limit, enforced bool) {
	l = old
	if b.Shortest {
		l = young
	}
	if b.Any {
		return l, l.Active && !old.Optional
	}
	return l, l.Active && !young.Optional
}

// grow makes room for a row in a column.
func grow[T any](column []T, row Row) []T {
	for int(row) >= len(column) {
		var zero T
		column = append(column, zero)
	}
	return column
}
