// Package sim defines the inputs of a simulation (a [Config], [Places] and [Arrivals]), its
// reports (the facts of an [Observer], and [Totals]), and the types of both (instants, states,
// RTTs, random streams). The simulation itself is package sim/engine.
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
// A NEW ticket enters the first of IDEAL, EXPAND and WARMBODY that admits it. An IDEAL ticket
// waits in the queue of every datacenter within the ideal threshold of all its players, an EXPAND
// ticket within the expand threshold; both thresholds are inclusive. A warm body is in no queue
// and can join a match in any datacenter.
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
// The engine merges three sources: arrivals come sorted, matching passes recur at whole multiples
// of the tick, and timers (such as the ends of matches) wait in event lists. It moves the clock to
// the next instant at which anything can happen, and all queues handle that instant. To follow one
// instant of a queue with states, from the clock to the observer, read these files of sim/engine:
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
// State time-outs do not use timers: the pass compares deadlines.
//
// # A matching pass
//
// Tickets whose time in their state is over change state. Then every datacenter has a turn, in an
// order that is drawn for each pass. It walks its queue (shuffled for each pass, or oldest first)
// and fills matches exactly: it combines the first ticket with the first later tickets that fit.
// The remaining tickets form one partial group if warm bodies can complete it. Finally, the
// remaining warm bodies play each other. A warm body never displaces a regular ticket.
//
// # Rulesets
//
// A queue may have a ruleset, see [Rules]. In PlacePool its tickets wait in one pool. At every
// tick the rules make matches from the pool. They decide the size within their bounds, the teams
// if they define any, and the region. The match goes to the datacenter of that region in which the
// highest RTT among the players is lowest. There are no states:
//
//	NEW ──► WAITING ──► PLAYING ──► BETWEEN ──► NEW, or gone
//	          └──► EXPIRED, after Queue.GiveUp
//
// With [Acceptance] the players of a match are asked before it starts, as the guide of FlexMatch
// describes. The match starts at the instant of the last answer, or is dropped at the first
// refusal, at the timeout, or when a ticket gives up. The search of a ticket whose players did not
// accept ends as DECLINED.
//
// In PlaceDatacenters the states decide for which datacenters a ticket waits, and the rules decide
// which tickets play together: first the tickets of a datacenter's queue, then the remaining
// tickets with warm bodies, and finally warm bodies with each other. A ticket that the rules
// refuse is rejected at once.
//
// A [Scene] records one pass or one turn: the tickets that wait at its beginning, and their
// outcomes.
//
// # Servers
//
// A queue may have servers instead of matches: a player who joins is placed at once, on the
// running server with the highest score or on one that is started for the player, and stays for a
// session of its own. See [Servers].
//
// # Tasks of other packages
//
// Package latencymap computes the RTTs between places and datacenters, datasets reads joins, and
// reports computes statistics.
package sim
