package external

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// A fault is the reason for which a proposal is dropped.
type fault struct {
	kind Kind
	why  string // for the matchmaker
}

// Kind is a kind of fault.
type Kind int

// The kinds of faults, in the order in which they are reported.
const (
	Collision   Kind = iota // a ticket is in a proposal that was accepted earlier in this pass
	NotWaiting              // a ticket is not waiting, or no ticket has the id
	Repeated                // a ticket or a player is named twice
	WrongSize               // the match would have too few or too many players
	WrongTeams              // teams do not hold exactly the players of the match, or their number or sizes are wrong
	SplitParty              // only some of a ticket's players are in teams, or they are in several teams
	NoSuchPlace             // the datacenter or the session does not exist, or it is not its turn
	kinds
)

var kindNames = [kinds]string{"collision", "not_waiting", "repeated", "wrong_size", "wrong_teams", "split_party", "no_such_place"}

// String is the kind's name in results.
func (k Kind) String() string { return kindNames[k] }

func faultf(kind Kind, format string, args ...any) *fault {
	return &fault{kind, fmt.Sprintf(format, args...)}
}

// judge judges the proposals of one answer. After an accepted proposal, its fields describe
// that proposal.
type judge struct {
	pool        *Pool
	datacenters map[string]int
	taken       map[string]bool // tickets of accepted proposals

	rows       []matcher.Row
	team       []int // by row
	teams      int   // 0: the match has no teams
	datacenter int   // the one that the proposal names; exchange.AllDatacenters: none
	session    matcher.Row
	named      map[string]int // team of each player, by the player's id
}

func (j *judge) init(p *Pool) {
	*j = judge{pool: p, datacenters: map[string]int{}, taken: map[string]bool{}, named: map[string]int{}}
	for i, name := range p.Hello.Datacenters {
		j.datacenters[name] = i
	}
}

// begin prepares for the next answer.
func (j *judge) begin() { clear(j.taken) }

// match judges a proposed match; turn is the datacenter whose turn it is.
func (j *judge) match(m *exchange.Proposal, turn int) *fault {
	if f := j.tickets(m); f != nil {
		return f
	}
	size := &j.pool.Hello.Match
	if n := j.players(); n < size.Min || n > size.Max {
		return faultf(WrongSize, "%d players, want %s", n, fromTo(size.Min, size.Max))
	}
	if f := j.divide(m.Teams); f != nil {
		return f
	}
	if f := j.sizes(m.Teams); f != nil {
		return f
	}
	return j.place(m.Datacenter, turn)
}

// backfill judges a proposal to add tickets to a session.
func (j *judge) backfill(b *exchange.Backfill) *fault {
	row, looks := j.pool.byMatch[b.Session]
	if !looks {
		return faultf(NoSuchPlace, "session %q does not look for players", b.Session)
	}
	session := j.pool.rows[row].session
	j.session = row
	if f := j.tickets(&b.Proposal); f != nil {
		return f
	}
	if n := j.players(); n > session.Seats {
		return faultf(WrongSize, "%d players, but session %s has %d seats", n, b.Session, session.Seats)
	}
	if f := j.divide(b.Teams); f != nil {
		return f
	}
	if f := j.joins(session, b.Teams); f != nil {
		return f
	}
	return j.place(b.Datacenter, session.Datacenter)
}

// joins checks the teams of players that join a session. A proposal for a session with teams
// needs teams, and a proposal for a session without teams must have none.
func (j *judge) joins(session *exchange.Session, teams [][]string) *fault {
	there := make([]int, len(teams)) // players of the session, by team
	divided := false
	for i := range session.Players {
		team := session.Players[i].Team
		if divided = team >= 0; divided && team < len(there) {
			there[team]++
		}
	}
	want := j.pool.Hello.Match.Teams
	switch {
	case divided != (len(teams) > 0):
		return faultf(WrongTeams, "%d teams for session %s, which has teams or none as its match had", len(teams), session.ID)
	case !divided || len(want) == 0:
		return nil
	case len(teams) != len(want):
		return faultf(WrongTeams, "%d teams, want %d", len(teams), len(want))
	}
	for i, team := range teams {
		if n := there[i] + len(team); n > want[i].Max {
			return faultf(WrongTeams, "%d players in team %s, want at most %d", n, quoted(want[i].Name), want[i].Max)
		}
	}
	return nil
}

// tickets looks up the tickets of a proposal.
func (j *judge) tickets(m *exchange.Proposal) *fault {
	j.rows = j.rows[:0]
	if len(m.Tickets) == 0 {
		return faultf(WrongSize, "no tickets")
	}
	for i, id := range m.Tickets {
		row, waits := j.pool.byID[id]
		switch {
		case j.taken[id]:
			return faultf(Collision, "%s is in an earlier proposal", quoted(id))
		case !waits || j.pool.Turns && !j.takesPart(row):
			return faultf(NotWaiting, "%s does not wait", quoted(id))
		case slices.Contains(m.Tickets[:i], id):
			return faultf(Repeated, "%s is named twice", quoted(id))
		}
		j.rows = append(j.rows, row)
	}
	return nil
}

// takesPart reports whether a ticket takes part in the current turn.
func (j *judge) takesPart(row matcher.Row) bool {
	return j.pool.rows[row].reach>>j.pool.pass.Datacenter&1 != 0
}

// players counts the players of the tickets.
func (j *judge) players() int {
	n := 0
	for _, row := range j.rows {
		n += len(j.pool.rows[row].ticket.Players)
	}
	return n
}

// divide determines the team of every ticket.
func (j *judge) divide(teams [][]string) *fault {
	j.teams, j.team = len(teams), j.team[:0]
	if len(teams) == 0 {
		return nil
	}
	clear(j.named)
	count := 0
	for team, players := range teams {
		for _, id := range players {
			if _, twice := j.named[id]; twice {
				return faultf(Repeated, "player %s is in teams twice", quoted(id))
			}
			j.named[id] = team
			count++
		}
	}
	for _, row := range j.rows {
		ticket := j.pool.rows[row].ticket
		first, is := j.named[ticket.Players[0].ID]
		for i := range ticket.Players {
			switch team, in := j.named[ticket.Players[i].ID]; {
			case in != is:
				return faultf(SplitParty, "only some of the players of %s are in teams", ticket.ID)
			case team != first:
				return faultf(SplitParty, "the players of %s are in several teams", ticket.ID)
			}
		}
		if !is {
			return faultf(WrongTeams, "player %s of %s is in no team", ticket.Players[0].ID, ticket.ID)
		}
		j.team = append(j.team, first)
	}
	if n := j.players(); count > n {
		return faultf(WrongTeams, "%d players are in teams, but the tickets have %d", count, n)
	}
	return nil
}

// sizes checks the number and the sizes of teams against those that a match needs.
func (j *judge) sizes(teams [][]string) *fault {
	want := j.pool.Hello.Match.Teams
	switch {
	case len(want) == 0 || len(teams) == 0:
		return nil
	case len(teams) != len(want):
		return faultf(WrongTeams, "%d teams, want %d", len(teams), len(want))
	}
	for i, team := range teams {
		if n := len(team); n < want[i].Min || n > want[i].Max {
			return faultf(WrongTeams, "%d players in team %s, want %s", n, quoted(want[i].Name), fromTo(want[i].Min, want[i].Max))
		}
	}
	return nil
}

// place looks up the datacenter that a proposal names. In the turn of a datacenter, no other is
// allowed.
func (j *judge) place(name string, turn int) *fault {
	j.datacenter = exchange.AllDatacenters
	if name == "" {
		return nil
	}
	datacenter, known := j.datacenters[name]
	switch {
	case !known:
		return faultf(NoSuchPlace, "there is no datacenter %s", quoted(name))
	case turn != exchange.AllDatacenters && datacenter != turn:
		return faultf(NoSuchPlace, "datacenter %s, want %s", quoted(name), quoted(j.pool.Hello.Datacenters[turn]))
	}
	j.datacenter = datacenter
	return nil
}

// fromTo formats a range of numbers, or one number if both bounds are equal.
func fromTo(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// quotedMost is the largest number of characters that a message repeats of a name from the
// matchmaker.
const quotedMost = 80

// quoted quotes a name from the matchmaker, shortened if it is long.
func quoted(name string) string {
	if len(name) > quotedMost {
		return fmt.Sprintf("%.*q…", quotedMost, name)
	}
	return fmt.Sprintf("%q", name)
}
