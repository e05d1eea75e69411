// Package engine decides which of the tickets that wait make a match: given the tickets,
// a ruleset and an instant, it proposes matches. It moves no clock and knows neither
// people nor datacenters; the caller applies the proposals.
//
// A Pool holds tickets and open sessions. Pool.Pass makes matches at an instant:
//
//  1. Tickets that have given up leave.
//  2. Sessions look for players; then each ticket, the longest-waiting first, is the seed
//     of a match.
//  3. The other tickets are ranked by their distance from the seed, the weighted sum over
//     all rules. Those that a rule keeps apart from the seed drop out.
//  4. The group grows in rank order by every ticket that may meet all in it. When none can
//     be added the group is validated and divided into teams. If it is no match, the last
//     ticket makes room for the next one, as long as the group can still become a match
//     and the budget lasts.
//
// # How it is built
//
// From the bottom up, each package knows only those above it in this list:
//
//   - internal/store has the rows: which ticket has which number, since when it waits and
//     how the rules hold for it after that wait, its stage.
//   - internal/criterion has one file for each kind of rule, with all that the engine
//     knows about it.
//   - internal/candidate is the index: the members of a queue in the order of one rule's
//     number, with a bitmap of places for each region, text or set element. A seed that
//     cannot find enough players around it is told so by counting bits, without a
//     comparison.
//   - internal/clique grows the group and says early that it cannot become a match.
//   - internal/scan, with scan.go, is the method of matcher.Scan: one candidate after another
//     is admitted.
//   - internal/pivot, with pivot.go, is the other method: Ruleset.Pivot compares candidates
//     with the seed alone, in one of its regions after the other, and fills teams with them.
//   - internal/split divides it into teams.
//
// Pool and Subset keep the index up to date from pass to pass and remember which searches
// failed: one is repeated only when somebody new is around its seed or something changed
// there. Neither changes a decision: a new pool with the same tickets decides the same,
// and a twin in the tests, which compares everybody with everybody every time, agrees.
package engine
