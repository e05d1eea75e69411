// Package criterion has one file for each kind of rule. The file contains everything that the
// engine knows about that kind: the values that it reads, its state after a wait, its result for a
// pair of tickets and for a group, and the way in which the index may use it to narrow a search.
//
// A new kind of rule needs
//
//   - a type in package matcher (rules.go), with its schedules and the columns that it reads, and its
//     name in the comment of Rule; a check of its fields in validateRule, with a case in
//     TestRulesetValidate, because no other test notices that the check is missing,
//   - a file here that implements Ranking, and a line in New (table.go). A kind that differs from
//     another only in what it reads may embed the other's type. Cases in TestPairs (criterion_test.go)
//     and a test of its Words are the kind's own: no test of all kinds reads the words,
//   - to be usable from a vendor's JSON, code in a package below matcher/dialect that compiles it into
//     the rule; the engine and its tests do not need it,
//   - for any vendor, a case in ScaleOf of cmd/mmsim/experiment/binding/suggest.go, and for PlayFab, a
//     case in the method rule of playfab/lint.go, which both panic for an unknown kind,
//     and a case file in playfab/testdata/more. The checks of finished days in
//     cmd/mmsim/experiment (recheck_playfab_test.go, recheck_rulesets_test.go) read only the lists
//     of rules that they name,
//   - a simple second implementation in the tests of package engine, which compare it with the
//     engine. A rule about pairs needs cases in fits, fitsPair and distance of twin_test.go. A rule
//     about teams needs a case in teamsFit of twinteams_test.go,
//   - random rules of the kind in the method ruleset of randomcase_test.go. If the rule reads a new
//     attribute, that also needs a column in newRandomCase and values in the method player.
//     TestRandomCasesHaveEveryKindOfRule fails for a kind that never occurs.
//
// Implementing Ranking is enough: the engine then compares every pair of tickets. Embed base, which
// implements Criterion; its Load does nothing, so a rule that reads values of players needs a Load
// of its own. Nearest may return 0. A rule that should also narrow the search implements Keyed or
// Valued, which the twin need not know. A rule about the whole match implements Grouped, and needs a
// case in the twin's feasible, or Shared, and needs one in the twin's valuesOf. Comparing and Equating
// save time.
//
// A rule about teams implements Teamed instead of Ranking. Its method Ask adds a function to
// Division.Checks, which is called for every division into teams that the search tries. Its type in
// package matcher embeds ofTeams.
//
// A method without a comment implements one of the interfaces of this package.
package criterion

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row and Limit are short names for types of package store.
type (
	Row   = store.Row
	Limit = store.Limit
)

// Criterion is a rule compiled for a pool.
type Criterion interface {
	// Rule returns the settings that all rules have.
	Rule() *matcher.Common
	// Load reads the values of a row's players. A session's members are its players, and it may have none.
	Load(row Row, players []matcher.Player)
	// Clear drops the data of a row that leaves.
	Clear(row Row)
	// At returns the state of the rule after a wait in ms, and the wait at which that state next
	// changes.
	At(waitMS int64) (l Limit, untilMS int64)
	// Certain reports whether exactly this Limit is enforced between a row with this Limit and any
	// row that has waited less.
	Certain(l *Limit) bool
	// Always reports whether the rule is enforced in every group that contains a row with this
	// Limit.
	Always(l *Limit) bool
}

// Ranking is a criterion that compares two tickets. The candidates of a seed are ranked by the sum
// of weight times distance over all Rankings.
type Ranking interface {
	Criterion
	// Meet reports whether this rule lets two rows be in one match.
	Meet(l *Limit, a, b Row) bool
	// Distance returns the distance of two rows, from 0 to 1.
	Distance(l *Limit, a, b Row) float64
	// Observed returns the value that the rule compares with its threshold, or NaN for texts. The
	// engine calls it only after Meet has returned false.
	Observed(a, b Row) float64
	// Words describes in a few words how an observed value violates the threshold, which is the
	// parameter bound.
	Words(value, bound float64) string
	// Nearest returns a lower bound of the distance between a row and any other row. The bound
	// holds as long as the limit between the two rows is not looser than l.
	Nearest(l *Limit, row Row) float64
}

// Crowd contains up to 64 rows.
type Crowd struct {
	Rows  []Row
	Store *store.Rows
}

// Comparing is a criterion that compares all pairs of a crowd in one call.
type Comparing interface {
	Ranking
	// Part clears bits for the pairs of rows that the rule keeps apart. meets has an entry for
	// each row of the crowd, with a bit for each row that it may meet. at is the rule's index in
	// the limits of a stage. If Part returns false, it has not changed meets, and the caller must
	// compare the pairs one by one.
	Part(crowd *Crowd, at int, meets []uint64) bool
}

// Equating is a criterion for which some rows have this property: all tickets that may meet the row
// may also meet each other.
type Equating interface {
	Ranking
	// Equates reports whether a row has the property while the rule is enforced.
	Equates(row Row) bool
}

// Keyed is a criterion with a number that can be the sort key of the index. Two rows never meet if
// their keys differ by more than Width. A rule cannot be Keyed if rows with distant keys may meet.
// For example, the hours 23 and 0 are close to each other.
type Keyed interface {
	Ranking
	// Key returns the sort key of a row, or NaN if the row may meet rows with any key.
	Key(row Row) float64
	// Width returns the largest difference of keys that the rule allows while it is enforced with
	// a limit. It includes an allowance for rounding.
	Width(l *Limit) float64
	// Spread returns the largest possible difference between the keys of two rows of a match, or
	// +Inf if there is no limit. l is the Limit of the row that has waited longest, or nil for any
	// match.
	Spread(l *Limit) float64
	// NearestBeyond returns a lower bound of the distance between two rows whose keys differ by the
	// parameter difference or more.
	NearestBeyond(l *Limit, difference float64) float64
	// Strictness reports whether the rule is always enforced, and returns the difference of keys at
	// which its weighted distance is 1. The index prefers the rule with the smallest difference.
	Strictness() (always bool, difference float64)
}

// Valued is a criterion that requires all tickets of a match to have a value in common, which is a
// region, a text, or an element of a set. Values are numbered, and Mask has a bit for each of them.
// If there are more than 64 values, some values share a bit. While the rule is enforced, a match
// needs a bit that is set in the masks of all its tickets. A rule cannot be Valued if it lets rows
// a and b meet, and b and c, but keeps a and c apart although all three share a bit.
type Valued interface {
	Ranking
	// Mask returns a row's values under a limit as a set of bits. Two rows whose masks have no bit
	// in common cannot meet. All bits are set if the row may meet every other row. The mask may
	// depend only on the Bound of l, because the index keeps the masks of all rows for each Bound.
	Mask(l *Limit, row Row) uint64
	// Filters reports whether Mask can exclude any row under a limit.
	Filters(l *Limit) bool
	// Exact reports whether a seed may meet every row whose Mask has a bit in common with its own.
	Exact(l *Limit, seed Row) bool
}

// Shared is a criterion that lists which of the seed's values all tickets of its match may have in
// common. Package clique counts the candidates that have each of these values.
type Shared interface {
	Grouped
	// Loosest returns the limit of the loosest stage.
	Loosest() Limit
	// Values returns the number of a seed's values that its match may have in common under a
	// limit. It returns -1 if the match needs no common value.
	Values(l *Limit, seed Row) int
	// Common sets bits in the slice sets. The slice has an entry for each of the seed's values, and
	// an entry has a bit for each of up to 64 rows. Common sets the bit of every row that has the
	// value too.
	Common(sets []uint64, l *Limit, seed Row, rows []Row)
}

// Grouped is a criterion about all tickets of a match together. It keeps a state for each depth of
// the group, so that a search can go back to a shorter group.
type Grouped interface {
	Ranking
	// Push adds the last row of group. The rows before it must have been pushed before, in this
	// order. Push reports whether the rule allows the group under l, the limit for the whole group.
	Push(l *Limit, group []Row) bool
	// Final reports whether the rule allows the pushed group as a complete match. The parameter
	// depth is its number of tickets. Push must have returned true for each of them.
	Final(l *Limit, depth int) bool
}

// Divider is a criterion with values by which tickets may be split into parts that are matched
// separately.
type Divider interface {
	Criterion
	// Unsuited returns a rank, which is lowest for the most suitable rule. Rules that never change
	// are more suitable than others, and texts are more suitable than numbers.
	Unsuited() int
	// Order returns a function that returns a row's value as a number to sort by. The number is NaN
	// if the row has no value.
	Order(schema *matcher.Schema) func(Row) float64
}

// Basis determines whose wait counts for a rule if tickets have waited for different times.
type Basis struct {
	Shortest bool // the newest ticket's wait sets the stage, otherwise the oldest ticket's wait
	Older    bool // the newest ticket's wait sets the stage of some rule of the ruleset, so candidates may be older than the seed
	Any      bool // a rule is optional if any ticket has waited long enough, otherwise if all have
}

// BasisOf returns the basis of a rule.
func BasisOf(set *matcher.Ruleset, rule matcher.Rule) Basis {
	return Basis{Shortest: set.BasisOf(rule) == matcher.ShortestWait, Older: !set.OldestDecides(), Any: set.OptionalBasis == matcher.AnyWaited}
}

// InForce returns the limit of a rule among several tickets, and reports whether the rule is
// enforced. old and young are the rule's limits for the tickets with the longest and the shortest
// wait.
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

// Narrower reports whether rule a is a better sort key of the index than rule b. A rule that is
// always enforced is better than one that is not. Otherwise, the rule for which Keyed.Strictness returns
// the smaller difference is better.
func Narrower(a, b Keyed) bool {
	always, difference := a.Strictness()
	otherAlways, otherDifference := b.Strictness()
	if always != otherAlways {
		return always
	}
	return difference < otherDifference
}
