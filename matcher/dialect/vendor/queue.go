package vendor

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Queue is compiled rules that form matches, and what they need and can do.
type Queue struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema

	// PicksRegion tells that the rules say in which regions a ticket may be matched.
	PicksRegion bool
	// ReadsLatencies tells that the rules look at a player's round-trip times.
	ReadsLatencies bool
	// NeedsLatencies tells that a player without round-trip times is never matched.
	NeedsLatencies bool
	// WaitBases tells that Options.ExpansionBasis and OptionalBasis have an effect.
	WaitBases bool
	// TakesBackfill tells that Options.Backfill has an effect: the vendor leaves it to the
	// configuration whether running matches take further players.
	TakesBackfill bool
	// NumberedTeams tells that the teams of a session have numbers in the order in
	// which they are listed; otherwise they have the names that the rules give.
	NumberedTeams bool

	// Reads lists the attributes that the rules look at.
	Reads []matcher.Read
	// Unread lists attributes that the rules look at in a scene but not in a simulated
	// day, because they name other players.
	Unread []string
	// InADay says what rules do in a scene but not in a simulated day, for warnings.
	InADay []string

	// CheckSize returns why the service would not take a ticket of so many players.
	CheckSize func(players int) error
	// Admission returns a new check of the tickets of one scene; nil: the service takes
	// every ticket that the rules can hold.
	Admission func() Admission
	// Player reads what the rules look at out of a player's JSON: what the client
	// sends, and the objects that the service keeps about the player. RTTMS is nil
	// where the client sent none. An error is the service's refusal of the ticket.
	Player func(id string, attributes, entity jsontree.Value) (matcher.Player, error)
	// Whole reads what the rules look at out of the attributes of a ticket or a
	// session; nil: nothing. An error is the service's refusal.
	Whole func(attributes jsontree.Value) ([]matcher.Value, error)

	// Statistics is what the service tells about the queue while it runs; nil where
	// the vendor has no such thing.
	Statistics *Statistics
}

// Admission decides, ticket by ticket in the order of creation, what the service
// takes into a queue.
type Admission interface {
	// Admit returns why the service refuses a ticket that gives up at an instant
	// (matcher.Never: it does not), or notes its players and returns nil.
	Admit(ticket string, players []string, createdMS, untilMS int64) error
}

// Statistics is what a service tells about a queue while it runs: how many players
// wait, and how long the recently matched tickets had waited. Servers see all of it.
type Statistics struct {
	WindowMS                     int64 // how far the waits look back
	ShowPlayers, ShowTimeToMatch bool  // to players
	// Snapshot returns the statistics at an instant, as the vendor's API writes them in
	// JSON.
	Snapshot func(nowMS int64, waitingPlayers int, matched []MatchedTicket) any
}

// MatchedTicket is one ticket that found a match. Backfills do not count.
type MatchedTicket struct {
	AtMS   int64 // instant of the match
	WaitMS int64 // from submission to the match
}
