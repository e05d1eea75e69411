// Package sim is the language of a run: what a simulation is given (a [Config], [Places] and
// [Arrivals]), what it reports (the facts of an [Observer], and [Totals]), and the words of
// both (instants, states, RTTs, random streams). The simulation itself is package
// sim/engine.
//
// A run is a function of its configuration, places and arrivals. It reads no files and no
// wall clock, starts no goroutines and draws from keyed streams only, so equal inputs give
// equal facts on any machine.
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
// A run has one queue or several, which share the clock and the datacenters and nothing
// else. A player stays in the queue that its arrival names. What a queue does depends on its
// entry of Config.Queues:
//
//	neither Rules nor Servers    states as above, matches of exactly MatchSize players
//	Rules, PlaceDatacenters      states as above, matches by a ruleset
//	Rules, PlacePool             no states, matches by a ruleset
//	Servers                      no matches: players are placed on running servers
//
// # One instant
//
// The engine merges three sources: arrivals come sorted, matching passes recur at whole
// multiples of the tick, and timers (such as the ends of matches) wait in event lists. It
// moves the clock to the first instant at which anything can happen, and has all queues
// handle it. These files of sim/engine lead through an instant of a queue with states, from
// the clock to the observer:
//
//	engine.go                     the clock moves; timers, arrivals, passes, sample, in this order
//	queue.go                      what the engine asks of a queue, and the kinds of queues
//	internal/run/run.go           what a queue knows of the run: clock, places, observers, counts
//	internal/lifecycle/queue.go   timers: a match ends, the pause after it ends
//	internal/lifecycle/search.go  a party joins, or returns: its search begins
//	internal/states/search.go     the search goes to its first state, and later to the next ones
//	internal/waiting/list.go      the tickets that wait, by datacenter
//	internal/states/pass.go       a pass: time-outs, then the turns of the datacenters
//	internal/packed/turns.go      a turn: tickets of the queue become matches
//	internal/lifecycle/play.go    a match starts
//	internal/lifecycle/report.go  its record is filled in and handed to the observers
//
// State time-outs are no timers: the pass compares deadlines.
//
// # A matching pass
//
// Tickets whose time is over change state. Then every datacenter has its turn, in an order
// drawn anew: it walks its queue (shuffled anew, or oldest first) and fills matches exactly,
// the first ticket with the first later ones that fit. The tickets that are left over form
// one partial group, if warm bodies complete it. At last the remaining warm bodies play each
// other. A warm body never displaces a regular ticket.
//
// # Rulesets
//
// A queue may have a ruleset, see [Rules]. In PlacePool its tickets wait in one pool. At every
// tick the rules make matches there, of a size between their bounds and with teams if they
// have any, and choose the region; the match goes to the datacenter of that region with the
// lowest worst RTT. There are no states:
//
//	NEW ──► WAITING ──► PLAYING ──► BETWEEN ──► NEW, or gone
//	          └──► EXPIRED, after Queue.GiveUp
//
// With [Acceptance] the players of a match are asked before it starts, as the guide of
// FlexMatch describes: it starts at the instant of the last answer, or is dropped at the first
// refusal, at the timeout, or when a ticket gives up. The search of a ticket whose players did
// not accept ends as DECLINED.
//
// In PlaceDatacenters the states say for which datacenters a ticket waits, and the rules
// which tickets play together: of a datacenter's queue, then of those left over with warm
// bodies, and at last of the warm bodies among themselves. A ticket that the rules refuse is
// rejected at once.
//
// A [Scene] shows one pass or one turn from the inside: the tickets that wait as it begins, and
// what becomes of them.
//
// # Servers
//
// A queue may have servers instead of matches: a player who joins is placed at once, on the
// running server of the highest score or on one that is started for the player, and stays for
// a session of its own. See [Servers].
//
// # What this is not for
//
// How far a place is from a datacenter is decided by latencymap, joins are read by datasets,
// and statistics are made by reports.
package sim
