// Package matcher decides who goes with whom: given the tickets that wait and an
// instant, it proposes matches. It is pure: it never moves a clock, reads nothing
// and knows neither people nor datacenters; whoever calls it applies the proposals.
//
// # The rule engine
//
// A Ruleset holds sizes, teams and rules. A Schema turns the names of attributes
// and regions into columns once. A Pool holds the waiting tickets and the open
// sessions; Pool.Pass makes matches at an instant:
//
//  1. Tickets that have given up leave.
//  2. Sessions look for players, then each ticket is the seed of a match, the
//     longest-waiting first; ties in the order of Add.
//  3. All others are ranked by their total weighted distance to the seed; who a
//     rule keeps apart from the seed drops out.
//  4. The group grows in rank order by everybody whom no rule keeps apart from the
//     group so far; when nobody can be added it is validated, teams included, and
//     if it is no match the last one added makes room for the next.
//
// Thresholds widen with the time waited (Schedule); whose waits count is set by
// ExpansionBasis and OptionalBasis. The search has a budget of steps, so that a
// crowd which nearly fits cannot stop the day; Outcome.BudgetHits tells when it ran
// out. Pool.Explain tells what keeps two apart, and until when.
//
// A pool may be kept for a day. A seed that found nothing sleeps until as many
// players came into its reach as it misses, or a rule changed; and where the longest
// wait sets the stages it is no candidate of younger seeds. A few thousand tickets
// stand in the order of one number, with a bit for each in every region that it
// reaches, so that a seed counts who is around it 64 at a time; more are found through
// an index. Tests hold all that to a simple twin that tries everything again every time.
//
// A Subset of a pool is matched apart from the rest, as the queue of a datacenter
// is; with another one as reserve where it comes to the worst. Ruleset.Relaxation
// tells how far rules had given way for a match, Pool.KeptApart what kept one who
// gave up from all others.
//
// # The star
//
// A Ruleset with a Star forms groups another way: candidates are compared with the
// seed alone, both ways, each by its own wait. They join in the order of their
// distance and fill a varying number of teams, first every team's minimum; teams
// are then divided anew, as even as can be. Pool, Pass and Explain are the same.
//
// # Scores
//
// Where nobody waits, a Scoring says how good each running Server is for one Joiner,
// as a weighted sum of Signals from 0 to 1; Scoring.Best picks the server, oldest of
// equals, or none, and Explain gives the sum line by line. A server keeps what its
// players add up to, exactly, so that a score costs a few operations for each signal
// and two servers with the same players tie, whoever left before.
//
// A Fleet is the running servers of a whole day. Fleet.Best gives the server that a
// scan over all of them would choose, and the runner-up, from bounds on groups of
// servers: among 20,000 it looks at some dozens. Measure tells what a placement looks
// like before it is weighted.
//
// Dialects (packages below this one) compile a vendor's configuration into a
// Ruleset or a Scoring. The terms here are the engine's own: no vendor's words.
//
// # The packer
//
// Packer fills matches of an exact size from a queue in walking order, where who
// may meet is a yes or no that the caller knows. The simulator's states use it.
//
// # Where to read
//
// The vocabulary is in ticket.go, rules.go, schedule.go and ruleset.go. A Pool
// (pool.go) compiles each rule to a column (column.go) and knows how far who waits is
// from every region (region.go, view.go), of many at once (vantage.go). Its Pass
// (pass.go) brings all to the instant (clock.go, stages.go), wakes whom that may help
// (memory.go) and tries one seed after another. Its candidates come from the members of
// a Subset (subset.go), who ask around (ask.go, company.go, reachsets.go, shortage.go,
// tiers.go) in the order of the axis (gathering.go, ruler.go, front.go) and are listed at
// once (lineup.go) or compared one by one (scan.go); in a large pool from the index
// (index.go), by their distance (rank.go, distance.go). search.go grows the group,
// group.go and lineup_group.go keep what it adds up to, hope.go and lineup_hope.go give
// up early, and the team files divide it. The star, balance, score and fleet files are the other two ways
// to decide; packer.go stands alone.
package matcher
