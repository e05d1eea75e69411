// Package engine simulates a run: it moves the virtual clock, hands arrivals to the queues of
// a [sim.Config] and lets them act. [sim] says what a run is given and reports, and leads
// through the files of one instant.
//
// An [Engine] is synchronous and does no input or output: progress bars, interruption and
// replications side by side wrap it.
//
// Inside are, from the top down, each importing only packages below it:
//
//	states          the queue of the article: tickets search by its state machine, by datacenter
//	  packed        its groups, without a ruleset: any tickets that add up to the size of a match
//	  ruled         its groups, by a ruleset or by a matchmaker outside
//	pool            the queue in which a ruleset makes matches of one pool
//	servers         the queue in which players are placed on running servers
//	rules           tickets as a ruleset sees them; of ruled and pool
//	lifecycle       join, search, match, pause, return; of all queues that make matches
//	waiting         the tickets that search by the state machine, listed by datacenter
//	store           players and tickets
//	capture         requests for scenes
//	run             the clock, counts and observers, which all queues share
//	timers, roster, registry, freelist: data structures
package engine
