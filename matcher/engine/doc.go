// Package engine proposes matches, given waiting tickets, a ruleset and an instant. It has no
// clock and does not know about people or datacenters; the caller applies the proposals.
//
// A Pool holds tickets and open sessions. Pool.Pass makes matches at an instant:
//
//  1. Tickets that have given up leave.
//  2. Sessions look for players; then each ticket, the longest-waiting first, is the seed
//     of a match.
//  3. The other tickets are ranked by their distance from the seed, the weighted sum over
//     all rules. A ticket is dropped if a rule keeps it apart from the seed, or if too few of
//     the remaining tickets may meet it.
//  4. The group grows in rank order by every ticket that may meet all tickets in it. When no
//     ticket can be added, the group is validated and divided into teams. If it is not a
//     match, the last ticket is replaced by the next candidate, as long as the group can
//     still become a match and the budget is not used up.
//
// # Structure
//
// From the bottom up; each package depends only on packages above it in this list:
//
//   - internal/store holds the rows: the ticket of each row, the time since when it waits, and
//     its stage, which is the state of the rules after that wait.
//   - internal/criterion has one file for each kind of rule, with everything that the engine
//     knows about that kind.
//   - internal/candidate is the index: the members of a queue, ordered by the number of one
//     rule, with a bitmap of entries for each region, text or set element. Counting bits is
//     enough to find that a seed has too few players around it; no rows are compared.
//   - internal/clique grows the group and detects early that it cannot become a match.
//   - internal/reach holds the round-trip times of every row to every region, for the next
//     two packages.
//   - internal/scan, with scan.go, is the method of matcher.Scan: candidates are admitted one
//     after another.
//   - internal/pivot, with pivot.go, is the method of Ruleset.Pivot: it compares candidates
//     only with the seed, in one of the seed's regions after another, and fills teams with
//     them.
//   - internal/seating, with seats.go, is the method of Ruleset.Seats: it seats tickets in
//     named teams by rules that are expressions over these teams.
//   - internal/split divides a group into teams.
//
// Pool and Subset keep the index up to date between passes and remember failed searches. A
// failed search is repeated only after a ticket was added around its seed or something around
// it changed. Neither affects decisions: a new pool with the same tickets makes the same
// ones. The tests compare the engine with a simple second implementation, which compares
// every ticket with every other in each pass.
//
// # Adding a method
//
// Rules of a vendor that are neither about pairs nor about a pivot need another method on the
// same store, criteria and index: columns to load, the limits of a stage (team sizes are
// limits too), the rules of the index, and a search around one seed. FlexMatch is an example
// (internal/seating). An expression over a team that is not full has a range of values; a
// rule over ranges holds, fails or is open. A partial group is dropped only if every complete
// group would fail, so "not" needs no special case.
//
// FlexMatch needed no changes to rows and stages, and these additions around the index. A
// limit that only widens is treated as certain under ShortestWait, by a wrapper. Because the
// newest member of a group determines its stage, the index counts players for every stage
// that the group may then be in, before any candidate is listed (Index.EnoughByNewest). For
// the same reason, what a ticket adds to the possible matches is known before the first seed,
// and only seeds that may be in such a match are tried again (Index.Invalidate).
// Candidates are needed in order of age, which the ranks of Gather give
// (Index.AppendByAge). A limit on the distance of all numbers from their average also bounds
// the distance between two of them, and narrows the query as a batchDistance does.
//
// Measured, in tickets per CPU second with 1,000 and 10,000 waiting: 5v5 by skill and region
// 226,000, 240,000 (groups: 278,000, 340,000). With team averages within 50: 185,000, 50,000;
// of the 10,000 seeds 8 reached the budget. A match of 90 to 100 players from 10,000 tickets
// takes 2.5 to 5 ms. Rules that only a complete match decides, other than bounds on averages
// and sums, are still slow: a search tries groups until its budget is used up.
package engine
