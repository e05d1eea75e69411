// Package sim defines what goes into a simulation and what comes out. The inputs are a [Config],
// [Places] and [Arrivals]. The outputs are the facts that an [Observer] receives, and [Totals].
// Package sim/engine runs the simulation.
//
// The result of a run depends only on its configuration, places and arrivals. A run reads no files
// and no wall clock, and starts no goroutines. Each random draw has a key that names its purpose.
// So equal inputs give equal facts on every machine.
//
// # The life of a player
//
// Players who join together form a ticket: a party, or one solo player. A ticket searches for a
// match. Its states come from Glenn Fiedler's article "Creating a matchmaker for your multiplayer
// game", which comments call the article:
//
//	NEW ──► IDEAL ──► EXPAND ──► WARMBODY ──► FAILED (or BOTS)
//	          │         │           │
//	          └─────────┴───────────┴──► PLAYING ──► BETWEEN ──► NEW, or gone
//
// A NEW ticket enters the first of IDEAL, EXPAND and WARMBODY that admits it. An IDEAL ticket waits
// in the queue of every datacenter whose RTT is within the ideal threshold for all its players. An
// EXPAND ticket does the same with the expand threshold. Both thresholds are inclusive. A warm body
// is a ticket in state WARMBODY. It is in no queue, and can join a match in any datacenter.
//
// # Queues
//
// A run has one or more queues. They share only the clock and the datacenters. A player stays in
// the queue that the arrival names. The fields of a queue in Config.Queues decide how it works:
//
//	neither Rules nor Servers    states as above, matches of exactly MatchSize players
//	Rules, PlaceDatacenters      states as above, matches by a ruleset
//	Rules, PlacePool             no states, matches by a ruleset
//	Servers                      no matches: players are placed on running servers
//
// # One instant
//
// The engine merges three sources of events: arrivals, which are sorted by time; matching passes,
// which run at whole multiples of the tick; and timers, such as the end of a match. It moves the
// clock to the next instant at which anything can happen, and every queue handles that instant. To
// follow one instant of a queue with states, read these files of sim/engine in this order:
//
//	engine.go                     moves the clock; runs timers, arrivals, passes and the sample
//	queue.go                      the interface between the engine and the kinds of queues
//	internal/world/world.go       what all queues share: clock, places, observers, counts
//	internal/lifecycle/queue.go   timers: a match ends, the pause after a match ends
//	internal/lifecycle/search.go  a party joins or returns, and begins to search
//	internal/states/search.go     the ticket enters its first state, and later the next ones
//	internal/states/waiting.go    the waiting tickets, by datacenter
//	internal/states/pass.go       a pass: time-outs, then the turns of the datacenters
//	internal/states/exactturns.go a turn: tickets in the datacenter's queue become matches
//	internal/lifecycle/play.go    a match starts
//	internal/lifecycle/report.go  the observers receive a record of the match
//
// State time-outs use no timers. Each pass compares the tickets' deadlines with the clock instead.
//
// # A matching pass
//
// A pass first moves tickets whose time in their state is over to the next state. Then every
// datacenter has a turn, in random order. In its turn, a datacenter walks its queue in random
// order, oldest ticket first, or lowest RTT first, and fills matches exactly: it combines the first
// ticket with the first later tickets that fit. The remaining tickets form one partial group if
// warm bodies can complete it. After all turns, the remaining warm bodies play each other. A warm
// body never displaces a regular ticket.
//
// # Rulesets
//
// A queue may have a ruleset, see [Rules]. With PlacePool, its tickets wait in one pool. At every
// tick, the rules make matches from the pool. They choose the number of players within their
// bounds, the teams (if they define any) and the region. The match takes place in the datacenter of
// that region where the highest RTT among the players is lowest. There are no states:
//
//	NEW ──► WAITING ──► PLAYING ──► BETWEEN ──► NEW, or gone
//	          └──► EXPIRED, after Queue.GiveUp
//
// With [Acceptance], players must accept a match before it starts, as the FlexMatch guide
// describes. The match starts when the last player accepts. It is dropped at the first refusal, at
// the timeout, or when a ticket gives up. If a player of a ticket does not accept, the search of
// that ticket ends as DECLINED.
//
// With PlaceDatacenters, the states decide for which datacenters a ticket waits, and the rules
// decide which tickets play together. The rules first match the tickets in a datacenter's queue,
// then the remaining tickets with warm bodies, and finally warm bodies with each other. A ticket
// that the rules refuse is rejected at once.
//
// A [Scene] records one pass or one turn: the tickets that were waiting when it began, and what
// happened to them.
//
// # Players who are missing
//
// With [Leave], a ticket may not appear in its match, or leave it early. With Config.Dead, the client
// of a ticket is gone while the ticket waits. Such a ticket leaves its match alone, before the others.
// If the match then ends for everybody, the others are interrupted. All of this is drawn when the
// match starts, so the record of the match says what becomes of each player. See
// internal/lifecycle/missing.go.
//
// # Servers
//
// A queue may have servers instead of matches. A player who joins is placed at once on the running
// server with the highest score, or on a new server, and stays for one session. See [Servers].
//
// # Other packages
//
// Package latencymap computes the RTTs between places and datacenters, datasets reads joins, and
// reports computes statistics.
package sim

import "embed"

// Sources are the source files of this room, by which programs recognise that they were built from
// the same sources; see build.Sources. A pattern cannot leave out _test.go, so the names that
// end in t, st and est have patterns of their own. Names begin with a letter, because editors keep
// files such as .#name.go. A test of scripts/tidy finds files that no pattern matches.
//
//go:embed [a-z]*[^t].go */[a-z]*[^t].go */*/*/[a-z]*[^t].go
//go:embed [a-z]*[^s]t.go */[a-z]*[^s]t.go */*/*/[a-z]*[^s]t.go */*/*/[a-z]*[^e]st.go
var Sources embed.FS
