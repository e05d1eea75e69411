// Package casefile reads case files, runs them, and says how what happened
// differs from what was expected: unit tests for rulesets.
//
// A case is one JSON file: the vendor's own rules, verbatim; a scene of waiting
// tickets, open sessions and an instant; and what one matching pass must do with
// it. [Read] reads one strictly, [Case.Compile] compiles its rules with the
// dialect that they are written in, [Rules.Run] makes the pass, and
// [Case.Compare] gives the differences.
//
// Package dialect recognises and compiles the rules. Rules in a case are refused,
// warned of and explained exactly as they are in a simulated day, because both use
// the same compiled rules.
package casefile
