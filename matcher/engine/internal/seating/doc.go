// Package seating forms matches by matcher.SeatRules. These rules are expressions over named
// teams, as in Amazon GameLift FlexMatch.
//
// A Search starts with one ticket, the seed, and seats more tickets in teams one at a time.
// Limits in the rules may change with the wait. The limits that apply at a given wait are called
// a stage. Depending on the ruleset, the wait of either the oldest or the newest ticket in the
// group decides the group's stage.
//
// While more tickets may join, an expression has a range of possible values instead of one value
// (see package expression). A rule therefore holds, fails or is still undecided (rules.go). The search
// does not seat a ticket if an enforced rule would then fail in every match that the group may
// become. Compound rules combine these three results: "not" swaps holds and fails, and leaves
// undecided as it is.
//
// Package quick decides some rules from the totals of the group, without evaluating them. They are
// derived from the rules in derive.go. Some of them exclude pairs of tickets: all players must share a
// text or a region, or their numbers must be close to each other. The candidate index uses these rules
// to leave out tickets that cannot join the seed (narrow.go). The search also ends early if the
// remaining candidates that satisfy these rules together have too few players, or if too few of them
// have a text that a team needs.
//
// Once the team sizes are known, a rule about averages or sums becomes a bound on a weighted sum.
// The search checks these bounds for every possible combination of team sizes, called a layout. A
// ticket may join if the remaining candidates can satisfy all bounds of at least one layout.
package seating
