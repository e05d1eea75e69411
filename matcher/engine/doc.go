// Package engine proposes matches for waiting tickets under a ruleset, at a given instant. It has
// no clock and knows nothing about people or datacenters. The caller applies the proposals.
//
// A Pool contains tickets and open sessions. Pool.Pass makes matches at an instant:
//
//  1. Tickets that have given up leave the pool.
//  2. Sessions look for players. Then each ticket, in order of age, is the seed of a match: the
//     engine looks for other tickets that complete the match.
//  3. The other tickets are the seed's candidates. They are ranked by their distance from the seed,
//     which is the weighted sum of the distances of all rules. A candidate is dropped if a rule
//     keeps it apart from the seed, or if too few of the remaining candidates may be in a match
//     with it.
//  4. The group starts with the seed and grows in rank order. A candidate joins if it may meet all
//     tickets in the group. When no candidate can join, the group is validated and divided into
//     teams. If it is not a match, the last ticket is replaced by the next candidate, as long as
//     the group can still become a match and the search has not used up Ruleset.Budget.
//
// Steps 3 and 4 describe matcher.Rule. PivotRules and SeatRules have other searches, which are
// listed below. With SeatRules, sessions may also be served together with tickets or after them,
// see matcher.Priority.
//
// # Structure
//
// The packages below are listed from the bottom up. Each depends only on packages above it in this
// list:
//
//   - internal/store assigns a row to each ticket and session. For each row it has the instant
//     since which the ticket waits, and its stage, which is the state of all rules after that wait.
//   - internal/split divides a group into teams.
//   - internal/reach has the round-trip times of every row and the regions within each threshold.
//   - internal/criterion has one file for each kind of matcher.Rule, with everything that the
//     engine knows about that kind.
//   - internal/candidate is the index. It sorts tickets by the number of one rule, and has a bitmap
//     of tickets for each region, text or set element. By counting bits it finds seeds with too few
//     players around them, so that no tickets need to be compared. Its Ranker ranks candidates.
//   - internal/clique is the search of Ruleset.Rules, as described above. It detects early that a
//     group cannot become a match.
//   - internal/around has what the next two packages share. For every ticket, it has the values
//     that rules read. For a seed, it has the candidates in a region.
//   - internal/accelpage is the search of Ruleset.Pivot. It tries the seed's regions one after another,
//     compares candidates only with the seed, and fills teams with them.
//   - internal/accelservice is the search of PivotRules.InTurn. It admits candidates one after another.
//   - internal/expression evaluates expressions over the players of a match.
//   - internal/quick decides from the totals of a group whether a ticket may join it, and whether the
//     candidates that are left are enough.
//   - internal/seating is the search of Ruleset.Seats. It seats tickets in named teams. Its rules
//     are expressions over these teams.
//
// In this package, groups.go, accelpage.go, accelservice.go and seats.go connect these searches to a Pool. Each
// implements the interface method; around.go has what accelpage.go and accelservice.go share. The word method below means such a search with its rules.
//
// Pool and Subset keep the index up to date between passes and remember failed searches. A failed
// search is repeated only after a ticket was added around its seed or a ticket there changed. This
// saves time and never changes a decision: a new pool with the same tickets makes the same
// decisions. The tests compare the engine with a simple second implementation, which compares every
// ticket with every other ticket in each pass.
//
// # Adding a kind of rule
//
// Package criterion lists what a new kind of rule needs.
//
// # Adding a method
//
// A vendor may have rules that are neither about pairs nor about a pivot. Such rules need a new
// method, which uses the same store, criteria and index. A method loads the values of tickets,
// computes the limits of a stage (including team sizes), selects the rules of the index, and
// searches around one seed.
//
// FlexMatch is an example (internal/seating). While a team is not full, an expression over it has a
// range of possible values, and a rule holds, fails or is still undecided. A partial group is dropped
// only if every complete group would fail, so the operator "not" needs no special case.
//
// FlexMatch needed no changes to package store, but these additions to the index:
//
//   - Under matcher.ShortestWait, the newest member of a group determines its stage. The index
//     therefore counts players for every stage that the group may then be in, before any candidate
//     is listed (Query.EnoughByNewest).
//   - For the same reason, the index knows before the first seed which tickets may be in a match
//     that a new ticket makes possible. Only these tickets are tried again as seeds
//     (Index.Invalidate).
//   - Candidates are needed in order of age (Index.AppendByAge and, for a few of many, Query.ByAge).
//   - A session has several players instead of one seed (Query.Beside).
//
// If a rule limits the distance of all numbers from their average, it also limits the distance
// between any two of them. The index uses such a rule in the same way as a BatchDistance rule.
//
// # Cost
//
// FlexMatch rules for 5v5 by skill and region match 226,000 tickets per CPU second with 1,000
// tickets waiting, and 240,000 with 10,000 waiting. The same rules about pairs, in internal/clique,
// match 278,000 and 340,000. If team averages must be within 50, FlexMatch rules match 185,000 and
// 50,000, and 8 of 10,000 seeds use up the budget. A match of 90 to 100 players from 10,000 tickets
// takes 2.5 to 5 ms. Rules that only a complete match can decide are slow, except for limits on
// averages and sums: a search tries groups until its budget is used up.
package engine
