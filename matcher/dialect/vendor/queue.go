package vendor

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Queue contains compiled rules that form matches, with their requirements and capabilities. Rules,
// Schema, CheckSize and Player are required.
type Queue struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema

	// PicksRegion is set if the rules limit the regions in which a ticket may be matched. In queues by
	// datacenter, a run warns that the states of the queue replace these rules.
	PicksRegion bool
	// ReadsLatencies is set if the rules read a player's round-trip times. Otherwise a case that mmsim
	// writes about a match of a day contains none.
	ReadsLatencies bool
	// NeedsLatencies is set if a player without round-trip times is never matched.
	NeedsLatencies bool
	// WaitBases is set if CompileOptions.ExpansionBasis and CompileOptions.OptionalBasis have an effect.
	WaitBases bool
	// TakesBackfill is set if the rules do not decide whether running matches accept more players.
	// CompileOptions.Backfill then decides it.
	TakesBackfill bool
	// NumberedTeams is set if the teams of a session are numbered in the order in which they are
	// listed. Otherwise they have the names from the rules, and a session whose teams have other names
	// gets no players under SeatRules.
	NumberedTeams bool

	// Reads lists the attributes that the rules read. It must agree with Player and Whole: they store
	// what a client sends under Names in Column, with the Kind of the Read. A case uses Player, and a
	// simulated day uses Reads, so the two would disagree in silence.
	Reads []matcher.Read
	// DayWarnings are warnings about rules that have no effect in a simulated day.
	DayWarnings []string

	// CheckSize returns an error if the service refuses a ticket with this number of players.
	CheckSize func(players int) error
	// Admission returns a new Admit for the tickets of one scene. It is nil if the service accepts
	// every ticket that the rules allow.
	Admission func() Admit
	// Player converts a player's JSON to the values that the rules read. The client sends
	// attributes, and the service stores entity. RTTMS is nil if the client sent no latencies. If
	// the service refuses the ticket, Player returns an error with the reason.
	Player func(id string, attributes, entity jsontree.Value) (matcher.Player, error)
	// Whole converts the attributes of a whole ticket or session to the values that the rules read.
	// It is nil if the rules read no such attributes. If the service refuses the ticket, Whole
	// returns an error with the reason.
	Whole func(attributes jsontree.Value) ([]matcher.Value, error)

	// OfTicket reports whether an attribute belongs to a ticket or session as a whole, so that the
	// rules would ignore it as an attribute of a player. It is nil if there are none.
	OfTicket func(name string) bool

	// Statistics computes the service's statistics about the running queue. It is nil if the
	// service has none.
	Statistics *Statistics
}

// Admit returns an error if the service refuses a ticket. Otherwise it records the players of the
// ticket. The caller passes the tickets in the order of creation. untilMS is the time at which the
// ticket gives up, or matcher.Never.
type Admit func(ticket string, players []string, createdMS, untilMS int64) error

// Statistics computes a service's statistics about a running queue: the number of waiting players,
// and the waits of recently matched tickets. Servers may request both.
type Statistics struct {
	WindowMS                     int64 // time for which a matched ticket counts
	ShowPlayers, ShowTimeToMatch bool  // whether players may request the number of players and the waits
	// Snapshot returns the statistics at an instant, in the JSON format of the vendor's API.
	Snapshot func(nowMS int64, waitingPlayers int, matched []MatchedTicket) any
}

// MatchedTicket is a ticket that was matched. Tickets that joined a running match are not included.
type MatchedTicket struct {
	AtMS   int64 // time of the match
	WaitMS int64 // time from submission to the match
}
