// Package flexmatch reads FlexMatch rule sets (Amazon GameLift), exactly as the service
// stores them, and says which matches obey them.
//
// [Read] takes the text of a file, [Compile] a tree that was read already. All errors are
// found in one go; each begins FILE:LINE:COLUMN and says what was expected. What loads and
// yet cannot be meant is a warning, of the compilation or of [Ruleset.Lint].
//
// Property expressions are parsed, typed and bound to teams and attributes once, in
// expression.go. Every rule type has one file and one line in the table of rule.go.
// [Ruleset.Check] tells which rules a complete match fails.
//
// # Readings
//
// Where the guide is silent or contradicts itself:
//
//   - Steps of an expansion count from the creation of the newest ticket of the match, or of
//     the oldest as the algorithm says. They are absolute and replace the value.
//
//     A running match counts by its players, not by when it began to look for more.
//
//   - maxLatency includes its bound. All players of a match need one region in common, in
//     which all rules about latencies hold that every match must keep.
//
//   - Rules that a compound names act only through it. It may name compounds before it.
//
//   - The lists of teams[*] without flatten are a collection for each team. A list of texts
//     in the rule set may stand as the reference of a collection.
//
//   - A sort by a map puts those last who lack the anchor's key, whatever its direction.
//
//   - partyAggregation makes one number, or one list, of those of a party's players, and
//     every player of the party then counts with it. Texts are not merged.
//
//   - stddev is that of the population. The median of an even count is the mean of the
//     middle two.
//
//   - A function over no players has no value, but for sum and count, which are 0, and
//     set_intersection, which is empty. A rule that measures nothing, or whose reference
//     has no value, holds.
//
//   - "contains" counts players whose list holds the value, however often.
//
//   - A reference that looks like a property expression is one; any other text is a text.
//
//   - Numbers may be written as texts, and one measurement without a list, since the guide
//     prints them so. Comments and keys that stand twice in an object are refused.
//
//   - Players of a running match count one by one, since a request does not say who came
//     together, and with their latency to its region alone: others join where it runs, and
//     the rules hold for all of them.
//
//   - Tickets that a pass looks at together are all that wait, or batches of matcher.batch
//     tickets: drawn anew in each pass, or cut from the order of sortByAttributes. In a batch
//     candidates come by age.
//
//   - A large match is built around the oldest ticket, of those that reach one region (or have
//     it as their fastest): of the anchor's regions that with most players is tried first.
//     Seats are filled in the published order. Then tickets of equally many players change
//     seats so that the averages of balancedAttribute are nearly alike.
//
//   - In a simulated day players have the ids of the data's column player_id. Without it they
//     have none: [playerId] gives empty lists, and a warning says so. Copies of a player,
//     where rows are repeated, share an id.
//
// What belongs to the service's matchmaking configuration is part of that of a run: the
// request timeout (players.give_up_after), acceptance by the players (match.acceptance) and
// backfill (match.backfill).
package flexmatch
