package exchange

import (
	"context"

	"mmsim/matcher"
)

// Version is the version of the messages, the value of "hello" on both sides.
const Version = 1

// MaxLine bounds a message in bytes.
const MaxLine = 64 << 20

// Matcher is a matchmaker outside of mmsim. Its methods are called one at a time, Hello first. A call
// returns soon after its context is done. After an error, only Close may be called.
type Matcher interface {
	Hello(context.Context, *Hello) (*HelloAnswer, error)
	Pass(context.Context, *Pass) (*Answer, error)
	// Close ends the exchange and frees its resources. It sends why to the matchmaker; after a
	// finished run that is "end of the run".
	Close(why string) error
}

// Hello opens the exchange about one queue of one replication.
type Hello struct {
	Queue       string // name of the queue, "" if the run has only one
	Run, Seed   uint64
	Datacenters []string // in the order of Ticket.RTTMS and of the bits of Ticket.Reach
	Match       Match
	Rules       []byte // the vendor's JSON, unchanged; nil: none
	TickMS      int64
	StartMS     int64 // instant at which the run begins, negative with a warm-up period
	GiveUpMS    int64 // wait after which a ticket leaves; 0: as defined by the article's states
	Backfill    bool  // passes have sessions
}

// Match describes the allowed sizes of a match.
type Match struct {
	Min, Max int    // players
	Teams    []Team // empty: matches have no teams, or their number varies
}

// Team is one side of a match.
type Team struct {
	Name     string
	Min, Max int // players
}

// HelloAnswer is a matchmaker's description of itself.
type HelloAnswer struct {
	Name, Version string
	Full          bool // each pass contains all waiting tickets
}

// Pass is one matching pass. The lists belong to the caller and change after the call;
// tickets and sessions do not change.
type Pass struct {
	Number     int   // number of passes sent to this matchmaker so far, including this one
	NowMS      int64 // on the virtual clock; negative in the warm-up period
	Datacenter int   // the datacenter whose turn it is; AllDatacenters: tickets wait in one pool

	Waiting []*Ticket // all waiting tickets, in the order in which their searches began
	Added   []*Ticket // tickets of Waiting that are new or changed since the last pass
	Removed []Removed // tickets of the last pass that are no longer waiting

	Accepted []Accepted // proposals of the last answer that became matches
	Dropped  []Dropped  // the other proposals of the last answer

	Open            []*Session // all matches that look for players, the oldest first
	AddedSessions   []*Session // sessions that are new or whose players changed since the last pass
	RemovedSessions []string   // ids of sessions that no longer look for players
}

// AllDatacenters is the value of Pass.Datacenter if datacenters have no turns.
const AllDatacenters = -1

// Ticket is a waiting player or party.
type Ticket struct {
	ID        string // of this search, unique in a replication
	Party     string // the same in all searches of the party
	CreatedMS int64  // when the search began
	GiveUpMS  int64  // wait after which it leaves; 0: as defined by the article's states

	Attributes []Attribute // of the ticket as a whole
	Players    []Player
	Reach      uint64 // set of datacenters that the ticket may use, one bit each

	line []byte // the ticket as JSON; nil until it is first written
}

// WithReach returns a copy of the ticket that may use other datacenters.
func (t *Ticket) WithReach(datacenters uint64) *Ticket {
	other := *t
	other.Reach, other.line = datacenters, nil
	return &other
}

// Player is one player of a ticket or a session.
type Player struct {
	ID         string
	Attributes []Attribute
	Entity     []Attribute // data that a vendor's service keeps about the player; only in case files
	RTTMS      []float64   // by datacenter, NaN: not measured; nil for players of a session
	Team       int         // of a player of a session; -1: the match has no teams
}

// Attribute is a named value of a player.
type Attribute struct {
	Name string
	Value
}

// Value is a number, a text, a list of texts, or any other JSON.
type Value struct {
	Kind   Kind
	Number float64
	Text   string // the text, or the JSON
	List   []string
}

// Kind is the type of a Value.
type Kind uint8

// The kinds of values.
const (
	Number Kind = iota
	Text
	List
	JSON
)

// Removed is a ticket that is no longer waiting.
type Removed struct {
	ID  string
	Why string // matched, expired, failed or left
}

// Accepted is a proposal that became a match or was added to a session.
type Accepted struct {
	Proposal int    // index in the last answer: its matches, then its backfills
	Match    string // id of the match
}

// Dropped is a proposal that was dropped. Its tickets continue to wait.
type Dropped struct {
	Proposal int
	Why      string
}

// Session is a running match that looks for players.
type Session struct {
	ID         string // of the match
	Datacenter int
	CreatedMS  int64
	Seats      int // free seats
	Players    []Player
}

// Answer is a matchmaker's answer to a pass.
type Answer struct {
	Matches   []Proposal
	Backfills []Backfill
	Why       []Reason // reasons for not matching tickets, for reports
}

// Proposal is a proposed match.
type Proposal struct {
	Tickets    []string   // ids
	Teams      [][]string // ids of players, by team; nil: the match has no teams
	Datacenter string     // "": the datacenter in which the worst RTT of the players is lowest
}

// Backfill proposes to add tickets to a session. Its Teams contain only the new players.
type Backfill struct {
	Session string
	Proposal
}

// Reason is the matchmaker's reason for not matching a ticket.
type Reason struct{ Ticket, Why string }

// MatchOf returns the sizes that matches of a ruleset can have, over all waits.
func MatchOf(set *matcher.Ruleset) Match {
	m := Match{Min: set.MinPlayers, Max: set.MaxPlayers}
	for _, team := range set.Teams {
		m.Teams = append(m.Teams, Team{team.Name, team.Min, team.Max})
	}
	if set.Seats == nil {
		return m
	}
	for _, team := range set.Seats.Teams {
		sizes := Team{Name: team.Name, Min: m.Max}
		for _, step := range team.Min {
			sizes.Min = min(sizes.Min, int(step.Value))
		}
		for _, step := range team.Max {
			sizes.Max = max(sizes.Max, int(step.Value))
		}
		m.Teams = append(m.Teams, sizes)
	}
	return m
}
