// Package fleet runs the machines that host the matches of a run, and measures what they cost. It
// is an observer: it reads when matches start and end and in which datacenter, and changes nothing.
// A match that finds no free slot waits for one and then lasts as long as before. That wait is
// reported, but the players do not learn of it: if it delayed them, the fleet would change who meets
// whom, and Erlang's formulas could not check it.
//
// Every datacenter has machines of its own. A machine is ordered, is ready after Config.Start, hosts
// up to Config.PerMachine matches at once, and is released when it has been empty for Config.Idle and
// is not needed. After every event a datacenter wants
//
//	min(max, max(min, ⌈(busy + queued + buffer) / per machine⌉))
//
// machines, ready or starting. It orders what is missing, and releases what is too much: the machine
// that has been empty for longest first, and of several the one that was ordered first. A starting
// machine is never cancelled.
//
// Events of one instant happen in this order: matches end (those that got a slot first are first),
// machines are ready, empty machines are released, matches start. A match takes, of the ready machines
// with a free slot, the one that hosts most matches, and of several the one that was ordered first. If
// there is none, the match joins the queue of the datacenter, which is served in order of arrival.
//
// The package is not for servers that players choose (placement: servers):
// those have a model of their own in package sim/engine.
package fleet
