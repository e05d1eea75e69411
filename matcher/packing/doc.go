// Package packing fills matches of an exact size from a queue of parties, where the
// only rule is whether two parties may be in one match, which the caller answers
// with yes or no. The simulator uses it where no ruleset is given.
package packing
