package exchange

import (
	"context"

	"mmsim/matcher"
)

// Version is the version of the messages. Both sides send it as the value of "hello".
const Version = 1

// Matcher is an external matchmaker. Its methods are called one at a time, starting with Hello. A
// call returns soon after its context is done. After an error, only Close may be called.
type Matcher interface {
	Hello(context.Context, *Hello) (*HelloAnswer, error)
	Pass(context.Context, *Pass) (*Answer, error)
	// Close ends the exchange and frees its resources. It sends the text why to the matchmaker,
	// which is "end of the run" after a complete run.
	Close(why string) error
}

// Hello starts the exchange for one queue of one replication.
type Hello struct {
	Queue     string // name of the queue, "" if the run has only one
	Run, Seed uint64
	// Datacenters are the names of the datacenters where a match can be played, in the order of
	// Player.RTTMS and of the bits in Ticket.Reach. If datacenters are grouped into regions, they
	// are the names of the regions.
	Datacenters []string
	Match       Match
	Rules       []byte // the vendor's JSON, unchanged; nil if there is none
	TickMS      int64
	StartMS     int64 // start of the run; negative if there is a warm-up period
	GiveUpMS    int64 // wait after which a ticket leaves; 0 if the time-outs of ticket states decide
	Backfill    bool  // whether passes include sessions
}

// Match describes the allowed sizes of matches.
type Match struct {
	Min, Max int    // number of players
	Teams    []Team // empty if matches have no teams
	// MinTeams is set if the number of teams may vary: a match has the first MinTeams of Teams, or
	// more of them. If it is 0, a match has all teams.
	MinTeams int
}

// TeamsOf returns the number of teams with which a session is sent. If the number of teams may
// vary, these are the teams of the session's players.
func (m *Match) TeamsOf(s *Session) int {
	teams := 1
	if m.MinTeams == 0 {
		teams = max(teams, len(m.Teams))
	}
	for i := range s.Players {
		teams = max(teams, s.Players[i].Team+1)
	}
	return teams
}

// Team is a team of a match.
type Team struct {
	Name     string
	Min, Max int // number of players
}

// HelloAnswer is a matchmaker's answer to Hello, in which it describes itself.
type HelloAnswer struct {
	Name    string `json:"name,omitzero"`
	Version string `json:"version,omitzero"`
	Full    bool   `json:"full,omitzero"` // each pass contains all waiting tickets
}

// Pass is a matching pass. The lists belong to the caller and change after the call. Tickets and
// sessions do not change.
type Pass struct {
	Number     int   // sequence number among the passes sent to this matchmaker, from 1
	NowMS      int64 // time on the virtual clock; negative in the warm-up period
	Datacenter int   // datacenter whose turn it is, or AllDatacenters if tickets wait in one pool

	Waiting []*Ticket // all waiting tickets, in the order in which their searches began
	Added   []*Ticket // tickets in Waiting that are new or have changed since the last pass
	Removed []Removed // tickets that have stopped waiting since the last pass

	Accepted []Accepted // proposals in the last answer that were accepted
	Dropped  []Dropped  // proposals in the last answer that were dropped

	Open            []*Session // all matches that look for players, oldest first
	AddedSessions   []*Session // sessions that are new or whose players changed since the last pass
	RemovedSessions []string   // ids of sessions that have stopped looking for players
}

// AllDatacenters is the value of Pass.Datacenter if datacenters have no turns.
const AllDatacenters = -1

// Ticket is a waiting player or party.
type Ticket struct {
	ID        string // id of this search, unique in a replication
	Party     string // the same for all searches of a party
	CreatedMS int64  // start of the search
	GiveUpMS  int64  // wait after which it leaves; 0 if the time-outs of ticket states decide

	Attributes []Attribute // of the whole ticket
	Players    []Player
	Reach      uint64 // set of datacenters in which it may play, as bits

	line []byte // the ticket as JSON; nil until it is written for the first time
}

// WithReach returns a copy of the ticket with another set of datacenters.
func (t *Ticket) WithReach(datacenters uint64) *Ticket {
	other := *t
	other.Reach, other.line = datacenters, nil
	return &other
}

// Player is a player in a ticket or session.
type Player struct {
	ID         string
	Attributes []Attribute
	Entity     []Attribute // data that the vendor's service stores about the player; only in case files
	RTTMS      []float64   // by datacenter; NaN if not measured; nil for a player in a session
	Team       int         // team of a player in a session; -1 if the match has no teams
}

// Attribute is a named value of a player.
type Attribute struct {
	Name string
	Value
}

// Value is a number, a text, a list of texts, or arbitrary JSON.
type Value struct {
	Kind   AttributeKind
	Number float64
	Text   string // the text or the JSON
	List   []string
}

// AttributeKind is the kind of a Value.
type AttributeKind uint8

// Kinds of values.
const (
	Number AttributeKind = iota
	Text
	List
	JSON
)

// Removed is a ticket that is no longer waiting.
type Removed struct {
	ID  string
	Why string // matched, proposed, expired, failed, cancelled or left
}

// Accepted is an accepted proposal, which became a match or was added to a session.
type Accepted struct {
	Pass     int    // number of the pass that the answer was for; 0 if it is the last one
	Proposal int    // index in the answer, where backfills follow matches
	Match    string // id of the match
}

// Dropped is a proposal that was not accepted. Its tickets continue to wait.
type Dropped struct {
	Pass     int // as in Accepted
	Proposal int
	Why      string
}

// Session is a running match that looks for players.
type Session struct {
	ID         string // id of the match
	Datacenter int
	CreatedMS  int64
	Seats      int // number of free seats
	Players    []Player
}

// Answer is a matchmaker's answer to a pass.
type Answer struct {
	Matches   []Proposal        `json:"matches,omitempty"`
	Backfills []Backfill        `json:"backfills,omitempty"`
	Why       map[string]string `json:"why,omitempty"` // by ticket: the reason why it was not matched, for reports
	Cost      Cost              `json:"-"`             // of this pass; set by the transport
}

// Cost is what an exchange costs: the number and the total size of its messages, in both directions.
type Cost struct{ Messages, Bytes int }

// Add adds a message of the given size.
func (c *Cost) Add(bytes int) {
	c.Messages++
	c.Bytes += bytes
}

// Plus returns the sum of two costs.
func (c Cost) Plus(other Cost) Cost { return Cost{c.Messages + other.Messages, c.Bytes + other.Bytes} }

// Proposal is a proposed match.
type Proposal struct {
	Tickets    []string   `json:"tickets"`             // ids of tickets
	Teams      [][]string `json:"teams,omitzero"`      // ids of players by team; nil if the match has no teams
	Datacenter string     `json:"datacenter,omitzero"` // "" for the datacenter in which the highest RTT of the players is lowest
}

// Backfill proposes to add tickets to a session. Its Teams include only the new players.
type Backfill struct {
	Session string `json:"session,omitzero"`
	Proposal
}

// MatchOf returns the sizes that the matches of a ruleset can have, however long their tickets have
// waited.
func MatchOf(set *matcher.Ruleset) Match {
	m := Match{Min: set.MinPlayers, Max: set.MaxPlayers, MinTeams: set.MinTeams}
	for _, team := range set.Teams {
		m.Teams = append(m.Teams, Team{team.Name, team.Min, team.Max})
	}
	switch {
	case set.Pivot != nil:
		m.alliance(set)
	case set.Seats != nil:
		m.seats(set.Seats)
	}
	return m
}

// alliance sets the teams of a ruleset with PivotRules, in which all teams have the same limits.
func (m *Match) alliance(set *matcher.Ruleset) {
	low, teams := set.TeamBounds()
	m.MinTeams = min(low, m.Max)
	team := Team{Min: m.Max}
	for _, s := range set.Pivot.Sizes {
		team.Min, team.Max = min(team.Min, s.MinPlayers), max(team.Max, s.MaxPlayers)
	}
	team.Max = min(team.Max, m.Max)
	for i := range min(teams, m.Max/team.Min) {
		team.Name = set.TeamName(i)
		m.Teams = append(m.Teams, team)
	}
}

// seats sets the teams of a ruleset with SeatRules.
func (m *Match) seats(rules *matcher.SeatRules) {
	for _, team := range rules.Teams {
		sizes := Team{Name: team.Name, Min: m.Max}
		for _, step := range team.Min {
			sizes.Min = min(sizes.Min, int(step.Value))
		}
		for _, step := range team.Max {
			sizes.Max = max(sizes.Max, int(step.Value))
		}
		m.Teams = append(m.Teams, sizes)
	}
}
