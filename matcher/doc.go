// Package matcher is the language in which a matchmaker is described: what a ticket is,
// what a rule is, and what a proposal is. It decides nothing; package engine does.
//
// # The words
//
// A Ticket is one player, or a party that stays together, that waits for a match. A
// Session is a running server that looks for players. Players have values by Column: a
// number, a text or a set of texts. A Schema turns the names of attributes, texts and
// regions into small numbers once, so that nothing is looked up by name while matching.
//
// A Ruleset says who may be matched with whom. It has sizes, and one of
//
//   - Rules, which hold for every pair of a match or for the match as a whole
//     (rules.go),
//   - PivotRules, under which every candidate is compared with one ticket alone, the
//     pivot, both ways, each by its own wait (pivot.go), or
//   - SeatRules, expressions over the players of named teams (seats.go).
//
// A threshold is a Schedule: it changes with the time waited. Tickets of one match have
// waited for different times; ExpansionBasis and OptionalBasis say whose wait counts.
// Ruleset.Relaxation says how far every rule had given way for a match.
//
// An Outcome is what one matching pass decided: proposals for new matches, backfills of
// sessions, tickets that gave up, and searches that a budget stopped.
//
// # The packages of this room
//
// Package engine makes proposals by a Ruleset. Package scoring chooses a running server
// for a player where nobody waits. Package packing fills matches of an exact size where
// there is no ruleset. Package dialect lists the vendors; a folder below it compiles that
// vendor's configuration into a Ruleset or into the Scorer of package scoring. Package
// casefile reads scenes and what a pass over them must decide. The terms here are the
// project's own, not a vendor's.
//
// # What it is not for
//
// Nothing here moves a clock, reads a file, draws a random number or knows a datacenter:
// package sim does the first, its callers the others.
package matcher
