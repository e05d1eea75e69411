package vendor

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Queue is compiled rules that form matches, with their requirements and capabilities.
type Queue struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema

	// PicksRegion is set if the rules determine the regions in which a ticket may be matched.
	PicksRegion bool
	// ReadsLatencies is set if the rules read a player's round-trip times.
	ReadsLatencies bool
	// NeedsLatencies is set if a player without round-trip times is never matched.
	NeedsLatencies bool
	// WaitBases is set if Options.ExpansionBasis and OptionalBasis have an effect.
	WaitBases bool
	// TakesBackfill is set if Options.Backfill has an effect: the configuration, not the
	// rules, decides whether running matches accept further players.
	TakesBackfill bool
	// NumberedTeams is set if the teams of a session are numbered in the order in which they
	// are listed. Otherwise they have the names that the rules define.
	NumberedTeams bool

	// Reads lists the attributes that the rules read.
	Reads []matcher.Read
	// Unread lists attributes that the rules read in a scene but not in a simulated day,
	// because they name other players.
	Unread []string
	// InADay lists what the rules do in a scene but not in a simulated day, for warnings.
	InADay []string

	// CheckSize returns an error if the service refuses tickets of so many players.
	CheckSize func(players int) error
	// Admission returns a new check of the tickets of one scene; nil: the service accepts
	// every ticket that the rules can hold.
	Admission func() Admission
	// Player reads the data for the rules from a player's JSON: attributes are sent by the
	// client, entity is stored by the service. RTTMS is nil if the client sent none. An error
	// is the service's refusal of the ticket.
	Player func(id string, attributes, entity jsontree.Value) (matcher.Player, error)
	// Whole reads the data for the rules from the attributes of a ticket or a session; nil:
	// the rules read none. An error is the service's refusal.
	Whole func(attributes jsontree.Value) ([]matcher.Value, error)

	// Statistics are the service's statistics about the running queue; nil: the vendor has
	// none.
	Statistics *Statistics
}

// Admission decides which tickets the service accepts into a queue. Tickets are passed in the
// order of creation.
type Admission interface {
	// Admit returns an error if the service refuses the ticket; otherwise it records the
	// players of the ticket. The ticket gives up at untilMS; matcher.Never: never.
	Admit(ticket string, players []string, createdMS, untilMS int64) error
}

// Statistics are a service's statistics about a running queue: the number of waiting players,
// and the waits of recently matched tickets. Servers see all of them.
type Statistics struct {
	WindowMS                     int64 // span before the instant from which waits count
	ShowPlayers, ShowTimeToMatch bool  // visible to players
	// Snapshot returns the statistics at an instant, in the JSON format of the vendor's API.
	Snapshot func(nowMS int64, waitingPlayers int, matched []MatchedTicket) any
}

// MatchedTicket is a ticket that was matched. Backfills do not count.
type MatchedTicket struct {
	AtMS   int64 // instant of the match
	WaitMS int64 // from submission to the match
}
