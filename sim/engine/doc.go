// Package engine runs a simulation. It moves the virtual clock, hands arrivals to the queues of a
// [sim.Config] and lets each queue act. Package [sim] documents the inputs and the results, and
// lists the files to read for one instant.
//
// An [Engine] is synchronous and does no input or output. Callers add progress bars, interruption
// and parallel replications.
//
// These are its internal packages. Each imports only packages further down:
//
//	states          a queue with states: tickets change state and wait by datacenter
//	pool            a queue with one pool, in which a ruleset makes the matches
//	servers         a queue that places players on running servers
//	rules           shows tickets to a ruleset; used by states and pool
//	lifecycle       join, search, match, pause, return; used by all queues that make matches
//	world           what all queues share: the clock, timers, counts, observers and requests for scenes
//
// The first three are the kinds of queues, which do not import each other. A change that concerns a
// run and not one queue, such as an event that all queues notice, is an instant of the [Engine] and a
// fact of the world.
package engine
