// Package packing fills matches of an exact size from a queue of parties. The caller may provide a
// function that reports whether two parties may be in the same match. The simulator uses this
// package if there is no ruleset.
package packing
