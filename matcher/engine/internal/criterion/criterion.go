// Package criterion has one file for each kind of rule, with everything that the engine
// knows about that kind: which values of a ticket it reads, how it holds after a wait,
// what it says of a pair and of a group, and how an index may narrow the search by it.
//
// A new kind of rule is
//
//   - a type in package matcher (rules.go), with the values it reads and its schedules,
//   - a file here with a Ranking, and a line in New (table.go),
//   - the keys of the vendor's JSON that describe it, in a package below matcher/dialect,
//   - the same rule written as simply as possible in the twin (twin_test.go of package
//     engine) and drawn by its random worlds (world_test.go). A test there fails for a
//     kind that no world draws.
//
// A Ranking alone is complete: the engine compares every pair. A rule that should also
// narrow the search implements Keyed or Valued, one about the whole match Grouped or
// Shared; Comparing and Equating save time.
//
// A rule about teams is no Ranking but Teamed: in Ask it adds a function to
// Division.Checks, which is asked of every division into teams that the search comes to.
// Its type in package matcher is named in IsTeamRule.
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
	// Certain tells whether the rule, given a row's Limit, is enforced by exactly that
	// Limit against every ticket that has waited less.
	Certain(l *Limit) bool
	// Always tells whether the rule is enforced in every group of which a row with this
	// Limit is a member.
	Always(l *Limit) bool
}

// Ranking is a criterion that compares two tickets. The candidates of a seed are ranked
// by the sum of weight times distance over all of them.
type Ranking interface {
	Criterion
	// Meet tells whether two rows may be in one match as far as this rule goes.
	Meet(l *Limit, a, b Row) bool
	// Distance returns the distance of two rows, from 0 to 1.
	Distance(l *Limit, a, b Row) float64
	// Observed returns what the rule compares with its threshold. It means something only
	// where Meet says no, and is NaN for texts.
	Observed(a, b Row) float64
	// Words says by how much an observed value misses a threshold, in a few words.
	Words(value, bound float64) string
	// Nearest returns a lower bound of the distance of a row to any other, valid while the
	// limit between them is no looser than l.
	Nearest(l *Limit, row Row) float64
}

// Crowd is up to 64 rows, and whose wait counts between them.
type Crowd struct {
	Rows  []Row
	Store *store.Rows
	Basis Basis
}

// Comparing is a criterion that compares all pairs of a crowd at once, which takes a third
// of the time of a Meet for each pair.
type Comparing interface {
	Ranking
	// Part takes those pairs from meets that the rule keeps apart: by place in the crowd, a
	// bit for the place of each other. at is the rule's place among the limits of a stage.
	Part(crowd *Crowd, at int, meets []uint64)
}

// Equating is a criterion under which tickets that may all meet one ticket may meet each
// other, too.
type Equating interface {
	Ranking
	// Equates tells whether this is so for a row while the rule is enforced.
	Equates(row Row) bool
}

// Keyed is a criterion that may serve as the sort key of the index: two rows whose keys
// differ by more than the width never meet.
type Keyed interface {
	Ranking
	Key(row Row) float64 // NaN: the row may meet every key
	// Width is that of a rule which is certain to hold like this, rounding included.
	Width(l *Limit) float64
	// Spread returns the most that the keys of two members of a match may differ where l
	// is the Limit of the member that has waited longest, or in any match if l is nil;
	// +Inf if there is no bound.
	Spread(l *Limit) float64
	// NearestBeyond returns a lower bound of the distance of two rows whose keys differ
	// by at least difference.
	NearestBeyond(l *Limit, difference float64) float64
	// Reach returns whether the rule is always enforced, and the difference at which its
	// weighted distance is 1: the index goes by the rule with the least.
	Reach() (always bool, difference float64)
}

// Valued is a criterion under which all tickets of a match have one value in common: a
// region, a text, an element of a set. Values are numbered, and Mask has a bit for each;
// where there are more than 64, several values share a bit. While the rule is enforced, a
// match needs a bit that the masks of all its tickets have. A rule that lets a and b meet,
// and b and c, but keeps a and c apart does not fit in here.
type Valued interface {
	Ranking
	// Mask returns the values of a row; all bits: the row may meet everybody. Of l it may
	// use the Bound alone: the index keeps the masks of all rows for each Bound.
	Mask(l *Limit, row Row) uint64
	// Filters tells whether Mask excludes anybody under a limit.
	Filters(l *Limit) bool
}

// Shared is a criterion that can list the values of a seed which its match may have in
// common; clique counts the candidates that have each of them.
type Shared interface {
	Grouped
	// Loosest returns the limit of the stage that allows most.
	Loosest() Limit
	// Values returns how many values a seed has under a limit, any of which a match
	// around it may have in common; -1: the rule asks for none.
	Values(l *Limit, seed Row) int
	// Common adds up to 64 rows to sets: by value of the seed's, a bit for each row that has
	// it too.
	Common(sets []uint64, l *Limit, seed Row, rows []Row)
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

// Narrower tells whether a rule rules out more than another, as far as the two by
// themselves tell: one that is always enforced before one that is not, then the one whose
// full weight stands for less difference.
func Narrower(a, b Keyed) bool {
	always, difference := a.Reach()
	otherAlways, otherDifference := b.Reach()
	if always != otherAlways {
		return always
	}
	return difference < otherDifference
}
