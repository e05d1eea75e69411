// Package criterion has one file for each kind of rule, with everything that the engine
// knows about that kind: the values of a ticket that it reads, its state after a wait, its
// result for a pair and for a group, and the way in which an index may narrow the search by
// it.
//
// A new kind of rule needs
//
//   - a type in package matcher (rules.go), with the values it reads and its schedules,
//   - a file here with a Ranking, and a line in New (table.go),
//   - the keys of the vendor's JSON that describe it, in a package below matcher/dialect,
//   - the same rule, as simple as possible, in the twin of package engine, which the tests
//     compare with the engine: for a rule about pairs the cases in fits, fitsPair and distance
//     of twin_test.go; for a rule about teams a case in teamsFit of twinteams_test.go,
//   - a random rule of the kind in the worlds of world_test.go. TestWorldsHaveEveryKind fails
//     for a kind that no world contains.
//
// A Ranking alone is complete: the engine then compares every pair. A rule that should also
// narrow the search implements Keyed or Valued; a rule about the whole match implements
// Grouped or Shared. Comparing and Equating save time.
//
// A rule about teams is not a Ranking but Teamed: its Ask adds a function to
// Division.Checks, which is called for every division into teams that the search tries. Its
// type in package matcher embeds ofTeams.
package criterion

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row and Limit are aliases of types that every file uses.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Criterion is a rule compiled for a pool.
type Criterion interface {
	// Rule returns the settings that all rules have.
	Rule() *matcher.Common
	// Load reads the values of a row's players. A session's members are its players.
	Load(row Row, players []matcher.Player)
	// Clear drops the data of a row that leaves.
	Clear(row Row)
	// At returns the state of the rule after a wait, and the first later wait at which it
	// changes, both in ms.
	At(waitMS int64) (Limit, int64)
	// Certain reports whether, for a row with this Limit, the rule is enforced with exactly
	// this Limit against every ticket that has waited less.
	Certain(l *Limit) bool
	// Always reports whether the rule is enforced in every group that contains a row with this
	// Limit.
	Always(l *Limit) bool
}

// Ranking is a criterion that compares two tickets. The candidates of a seed are ranked
// by the sum of weight times distance over all of them.
type Ranking interface {
	Criterion
	// Meet reports whether this rule lets two rows be in one match.
	Meet(l *Limit, a, b Row) bool
	// Distance returns the distance of two rows, from 0 to 1.
	Distance(l *Limit, a, b Row) float64
	// Observed returns the value that the rule compares with its threshold; NaN for texts. It
	// is meaningful only if Meet returns false.
	Observed(a, b Row) float64
	// Words describes how an observed value misses a threshold, in a few words.
	Words(value, bound float64) string
	// Nearest returns a lower bound of the distance of a row to any other row, valid as long as
	// the limit between them is no looser than l.
	Nearest(l *Limit, row Row) float64
}

// Crowd is up to 64 rows, with the basis that decides whose wait counts between them.
type Crowd struct {
	Rows  []Row
	Store *store.Rows
	Basis Basis
}

// Comparing is a criterion that compares all pairs of a crowd in one call.
type Comparing interface {
	Ranking
	// Part clears the pairs that the rule keeps apart. meets has an entry for each row of the
	// crowd, with a bit for each row that it may meet. at is the rule's index in the limits of
	// a stage. If Part returns false, it has done nothing, and pairs are compared one by one.
	Part(crowd *Crowd, at int, meets []uint64) bool
}

// Equating is a criterion with this property: tickets that may all meet one ticket may also
// meet each other.
type Equating interface {
	Ranking
	// Equates reports whether this is true for a row while the rule is enforced.
	Equates(row Row) bool
}

// Keyed is a criterion that may be the sort key of the index: two rows whose keys differ by
// more than the width never meet.
type Keyed interface {
	Ranking
	Key(row Row) float64 // NaN: the row may meet rows with any key
	// Width returns the width of a rule that is certain to apply with this limit, with an
	// allowance for rounding.
	Width(l *Limit) float64
	// Spread returns the largest possible difference between the keys of two members of a match
	// if l is the Limit of the member that has waited longest, or of any match if l is nil;
	// +Inf if there is no bound.
	Spread(l *Limit) float64
	// NearestBeyond returns a lower bound of the distance of two rows whose keys differ by at
	// least difference.
	NearestBeyond(l *Limit, difference float64) float64
	// Reach returns whether the rule is always enforced, and the difference at which its
	// weighted distance is 1. The index uses the rule with the smallest difference as its key.
	Reach() (always bool, difference float64)
}

// Valued is a criterion that requires all tickets of a match to have one value in common: a
// region, a text, or an element of a set. Values are numbered, and Mask has a bit for each;
// with more than 64 values, several share a bit. While the rule is enforced, a match needs a
// bit that is set in the masks of all its tickets. A rule that lets a meet b and b meet c but
// keeps a and c apart cannot be Valued.
type Valued interface {
	Ranking
	// Mask returns the values of a row; all bits set: the row may meet every row. It may depend
	// only on the Bound of l, because the index keeps the masks of all rows for each Bound.
	Mask(l *Limit, row Row) uint64
	// Filters reports whether Mask excludes any row under a limit.
	Filters(l *Limit) bool
	// Exact reports whether the seed may meet every row whose Mask has a bit of the seed's.
	Exact(l *Limit, seed Row) bool
}

// Shared is a criterion that can list the values of a seed that its match may have in common.
// clique counts the candidates that have each of them.
type Shared interface {
	Grouped
	// Loosest returns the limit of the stage that allows the most.
	Loosest() Limit
	// Values returns the number of a seed's values, under a limit, that a match around it may
	// have in common; -1: the rule requires none.
	Values(l *Limit, seed Row) int
	// Common processes up to 64 rows. sets has an entry for each value of the seed; Common sets
	// a bit for each row that also has the value.
	Common(sets []uint64, l *Limit, seed Row, rows []Row)
}

// Grouped is a criterion about all tickets of a match together. It keeps its state by depth:
// Push and Final refer to the group of the last Push.
type Grouped interface {
	Ranking
	// Push adds the last row of group, and reports whether the rule, with limit l for the whole
	// group, allows the group. The rows before it were pushed in this order.
	Push(l *Limit, group []Row) bool
	// Final reports whether the rule allows the first depth tickets as a complete match, given
	// that their Push returned true.
	Final(l *Limit, depth int) bool
}

// Divider is a criterion along whose values tickets may be split into parts that are matched
// separately.
type Divider interface {
	Criterion
	// Unsuited ranks rules, the most suitable lowest: equal texts before numbers, and rules
	// that never change before others.
	Unsuited() int
	// Order returns a function that returns the value of a row as a number to sort by, NaN if
	// there is none.
	Order(schema *matcher.Schema) func(Row) float64
}

// Basis determines whose wait counts if tickets have waited for different times.
type Basis struct {
	Shortest bool // the newest ticket determines the stage
	Any      bool // one ticket that has waited long enough makes a rule optional
}

// BasisOf returns the basis of a ruleset.
func BasisOf(set *matcher.Ruleset) Basis {
	return Basis{Shortest: set.ExpansionBasis == matcher.ShortestWait, Any: set.OptionalBasis == matcher.AnyWaited}
}

// InForce returns the limit of a rule among several tickets, and whether it is enforced. old is
// the rule's limit for the ticket that has waited longest, young for the newest.
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

// grow extends a column so that it has an entry for a row.
func grow[T any](column []T, row Row) []T {
	for int(row) >= len(column) {
		var zero T
		column = append(column, zero)
	}
	return column
}

// Narrower reports whether a rule excludes more than another, judged by the two rules alone: an
// always enforced rule before one that is not; then the rule whose full weight corresponds to
// the smaller difference.
func Narrower(a, b Keyed) bool {
	always, difference := a.Reach()
	otherAlways, otherDifference := b.Reach()
	if always != otherAlways {
		return always
	}
	return difference < otherDifference
}
