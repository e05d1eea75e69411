// Package matcher defines the data types that describe a matchmaker: tickets, rules and
// proposals. It makes no decisions; package engine does.
//
// # The words
//
// A Ticket is a player, or a party that stays together, waiting for a match. A Session is a
// running server that looks for players. A player has one value for each Column: a number, a
// text or a set of texts. A Schema turns the names of attributes, texts and regions into
// small numbers once, so matching never looks up a name.
//
// A Ruleset defines which tickets may be matched with each other. It has sizes, and one of
//
//   - Rules, which hold for every pair of tickets in a match or for the whole match
//     (rules.go),
//   - PivotRules, which compare every candidate with a single ticket, the pivot, in both
//     directions, each side by its own wait (pivot.go), or
//   - SeatRules, expressions over the players of named teams (seats.go).
//
// A threshold is a Schedule, which changes with the time waited. The tickets of a match have
// waited for different times; ExpansionBasis and OptionalBasis select the wait that counts.
// Ruleset.Relaxation returns how far each rule was relaxed for a match.
//
// An Outcome is the result of one matching pass: proposals for new matches, backfills of
// sessions, tickets that gave up, and searches that ran out of budget.
//
// # The packages of this room
//
// Package engine makes proposals under a Ruleset. Package scoring chooses a running server
// for each player in services without a queue. Package packing fills matches of an exact
// size when there is no ruleset. Package dialect lists the vendors; each folder below it
// compiles one vendor's configuration into a Ruleset, or into the Scorer of package scoring.
// Package casefile reads scenes and the expected outcome of a pass over them. The terms here
// are the project's own, not a vendor's.
//
// # What it is not for
//
// Nothing here advances a clock, reads a file, draws a random number or knows a datacenter.
// Package sim advances the clock; its callers do the rest.
package matcher
