package external

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// A refusal is the reason for dropping a proposal.
type refusal struct {
	fault Fault
	why   string // message for the matchmaker
}

// Fault is what is wrong with a proposal.
type Fault int

// Faults in the order of reports.
const (
	Collision   Fault = iota // a ticket is in a proposal that was accepted earlier in this pass
	NotWaiting               // a ticket is not waiting, or no ticket has the id
	Repeated                 // a ticket or a player is listed twice
	WrongSize                // the match would have too few or too many players
	WrongTeams               // the teams do not contain exactly the match's players, or their number or sizes are wrong
	SplitParty               // the players of a ticket are not all in the same team
	NoSuchPlace              // the datacenter or session does not exist, or it is another datacenter's turn
	faults
)

var faultNames = [faults]string{"collision", "not_waiting", "repeated", "wrong_size", "wrong_teams", "split_party", "no_such_place"}

// String returns the name of the fault in results.
func (f Fault) String() string { return faultNames[f] }

func refuse(fault Fault, format string, args ...any) *refusal {
	return &refusal{fault, fmt.Sprintf(format, args...)}
}

// judge checks the proposals in an answer. After a proposal has been accepted, the judge's fields
// describe it.
type judge struct {
	pool        *Pool
	datacenters map[string]int
	taken       map[string]bool // tickets in accepted proposals

	rows       []matcher.Row
	team       []int // by index in rows
	teams      int   // number of teams; 0 if the match has none
	datacenter int   // datacenter in the proposal, or exchange.AllDatacenters if it names none
	session    matcher.Row
	named      map[string]int // team of each player, by id
}

func (j *judge) init(p *Pool) {
	*j = judge{pool: p, datacenters: map[string]int{}, taken: map[string]bool{}, named: map[string]int{}}
	for i, name := range p.Hello.Datacenters {
		j.datacenters[name] = i
	}
}

// begin prepares the judge for the next answer.
func (j *judge) begin() { clear(j.taken) }

// match checks a proposed match. turn is the datacenter whose turn it is, or AllDatacenters.
func (j *judge) match(m *exchange.Proposal, turn int) *refusal {
	if f := j.tickets(m); f != nil {
		return f
	}
	size := &j.pool.Hello.Match
	if n := j.players(); n < size.Min || n > size.Max {
		return refuse(WrongSize, "%s in the match, expected %s", count(n, "player"), fromTo(size.Min, size.Max))
	}
	if f := j.divide(m.Teams); f != nil {
		return f
	}
	if f := j.sizes(m.Teams); f != nil {
		return f
	}
	return j.find(m.Datacenter, turn)
}

// backfill checks a proposal to add tickets to a session.
func (j *judge) backfill(b *exchange.Backfill) *refusal {
	row, open := j.pool.byMatch[b.Session]
	if !open {
		return refuse(NoSuchPlace, "session %s is not looking for players", quoted(b.Session))
	}
	session := j.pool.rows[row].session
	j.session = row
	if f := j.tickets(&b.Proposal); f != nil {
		return f
	}
	if n := j.players(); n > session.Seats {
		return refuse(WrongSize, "%s, but session %s has only %s", count(n, "player"), b.Session, count(session.Seats, "free seat"))
	}
	if f := j.divide(b.Teams); f != nil {
		return f
	}
	if f := j.joins(session, b.Teams); f != nil {
		return f
	}
	return j.find(b.Datacenter, session.Datacenter)
}

// joins checks the teams of players who join a session. If the session has teams, the proposal must
// have teams too, unless a match has only one. If it has none, its players are sent as one team, and
// the proposal may have teams only if the ruleset does not fix them.
func (j *judge) joins(session *exchange.Session, teams [][]string) *refusal {
	size := &j.pool.Hello.Match
	there := make([]int, len(teams)) // players in each team of the session
	divided := false
	for i := range session.Players {
		team := session.Players[i].Team
		if divided = team >= 0; divided && team < len(there) {
			there[team]++
		}
	}
	want := size.Teams
	switch {
	case divided && len(teams) == 0 && len(want) <= 1 && inFirst(session):
		j.teams, j.team = 1, make([]int, len(j.rows))
		return nil
	case divided && len(teams) == 0:
		return refuse(WrongTeams, "no teams, but session %s has teams", session.ID)
	case size.MinTeams > 0 || len(want) == 0:
		return nil // the ruleset, if there is one, checks the sizes
	case !divided && len(teams) > 0:
		return refuse(WrongTeams, "got teams, but session %s has none", session.ID)
	case !divided:
		return nil
	case len(teams) != len(want):
		return refuse(WrongTeams, "got %d teams, expected %d", len(teams), len(want))
	}
	for i, team := range teams {
		if n := there[i] + len(team); n > want[i].Max {
			return refuse(WrongTeams, "%s in team %s, expected at most %d", count(n, "player"), quoted(want[i].Name), want[i].Max)
		}
	}
	return nil
}

// inFirst reports whether all players of a session are in its first team.
func inFirst(session *exchange.Session) bool {
	return !slices.ContainsFunc(session.Players, func(p exchange.Player) bool { return p.Team != 0 })
}

// tickets finds the rows of a proposal's tickets and checks that they are waiting.
func (j *judge) tickets(m *exchange.Proposal) *refusal {
	j.rows = j.rows[:0]
	if len(m.Tickets) == 0 {
		return refuse(WrongSize, "no tickets")
	}
	for i, id := range m.Tickets {
		row, waits := j.pool.byID[id]
		switch {
		case j.taken[id]:
			return refuse(Collision, "ticket %s is in an earlier proposal", quoted(id))
		case !waits || j.pool.Turns && !j.takesPart(row):
			return refuse(NotWaiting, "ticket %s is not waiting", quoted(id))
		case slices.Contains(m.Tickets[:i], id):
			return refuse(Repeated, "ticket %s is listed twice", quoted(id))
		}
		j.rows = append(j.rows, row)
	}
	return nil
}

// takesPart reports whether a ticket takes part in the current turn.
func (j *judge) takesPart(row matcher.Row) bool {
	return j.pool.rows[row].reach>>j.pool.pass.Datacenter&1 != 0
}

// players returns the number of players in the tickets of the proposal.
func (j *judge) players() int {
	n := 0
	for _, row := range j.rows {
		n += len(j.pool.rows[row].ticket.Players)
	}
	return n
}

// divide finds the team of each ticket in the proposal.
func (j *judge) divide(teams [][]string) *refusal {
	j.teams, j.team = len(teams), j.team[:0]
	if len(teams) == 0 {
		return nil
	}
	if most := j.pool.Hello.Match.Max; len(teams) > most {
		return refuse(WrongTeams, "%d teams, expected at most %d, because a match has at most %s", len(teams), most, count(most, "player"))
	}
	clear(j.named)
	count := 0
	for team, players := range teams {
		for _, id := range players {
			if _, repeated := j.named[id]; repeated {
				return refuse(Repeated, "player %s is listed in teams twice", quoted(id))
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
				return refuse(SplitParty, "only some of the players of ticket %s are in teams", ticket.ID)
			case team != first:
				return refuse(SplitParty, "the players of ticket %s are in several teams", ticket.ID)
			}
		}
		if !is {
			return refuse(WrongTeams, "player %s of ticket %s is in no team", ticket.Players[0].ID, ticket.ID)
		}
		j.team = append(j.team, first)
	}
	if n := j.players(); count > n {
		return refuse(WrongTeams, "%d players are in teams, but the tickets have only %d", count, n)
	}
	return nil
}

// sizes checks that the number and sizes of teams are allowed in a match. If the number of teams may
// vary, the number and sizes that are allowed depend on the wait, and the ruleset checks them.
func (j *judge) sizes(teams [][]string) *refusal {
	want := j.pool.Hello.Match.Teams
	switch {
	case len(want) == 0 || len(teams) == 0 || j.pool.Hello.Match.MinTeams > 0:
		return nil
	case len(teams) != len(want):
		return refuse(WrongTeams, "got %d teams, expected %d", len(teams), len(want))
	}
	for i, team := range teams {
		if n := len(team); n < want[i].Min || n > want[i].Max {
			return refuse(WrongTeams, "%s in team %s, expected %s", count(n, "player"), quoted(want[i].Name), fromTo(want[i].Min, want[i].Max))
		}
	}
	return nil
}

// find finds the datacenter in a proposal. If turn is a datacenter, the proposal must not name
// another one.
func (j *judge) find(name string, turn int) *refusal {
	j.datacenter = exchange.AllDatacenters
	if name == "" {
		return nil
	}
	datacenter, known := j.datacenters[name]
	switch {
	case !known:
		return refuse(NoSuchPlace, "there is no datacenter %s", quoted(name))
	case turn != exchange.AllDatacenters && datacenter != turn:
		return refuse(NoSuchPlace, "got datacenter %s, expected %s", quoted(name), quoted(j.pool.Hello.Datacenters[turn]))
	}
	j.datacenter = datacenter
	return nil
}

// count returns a number with its noun, such as "1 player" or "2 players".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// fromTo formats a range of numbers, or a single number if both bounds are equal.
func fromTo(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// quotedMax is the maximum length, in characters, of a name from the matchmaker in a message.
const quotedMax = 80

// quoted quotes a name from the matchmaker, and shortens it if it is long.
func quoted(name string) string {
	if len(name) > quotedMax {
		return fmt.Sprintf("%.*q…", quotedMax, name)
	}
	return fmt.Sprintf("%q", name)
}
