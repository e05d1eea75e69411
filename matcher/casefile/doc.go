// Package casefile reads and runs case files, which are unit tests for rulesets.
//
// A case is a JSON file with three parts. The rules are the vendor's own, unchanged. The scene has
// a time, the waiting tickets and the open sessions. The expectation is the outcome of one matching
// pass over the scene. [Read] reads a case. [Case.Compile] compiles its rules and returns a
// [Runner] for them. The Runner makes the pass, and [Case.Compare] compares the outcome with the
// expectation.
//
// Package dialect recognises and compiles the rules. A simulated day uses the same compiled rules,
// so errors, warnings and explanations are the same in both.
package casefile
