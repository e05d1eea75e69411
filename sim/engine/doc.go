// Package engine moves the virtual clock: it replays arrivals through the queues of a
// [sim.Config] and reports every fact to observers.
package engine
