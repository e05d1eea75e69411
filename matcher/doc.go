// Package matcher defines the data types that describe a matchmaker: tickets, rules and proposals.
// It makes no decisions; package engine does.
//
// # Terms
//
// A Ticket is a player, or a party that stays together, waiting for a match. A Session is a running
// server that looks for players. A player has one value for each Column, which is a number, a text
// or a set of texts. A Schema maps the names of attributes, texts and regions to small integers
// once, so matching never looks up a name.
//
// A Ruleset defines which tickets may be matched with each other. It limits the number of players,
// and it has one of three kinds of rules:
//
//   - Rules restrict every pair of tickets in a match, or the match as a whole (rules.go).
//   - PivotRules compare every candidate with a single ticket, the pivot. The pair must satisfy the
//     thresholds of both tickets, and a ticket's thresholds depend on its own wait (pivot.go).
//   - SeatRules are expressions over the players of named teams (seats.go).
//
// Thresholds change with the time waited; a Schedule or Steps describes how. The tickets of a match
// have waited for different times. ExpansionBasis and OptionalBasis select whose wait counts, and the
// field Basis of a rule does so for that rule.
// Ruleset.Relaxation returns how far each rule was relaxed for a match.
//
// An Outcome is the result of one matching pass. It lists proposals for new matches, backfills of
// sessions, tickets that gave up, and searches that ran out of budget.
//
// # Packages
//
// Package engine makes proposals under a Ruleset. Package scoring chooses a running server for each
// player in services without a queue. Package packing fills matches of an exact size when there is
// no ruleset. Package dialect lists the vendors. For each vendor, a package below it compiles the
// vendor's configuration into a Ruleset, or into the Scorer of package scoring. Package external
// passes tickets to a matchmaker outside the program. Package casefile reads scenes and the
// expected outcome of a pass over them. Package heap implements a binary heap. This package does not use any vendor's terms.
//
// # Limits of this package
//
// Nothing here advances a clock, reads a file, draws a random number or knows a datacenter. Package
// sim advances the clock, and its callers do the rest.
package matcher

import "embed"

// Sources are the source files of this room, see sim.Sources.
//
//go:embed [a-z]*[^t].go */[a-z]*[^t].go */*/[a-z]*[^t].go */*/*/[a-z]*[^t].go
//go:embed [a-z]*[^s]t.go */[a-z]*[^s]t.go */*/[a-z]*[^s]t.go */*/*/[a-z]*[^s]t.go
var Sources embed.FS
