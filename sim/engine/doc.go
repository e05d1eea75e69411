// Package engine runs a simulation. It moves the virtual clock, hands arrivals to the queues of a
// [sim.Config] and lets each queue act. Package [sim] documents the inputs and the results, and
// lists the files to read for one instant.
//
// An [Engine] is synchronous and does no input or output. Callers add progress bars, interruption
// and parallel replications.
//
// These are its internal packages. Each imports only packages further down:
//
//	states          the article's queue: tickets change state and wait by datacenter
//	  packed        forms groups for states without a ruleset: any tickets that fill a match
//	  ruled         forms groups for states by a ruleset or an external matchmaker
//	pool            a queue with one pool, in which a ruleset makes the matches
//	servers         a queue that places players on running servers
//	rules           shows tickets to a ruleset; used by ruled and pool
//	lifecycle       join, search, match, pause, return; used by all queues that make matches
//	waiting         the tickets that wait by datacenter
//	store           players and tickets
//	capture         requests for scenes
//	run             what all queues share: the clock, counts and observers
//	timers, roster, registry, freelist: data structures
package engine
