// Package casefile reads and runs case files, which are unit tests for rulesets.
//
// A case is one JSON file with three parts: the vendor's own rules, unchanged; a scene, which is
// an instant with the waiting tickets and the open sessions; and the expected outcome of one
// matching pass over the scene. [Read] reads a case, [Case.Compile] compiles its rules, their
// [Runner] makes the pass, and [Case.Compare] returns the differences from the expectation.
//
// Package dialect recognises and compiles the rules. A simulated day uses the same compiled
// rules, so errors, warnings and explanations are the same in both.
package casefile
