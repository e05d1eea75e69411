// Package packing fills matches of an exact size from a queue of parties. The only rule is a
// function of the caller that reports whether two parties may be in one match. The simulator
// uses it when no ruleset is given.
package packing
