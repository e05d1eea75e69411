package sim

import "mmsim/matcher"

// RuleTotals contains facts about a ruleset that observers do not receive. They cover the measured
// window.
type RuleTotals struct {
	// GroupBudgetHits and TeamBudgetHits count the searches for groups and for teams that ran out
	// of their budget.
	GroupBudgetHits, TeamBudgetHits int
	Refusals                        []RefusalCount        // in descending order of Players
	SearchingAtEnd                  int                   // players in the queue who are searching when the window ends
	Evaluations                     []matcher.Evaluations // by rule of Queue.InForce, warm-up included; nil if they are not counted
}

// RefusalCount is the number of players who were refused for one reason.
type RefusalCount struct {
	Reason  string
	Players int
}

// Totals contains facts about a finished run that observers do not receive.
type Totals struct {
	Reached                          Instant // end of the measured window, or the instant of the interruption
	SearchingAtStart, SearchingAtEnd int     // players waiting when the window began and when it ended
	OnlineAtStart, OnlineAtEnd       int     // players searching, playing or between matches at those instants
	CCU                              Peak    // highest number of players online
	// Time summed over players within the window, in player-milliseconds.
	PlayingTime, BetweenTime, SearchingTime, BotsTime int64

	Rules      []*RuleTotals       // by queue; nil for a queue without a ruleset
	Acceptance []*AcceptanceTotals // by queue; nil for a queue whose players are not asked
	Servers    ServerTotals
	TurnedAway int           // players who would have joined during a maintenance and never came
	Events     []EventTotals // as in Config.Events
}

// Peak is the highest value of a count in the measured window, and the first instant at which the
// count reached it.
type Peak struct {
	Value int
	At    Instant
}

// Note raises the peak if count is higher.
func (p *Peak) Note(count int, at Instant) {
	if count > p.Value {
		p.Value, p.At = count, at
	}
}

// AcceptanceTotals counts the proposals that were decided in the measured window.
type AcceptanceTotals struct {
	Started  int // all players accepted
	Refused  int
	TimedOut int
	Lapsed   int // a ticket's time was over, the running match that the tickets would have joined had ended, or the datacenter may no longer be used

	AnswerTime int64 // player-milliseconds from proposal to start, for proposals that started
	Players    int   // players in the proposals that started
	LostTime   int64 // player-milliseconds in dropped proposals, for players who continued to wait
	Returned   int   // players who continued to wait after a dropped proposal, counted once per proposal
}

// Add adds the counts of another queue.
func (t *AcceptanceTotals) Add(o *AcceptanceTotals) {
	t.Started, t.Refused, t.TimedOut, t.Lapsed = t.Started+o.Started, t.Refused+o.Refused, t.TimedOut+o.TimedOut, t.Lapsed+o.Lapsed
	t.AnswerTime, t.Players = t.AnswerTime+o.AnswerTime, t.Players+o.Players
	t.LostTime, t.Returned = t.LostTime+o.LostTime, t.Returned+o.Returned
}

// ServerCount counts the running servers at one instant.
type ServerCount struct {
	Running int // including servers that are starting
	Seats   int // seats on all running servers
	Taken   int // occupied seats, including those of players who wait for their server to start
}

// ServerTotals are the facts of a run about its servers.
type ServerTotals struct {
	Opened int // servers opened within the window; some may still be starting when it ends
	Peak   int // largest number of servers running at once
	// Time summed over servers and over seats within the window, in milliseconds.
	Time, SeatTime, TakenTime int64
}
