// Package flexmatch compiles FlexMatch rule sets (Amazon GameLift) for the engine. It reads the
// JSON that the service stores.
//
// Errors are collected. Each
// begins with FILE:LINE:COLUMN and says what was expected. Reading and [Ruleset.Lint] return
// warnings about rule sets that are valid but cannot work as intended.
//
// Property expressions are parsed, typed and bound to teams and attributes once, in expression.go.
// Every rule type has an entry in the table ruleTypes and a method, in rules.go.
//
// # Interpretations
//
// Where the developer guide is silent or contradicts itself, the package does the following:
//
//   - The wait that selects the steps of an expansion is the wait of the newest ticket in the match,
//     or of the oldest if the algorithm says so. Each step replaces the previous value. The time for
//     which a running match has been looking for players does not count.
//
//   - maxLatency is inclusive. The players of a match must have a common region in which all
//     required latency rules hold.
//
//   - A rule to which a compound rule refers has an effect only through the compound rule. A compound
//     rule may refer to an earlier compound rule.
//
//   - Without flatten, teams[*] gives one collection per team. The reference of a collection may be
//     a list of texts in the rule set.
//
//   - A sort by a map uses one key of the anchor ticket. Tickets without this key come last, whether
//     the order is ascending or descending.
//
//   - partyAggregation combines the numbers or lists of a party's players into one value, which every
//     player of the party then has. Texts are not combined.
//
//   - stddev is the standard deviation of the population. The median of an even number of values
//     is the mean of the middle two.
//
//   - For a team without players, sum and count are 0, set_intersection is an empty list, and all
//     other functions have no value. A rule is satisfied if it measures no values or if its reference
//     has no value.
//
//   - "contains" counts the players whose list has the value. Repeated values in a list do not
//     matter.
//
//   - A reference that looks like a property expression is one. Any other text is a plain text.
//
//   - Numbers may be written as texts, and a single measurement may be written without a list,
//     because the guide does both. Comments and duplicate keys are errors.
//
//   - The players of a running match are treated as parties of one, because a backfill request does
//     not contain their parties. New players join in the region of the match, so only the latencies
//     to that region count, and the rules must hold for all players.
//
//   - A pass considers all waiting tickets together, or batches of tickets (configuration key
//     matcher.batch). Batches are drawn at random in each pass, or are consecutive tickets in the
//     order of sortByAttributes. In a batch, older tickets come first.
//
//   - A large match is built around the oldest ticket, the anchor, from tickets that accept a
//     common region. With fastestRegion, that region must be their fastest. Among the regions of
//     the anchor, the one with the most players is tried first. Teams are filled in the order that
//     the guide describes. Then the tickets of each size are distributed among the teams again, so
//     that the averages of balancedAttribute become nearly equal.
//
//   - In a simulated day, the ids of players come from the column player_id of the data. Without
//     that column, [playerId] gives empty lists, and there is a warning. All rows of a player in
//     the data have the same id.
//
// A run's configuration, not the rule set, contains what the service keeps in its matchmaking
// configuration: the request timeout (players.give_up_after), whether players must accept
// (match.acceptance), and backfill (match.backfill).
package flexmatch
