package sim

import "mmsim/matcher"

// RuleTotals are the facts about a ruleset in the measured window that belong to
// no single outcome.
type RuleTotals struct {
	// Searches for groups, and searches for teams, that a budget stopped.
	GroupBudgetHits, TeamBudgetHits int
	Refusals                        []RefusalCount        // the reason with most players first
	SearchingAtEnd                  int                   // players of the queue who search when the window ends
	Evaluations                     []matcher.Evaluations // by rule of Queue.InForce, warm-up included; nil: they are not counted
	Acceptance                      *AcceptanceTotals     // nil: players are not asked
}

// RefusalCount is how many players were refused for one reason.
type RefusalCount struct {
	Reason  string
	Players int
}

// Totals are the facts of a finished run that belong to no single outcome.
type Totals struct {
	Reached                          Instant // end of the measured window, earlier when interrupted
	SearchingAtStart, SearchingAtEnd int     // players waiting when the window began and ended
	OnlineAtStart, OnlineAtEnd       int     // players searching, playing and between matches then
	CCU                              Peak    // players online
	// Time integrals over the window, in player-milliseconds.
	PlayingTime, BetweenTime, SearchingTime, BotsTime int64

	Rules   []*RuleTotals // by queue; nil for one without a ruleset
	Servers ServerTotals
}

// Peak is the highest value of a count over the measured window, and when it was reached first.
type Peak struct {
	Value int
	At    Instant
}

// Note compares the peak with the count at an instant.
func (p *Peak) Note(count int, at Instant) {
	if count > p.Value {
		p.Value, p.At = count, at
	}
}

// AcceptanceTotals are the proposals that were decided in the measured window.
type AcceptanceTotals struct {
	Started  int // all players accepted
	Refused  int
	TimedOut int
	Lapsed   int // a ticket gave up, or the running match that the tickets were to join had ended

	AnswerTime int64 // from the proposals to the starts, in player-milliseconds
	Players    int   // players in the proposals that started
	LostTime   int64 // in dropped proposals, of players who went on waiting, in player-ms
	Returned   int   // players who went on waiting after a dropped proposal, once for each proposal
}

// ServerCount counts the servers that run at one instant.
type ServerCount struct {
	Running int // including servers that are starting
	Seats   int // seats of all running servers
	Taken   int // seats taken, also by players who wait for the start of a server
}

// ServerTotals are the facts of a run about its servers.
type ServerTotals struct {
	Opened int // inside the window
	Peak   int // most running at once
	// Time integrals over the window, in server- and seat-milliseconds.
	Time, SeatTime, TakenTime int64
}
