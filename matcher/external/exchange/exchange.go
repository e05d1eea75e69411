package exchange

import (
	"context"

	"mmsim/matcher"
)

// Version is the version of the messages, the value of "hello" on both sides.
const Version = 1

// MaxLine bounds a message in bytes.
const MaxLine = 64 << 20

// Matcher is a matchmaker outside of mmsim. Calls come one after another, first Hello,
// and return soon after their context is done. After an error there is only Close.
type Matcher interface {
	Hello(context.Context, *Hello) (*HelloAnswer, error)
	Pass(context.Context, *Pass) (*Answer, error)
	// Close ends the exchange and frees what belongs to it; why is what the matchmaker is
	// told, "end of the run" after a run that was finished.
	Close(why string) error
}

// Hello opens the exchange about one queue of one replication.
type Hello struct {
	Queue       string // name of the queue, "" where a run has only one
	Run, Seed   uint64
	Datacenters []string // Ticket.RTTMS and Ticket.Reach go by their order
	Match       Match
	Rules       []byte // the vendor's JSON as it was given; nil: none
	TickMS      int64
	StartMS     int64 // instant at which the run begins, negative where it has a warm-up period
	GiveUpMS    int64 // wait after which a ticket leaves; 0: as the states of the article say
	Backfill    bool  // passes have sessions
}

// Match says of which size matches are.
type Match struct {
	Min, Max int    // players
	Teams    []Team // empty: a match has no sides, or the rules vary their number
}

// Team is one side of a match.
type Team struct {
	Name     string
	Min, Max int // players
}

// HelloAnswer is what a matchmaker says of itself.
type HelloAnswer struct {
	Name, Version string
	Full          bool // it wants all waiting tickets in each pass
}

// Pass is one matching pass. The lists belong to the caller and change after the call;
// tickets and sessions do not change.
type Pass struct {
	Number     int   // exchanges of this matchmaker so far, this one included
	NowMS      int64 // on the virtual clock; negative in the warm-up period
	Datacenter int   // whose turn it is; AllDatacenters: tickets wait in one pool

	Waiting []*Ticket // all that wait, in the order in which their searches began
	Added   []*Ticket // those of Waiting that the last pass did not have
	Removed []Removed // tickets that the last pass had and that wait no more

	Accepted []Accepted // proposals of the last answer that became matches
	Dropped  []Dropped  // the others

	Open            []*Session // all matches that look for players, the oldest first
	AddedSessions   []*Session // those that are new, or that have other players than before
	RemovedSessions []string   // ids of sessions that look for players no more
}

// AllDatacenters stands in Pass.Datacenter where no datacenter has a turn.
const AllDatacenters = -1

// Ticket is a player or a party that waits.
type Ticket struct {
	ID        string // of this search, unique in a replication
	Party     string // the same in all searches of the party
	CreatedMS int64  // when the search began
	GiveUpMS  int64  // wait after which it leaves; 0: as the states of the article say

	Attributes []Attribute // of the ticket as a whole
	Players    []Player
	Reach      uint64 // datacenters that the ticket may use, a bit each

	line []byte // as JSON, once it was written
}

// WithReach returns the ticket with other datacenters that it may use.
func (t *Ticket) WithReach(datacenters uint64) *Ticket {
	other := *t
	other.Reach, other.line = datacenters, nil
	return &other
}

// Player is one player of a ticket or a session.
type Player struct {
	ID         string
	Attributes []Attribute
	Entity     []Attribute // what a vendor's service keeps about the player; only in case files
	RTTMS      []float64   // by datacenter, NaN: not measured; nil for players of a session
	Team       int         // of a player of a session; -1: the match has no sides
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

// Kind tells what a Value is.
type Kind uint8

// The kinds of values.
const (
	Number Kind = iota
	Text
	List
	JSON
)

// Removed is a ticket that waits no more.
type Removed struct {
	ID  string
	Why string // matched, expired, failed or left
}

// Accepted is a proposal that became a match, or that was added to a session.
type Accepted struct {
	Proposal int    // by place in the last answer: its matches, then its backfills
	Match    string // id of the match
}

// Dropped is a proposal that was refused. Its tickets go on waiting.
type Dropped struct {
	Proposal int
	Why      string
}

// Session is a running match that looks for players.
type Session struct {
	ID         string // of the match
	Datacenter int
	CreatedMS  int64
	Seats      int // that are free
	Players    []Player
}

// Answer is what a matchmaker proposes in a pass.
type Answer struct {
	Matches   []Proposal
	Backfills []Backfill
	Why       []Reason // why tickets were not matched, for reports
}

// Proposal is a match that is proposed.
type Proposal struct {
	Tickets    []string   // ids
	Teams      [][]string // ids of players, by team; nil: the match has no sides
	Datacenter string     // "": that with the lowest worst RTT
}

// Backfill proposes to add tickets to a session. Its Teams hold the new players alone.
type Backfill struct {
	Session string
	Proposal
}

// Reason is why a ticket was not matched, in the words of the matchmaker.
type Reason struct{ Ticket, Why string }

// MatchOf says of which size the matches of a ruleset are, over all waits.
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
