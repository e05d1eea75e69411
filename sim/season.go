package sim

// A Season remembers persons from day to day: who plays today, who wins, what the ratings become,
// and who plays again or quits. The engine tells it what happens, also in the warm-up period, in
// the order in which it happens. Package sim/season implements it.
type Season interface {
	// Arrives is called when a party of the season's arrivals is about to join. It reports whether
	// the party plays: not if it has quit or is still online since its last join.
	Arrives(a *Arrival) bool
	// Searches is called when a ticket begins a search. Rules read the ratings of its players as they
	// are at this instant until its next search. first is the ticket's first player.
	Searches(first *Person)
	// VisitKey returns the key of draws for a person that are new at every visit, such as whether
	// it plays again. Person.Entity is the key of draws that stay the same.
	VisitKey(p *Person) uint64
	// Started is called for every match, and for the tickets that join a running match.
	Started(m *Match)
	// Finished is called when a match ends, unless it is cut short. Players who left it before get
	// the result of their team. Finished decides the match and sets the fields of m about its result.
	Finished(m *Finished)
	// PlayAgain returns the chance that a ticket plays again after its match. first is the ticket's
	// first player.
	PlayAgain(queue int, first *Person) float64
	// Left is called when a ticket leaves. If its last search found no match, failed is set, and
	// wait is the length of that search.
	Left(l *Left)
}

// Finished is a match that ends. It is not cut short.
type Finished struct {
	Match   uint64 // Match.ID
	Queue   int    // index into Config.Queues
	At      Instant
	Players []Finisher // the players of a ticket are adjacent

	Decided bool // whether the match has a result, which takes two teams; set by Season.Finished
}

// Finisher is one player of a match that ends.
type Finisher struct {
	Person
	Ticket uint32 // Number of the ticket's first player
	Team   int16  // from 0, or NoTeam if the ruleset has no teams
	Left   bool   // whether the ticket left the match before its end

	// Season.Finished sets the following fields if it decides the match.
	Won    bool    // whether the team came first
	Chance float64 // chance of the team to win that the ratings predicted; NaN with other than two teams
}

// Left is a ticket that leaves.
type Left struct {
	Queue   int // index into Config.Queues
	At      Instant
	Players []Player
	Failed  bool     // whether its last search found no match
	Wait    Duration // length of that search
}
