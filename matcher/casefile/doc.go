// Package casefile reads case files, runs them, and compares the outcome with the
// expectation: unit tests for rulesets.
//
// A case is one JSON file: the vendor's own rules, verbatim; a scene of waiting tickets, open
// sessions and an instant; and the expected outcome of one matching pass. [Read] reads a case
// strictly, [Case.Compile] compiles its rules in their dialect, [Rules.Run] makes the pass,
// and [Case.Compare] returns the differences.
//
// Package dialect recognises and compiles the rules. A simulated day uses the same compiled
// rules, so errors, warnings and explanations are the same in both.
package casefile
