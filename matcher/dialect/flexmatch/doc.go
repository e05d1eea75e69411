// Package flexmatch reads FlexMatch rule sets (Amazon GameLift) in the JSON that the service
// stores, and compiles them for the engine.
//
// [Read] takes the text of a file, [Compile] a parsed tree. Errors are collected; each begins
// with FILE:LINE:COLUMN and says what was expected. A rule set that loads but cannot work as
// intended causes warnings, by the compilation or by [Ruleset.Lint].
//
// Property expressions are parsed, typed and bound to teams and attributes once, in
// expression.go. Every rule type has one file and one line in the table of table.go.
//
// # Interpretations
//
// Where the developer guide is silent or contradicts itself, the package does the following:
//
//   - The steps of an expansion count from the creation of the newest ticket of the match, or of
//     the oldest if the algorithm says so. The waits of the steps are absolute, and each value
//     replaces the previous one. The time for which a running match has been looking for players
//     does not count.
//
//   - maxLatency is inclusive. All players of a match need a common region in which all latency
//     rules hold that the match must satisfy.
//
//   - A rule that a compound names has an effect only through the compound. A compound may name
//     a compound that precedes it.
//
//   - Without flatten, the lists of teams[*] are one collection per team. A list of texts in
//     the rule set may be the reference of a collection.
//
//   - A sort by a map uses one key of the anchor ticket. Tickets without this key are last, in
//     both directions.
//
//   - partyAggregation combines the numbers or lists of a party's players into one, which
//     then counts as the value of every player of the party. Texts are not combined.
//
//   - stddev is the standard deviation of the population. The median of an even number of
//     values is the mean of the middle two.
//
//   - Over no players, sum and count give 0, set_intersection gives an empty list, and other
//     functions have no value. A rule without measured values, or whose reference has no value,
//     is satisfied.
//
//   - "contains" counts the players whose list has the value; repeated values in a list do
//     not matter.
//
//   - A reference that looks like a property expression is one; any other text is a text.
//
//   - Numbers may be written as texts, and a single measurement may be written without a list,
//     because the guide does so. Comments and duplicate keys are errors.
//
//   - The players of a running match are treated as parties of one, because a backfill request
//     does not contain their parties. Only their latencies to the match's region are used: new
//     players join there, and the rules must hold for all players.
//
//   - A pass considers all waiting tickets together, or batches of matcher.batch tickets.
//     Batches are drawn at random in each pass, or are consecutive tickets in the order of
//     sortByAttributes. Within a batch, candidates are in order of age.
//
//   - A large match is built around the oldest ticket, the anchor, from the tickets that accept
//     one region (with fastestRegion: for which this region is the fastest). Of the anchor's
//     regions, the one with the most players is tried first. Teams are filled in the order that
//     the guide describes. Then tickets with the same number of players change places until the
//     teams' averages of balancedAttribute are nearly equal.
//
//   - In a simulated day, the column player_id of the data supplies the ids of players. Without
//     the column, [playerId] gives empty lists, and there is a warning. Repeated rows of a
//     player share an id.
//
// Settings of the service's matchmaking configuration are part of the configuration of a run:
// the request timeout (players.give_up_after), acceptance by the players (match.acceptance)
// and backfill (match.backfill).
package flexmatch
