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
// # Readings
//
// Where the guide is silent or contradicts itself, the package does the following:
//
//   - The steps of an expansion count from the creation of the newest ticket of the match, or
//     of the oldest if the algorithm says so. Their waits are absolute, and each value
//     replaces the one before.
//
//     The wait of a running match is that of its players, not the time for which it has been
//     looking for more.
//
//   - maxLatency is inclusive. All players of a match need a common region in which every
//     latency rule holds that the match must keep.
//
//   - A rule that a compound names has an effect only through the compound. A compound may
//     name compounds defined before it.
//
//   - Without flatten, the lists of teams[*] are one collection per team. A list of texts in
//     the rule set may be the reference of a collection.
//
//   - A sort by a map puts tickets without the anchor's key last, in both directions.
//
//   - partyAggregation combines the numbers or lists of a party's players into one, which
//     then counts as the value of every player of the party. Texts are not combined.
//
//   - stddev is the standard deviation of the population. The median of an even number of
//     values is the mean of the middle two.
//
//   - A function over no players has no value; but sum and count give 0, and
//     set_intersection gives an empty list. A rule that measures nothing, or whose reference
//     has no value, holds.
//
//   - "contains" counts the players whose list has the value; repeated values in a list do
//     not matter.
//
//   - A reference that looks like a property expression is one; any other text is a text.
//
//   - Numbers may be written as texts, and a single measurement without a list, because the
//     guide does so. Comments and repeated keys in an object are refused.
//
//   - The players of a running match count one by one, because a request does not contain
//     their parties. Of their latencies, only the one to the match's region is used: new
//     players join there, and the rules hold for all of them.
//
//   - A pass considers all waiting tickets together, or batches of matcher.batch tickets.
//     Batches are drawn anew in each pass, or cut from the order of sortByAttributes. Within
//     a batch, candidates are in order of age.
//
//   - A large match is built around the oldest ticket, from the tickets that reach one region
//     (or for which that region is the fastest). The anchor's region with the most players is
//     tried first. Seats are filled in the published order. Then tickets with equally many
//     players swap seats until the teams' averages of balancedAttribute are nearly equal.
//
//   - In a simulated day, the ids of players come from the data's column player_id. Without
//     it players have no ids: [playerId] gives empty lists, and there is a warning. Copies of
//     a player, from repeated rows, share an id.
//
// Settings of the service's matchmaking configuration are part of the configuration of a run:
// the request timeout (players.give_up_after), acceptance by the players (match.acceptance)
// and backfill (match.backfill).
package flexmatch
