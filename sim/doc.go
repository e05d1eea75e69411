// Package sim moves the virtual clock: it replays joins through per-datacenter
// queues, the state machine of the matchmaking article and the life of a match,
// and tells observers every fact.
//
// The core is a function of its configuration, places and arrivals. It reads no
// files and no wall clock, starts no goroutines and draws from keyed streams
// only, so equal inputs give equal facts on any machine. The engine (sim/engine) is
// synchronous: progress bars, interruption and replications wrap it.
//
// # The life of a player
//
// A join becomes a player; players who stay together form a ticket (a party, or
// a solo). A ticket searches:
//
//	NEW ──► IDEAL ──► EXPAND ──► WARMBODY ──► FAILED (or BOTS)
//	          │         │           │
//	          └─────────┴───────────┴──► PLAYING ──► BETWEEN ──► NEW, or gone
//
// NEW goes to the first of IDEAL, EXPAND and WARMBODY that admits the ticket. An
// IDEAL ticket waits in the queue of every datacenter within the ideal threshold
// of all its players, an EXPAND ticket within the expand threshold; both
// thresholds are inclusive. A warm body is in no queue and volunteers everywhere.
//
// # Queues
//
// A run has one queue or several, which share the clock and the datacenters and
// nothing else. A player stays in the queue in which the arrival puts it.
//
// # Time
//
// Three sources are merged: arrivals come sorted, matching passes recur at whole multiples
// of the tick, and timers (match ends and returns) wait in the event list. At one instant
// the order is: match ends, returns, arrivals, state changes, matching pass, sample. State
// time-outs are no events: the pass compares deadlines.
//
// # A matching pass
//
// Tickets whose time is over change state. Then every datacenter has its turn, in an order
// drawn anew: it walks its queue (shuffled anew, or oldest first) and fills matches
// exactly, the first ticket with the first later ones that fit. What is left over forms one
// partial group, if warm bodies complete it. At last the remaining warm bodies play each
// other. A warm body never displaces a regular ticket.
//
// A datacenter does not search where the sizes of the waiting parties cannot add up
// to a match, and does not repeat a search that must fail again. So parties that can
// never be matched cost nothing while they wait.
//
// # Rulesets
//
// A queue may go by a ruleset, see [Rules]. In PlacePool its tickets wait in one
// pool; at every tick the rules make matches, of a size between their bounds and with
// teams where they have any, and say in which region; the match goes to the
// datacenter of that region with the lowest worst RTT. There are no states:
//
//	NEW ──► WAITING ──► PLAYING ──► BETWEEN ──► NEW, or gone
//	          └──► EXPIRED, after Queue.GiveUp
//
// With [Acceptance] the players of a match are asked before it starts, as the guide of
// FlexMatch has it: at the instant of the last answer it starts, or at the first refusal,
// at the timeout or when a ticket gives up it is dropped. The search of a ticket whose
// players did not accept ends as DECLINED.
//
// In PlaceDatacenters the states say where a ticket waits, and the rules who of a
// datacenter's queue play together, who of the warm bodies with whom it left over,
// and at last who of the warm bodies among themselves. A ticket that the rules do not
// take is rejected at once.
//
// Capture of an engine shows a pass or a turn from the inside: who waits as
// it begins, and what comes of it.
//
// # Servers
//
// A queue may have servers instead of matches: who joins is placed at once, on the
// running server of the highest score or on one that is started for him, and stays
// for a session of his own. See [Servers].
//
// This package is not for deciding how far a place is from a datacenter, for reading joins
// or for statistics: it gets the first two and tells the facts for the third.
package sim
