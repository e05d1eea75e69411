package external

import (
	"fmt"
	"slices"
	"strconv"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// Config configures a pool.
type Config struct {
	Hello  *exchange.Hello
	Schema *matcher.Schema // schema of the tickets; its regions are the datacenters in Hello
	// Shown are the attributes that the matchmaker receives.
	Shown    []Shown
	Exchange func(*exchange.Pass) (*exchange.Answer, error)
	// Rules is the ruleset for checking accepted matches. nil means that they are not checked.
	// Refuse returns the reason why the vendor's service would refuse a ticket under Rules, or nil.
	// If Refuse is nil, the service accepts every ticket.
	Rules  *matcher.Ruleset
	Refuse func(*matcher.Ticket) error
	// Wrong returns the error that ends the run after an invalid proposal. If Wrong is nil, invalid
	// proposals are dropped and the run continues.
	Wrong func(p *exchange.Pass, proposal int, why string) error
	// Leaves is the reason, Expired or Failed, that the matchmaker receives when Remove removes a
	// ticket.
	Leaves string
	// Asks is set if players are asked before a proposed match starts. The matchmaker then learns
	// several passes later what became of the proposal, see Started and Dropped.
	Asks bool
	// Turns is set if each datacenter has its own turn, see Reaches. Otherwise all tickets wait in
	// one pool.
	Turns bool
}

// Shown is a column of the schema with the name that the matchmaker receives.
type Shown struct {
	Name   string
	Column matcher.Column
}

// Pool contains waiting tickets and sessions that look for players, as engine.Pool does. It is not
// safe for concurrent use.
type Pool struct {
	Config
	rows    []entry // by matcher.Row
	free    []matcher.Row
	waiting []matcher.Row // by age; includes the rows that were removed since the last compact
	left    int           // number of removed rows in waiting
	byID    map[string]matcher.Row
	tickets int // number of tickets so far, from which their ids are made

	open          []*exchange.Session // oldest first
	byMatch       map[string]matcher.Row
	knownSessions map[string]bool // ids of sessions that are open according to the messages so far

	views    []view // by datacenter; only the first is used if there are no turns
	pass     exchange.Pass
	accepted []exchange.Accepted // in the last answer
	dropped  []exchange.Dropped
	asked    map[matcher.Ref][]*exchange.Ticket // whose players are being asked, by proposal
	askedIDs map[string]string                  // ids of these tickets, by party
	why      map[string]string                  // the matchmaker's last reason for not matching a ticket, by ticket id
	judge    judge
	check    *checker
	out      matcher.Outcome
	report   Report
	expired  []expiry // since the last pass
}

// entry is a ticket or a session.
type entry struct {
	ticket  *exchange.Ticket // nil for a session or a free row
	session *exchange.Session
	checked *checkedTicket   // ticket for Rules; nil without Rules
	joins   *matcher.Session // session for Rules; nil without Rules
	reach   uint64           // set of datacenters in whose turns the ticket takes part
	known   uint64           // set of views in which the ticket was sent
	current uint64           // subset of known: views in which its latest state was sent
}

// view contains what the next message must report about one datacenter's tickets. If datacenters
// have no turns, a single view covers all tickets.
type view struct {
	removed []exchange.Removed // since the last message
}

// expiry is a ticket that gave up.
type expiry struct {
	why     string
	players int
}

// NewPool returns an empty pool.
func NewPool(o Config) (*Pool, error) {
	p := &Pool{Config: o, byID: map[string]matcher.Row{}, byMatch: map[string]matcher.Row{}, knownSessions: map[string]bool{}, why: map[string]string{}, asked: map[matcher.Ref][]*exchange.Ticket{}, askedIDs: map[string]string{}, views: make([]view, max(1, len(o.Hello.Datacenters)))}
	p.judge.init(p)
	if o.Rules != nil {
		var err error
		if p.check, err = newChecker(o.Rules, o.Schema, o.Refuse); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// all returns the set of all datacenters.
func (p *Pool) all() uint64 { return ^uint64(0) >> (64 - len(p.Hello.Datacenters)) }

// Waiting returns the number of waiting tickets.
func (p *Pool) Waiting() int { return len(p.waiting) - p.left }

// AppendWaiting appends the waiting tickets, oldest first.
func (p *Pool) AppendWaiting(dst []matcher.Row) []matcher.Row {
	p.compact()
	return append(dst, p.waiting...)
}

// AppendOldest appends the tickets that were created at or before a time in ms, oldest first.
func (p *Pool) AppendOldest(dst []matcher.Row, sinceMS int64) []matcher.Row {
	p.compact()
	for _, row := range p.waiting {
		if p.rows[row].ticket.CreatedMS > sinceMS {
			break
		}
		dst = append(dst, row)
	}
	return dst
}

// AppendSessions appends the sessions that look for players, oldest first.
func (p *Pool) AppendSessions(dst []matcher.Row) []matcher.Row {
	for _, s := range p.open {
		dst = append(dst, p.byMatch[s.ID])
	}
	return dst
}

// compact deletes removed rows from waiting.
func (p *Pool) compact() {
	if p.left == 0 {
		return
	}
	p.left = 0
	p.waiting = slices.DeleteFunc(p.waiting, func(row matcher.Row) bool { return p.rows[row].ticket == nil })
}

// row returns a free row. A removed row remains in waiting until the next compact, so row calls
// compact before it reuses a row.
func (p *Pool) row() matcher.Row {
	if len(p.free) == 0 {
		p.rows = append(p.rows, entry{})
		return matcher.Row(len(p.rows) - 1)
	}
	p.compact()
	row := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return row
}

// Add adds a waiting ticket. If the ticket has more players than a match may have, the error is a
// matcher.Refusal. Add does not keep the ticket's slices. A ticket whose players did not all accept a
// match keeps its id.
func (p *Pool) Add(t matcher.Ticket) (matcher.Row, error) {
	p.tickets++
	ticket := &exchange.Ticket{
		ID: "t" + strconv.Itoa(p.tickets), Party: "p" + strconv.FormatUint(t.Players[0].ID, 10),
		CreatedMS: t.CreatedMS, GiveUpMS: p.Hello.GiveUpMS,
	}
	if id, asked := p.askedIDs[ticket.Party]; asked {
		ticket.ID = id
	}
	for i := range t.Players {
		ticket.Players = append(ticket.Players, p.player(&t.Players[i]))
	}
	row, err := p.Wait(ticket)
	if err == nil && p.check != nil {
		p.rows[row].checked = p.check.keep(&t, p.tickets)
	}
	return row, err
}

// Wait is like Add for a ticket that is already an exchange.Ticket. Its id must be new.
func (p *Pool) Wait(ticket *exchange.Ticket) (matcher.Row, error) {
	if n := len(ticket.Players); n > p.Hello.Match.Max {
		return 0, matcher.Refusal(fmt.Sprintf("%s in the ticket, expected at most the match size of %d", count(n, "player"), p.Hello.Match.Max))
	}
	if !p.Turns {
		ticket.Reach = p.all()
	}
	row := p.row()
	p.rows[row] = entry{ticket: ticket, reach: ticket.Reach}
	p.byID[ticket.ID] = row
	p.compact() // so that every row in waiting has a ticket
	at := len(p.waiting)
	for at > 0 && p.rows[p.waiting[at-1]].ticket.CreatedMS > ticket.CreatedMS { // after a dropped proposal
		at--
	}
	p.waiting = slices.Insert(p.waiting, at, row)
	return row, nil
}

// player converts a player to an exchange.Player.
func (p *Pool) player(from *matcher.Player) exchange.Player {
	player := exchange.Player{ID: "p" + strconv.FormatUint(from.ID, 10), RTTMS: slices.Clone(from.RTTMS), Team: matcher.NoTeam}
	for _, shown := range p.Shown {
		a := exchange.Attribute{Name: shown.Name}
		switch v := from.Value(shown.Column); v.Kind {
		case matcher.Missing:
			continue
		case matcher.IsNumber:
			a.Kind, a.Number = exchange.Number, v.Number
		case matcher.IsText:
			a.Kind, a.Text = exchange.Text, p.Schema.TextString(v.Text)
		case matcher.IsSet:
			a.Kind = exchange.List
			for _, text := range v.Set {
				a.List = append(a.List, p.Schema.TextString(text))
			}
		}
		player.Attributes = append(player.Attributes, a)
	}
	return player
}

// AddSession adds a running match that looks for players. It keeps the session's slices.
func (p *Pool) AddSession(s matcher.Session) (matcher.Row, error) {
	session := &exchange.Session{
		ID: "m" + strconv.FormatUint(s.Match, 10), Datacenter: int(s.Region), CreatedMS: s.CreatedMS,
		Seats: p.Hello.Match.Max - len(s.Members),
	}
	for i := range s.Members {
		player := p.player(&s.Members[i].Player)
		player.RTTMS, player.Team = nil, s.Members[i].Team
		session.Players = append(session.Players, player)
	}
	row := p.Open(session)
	if p.check != nil {
		p.rows[row].joins = &s
	}
	return row, nil
}

// Open is like AddSession for a session that is already an exchange.Session. Its id must be new or
// that of a removed session.
func (p *Pool) Open(session *exchange.Session) matcher.Row {
	row := p.row()
	p.rows[row] = entry{session: session}
	p.byMatch[session.ID] = row
	at := len(p.open)
	for at > 0 && p.open[at-1].CreatedMS > session.CreatedMS {
		at--
	}
	p.open = slices.Insert(p.open, at, session)
	p.pass.AddedSessions = append(p.pass.AddedSessions, session)
	p.pass.RemovedSessions = slices.DeleteFunc(p.pass.RemovedSessions, func(id string) bool { return id == session.ID })
	return row
}

// Remove removes a ticket that was not matched, or a session that has ended.
func (p *Pool) Remove(row matcher.Row) {
	e := &p.rows[row]
	if e.session != nil {
		p.close(row)
		return
	}
	if why := p.why[e.ticket.ID]; p.Leaves == Expired {
		p.expired = append(p.expired, expiry{why, len(e.ticket.Players)})
	}
	p.leave(row, p.Leaves)
}

// Cancel removes a ticket whose players cancelled its search.
func (p *Pool) Cancel(row matcher.Row) { p.leave(row, cancelled) }

// Reasons why tickets leave.
const (
	Expired   = "expired"
	Failed    = "failed"
	matched   = "matched"
	proposed  = "proposed"
	cancelled = "cancelled"
)

// leave removes a ticket.
func (p *Pool) leave(row matcher.Row, why string) {
	e := &p.rows[row]
	for at := range p.views {
		if e.known>>at&1 != 0 {
			p.views[at].removed = append(p.views[at].removed, exchange.Removed{ID: e.ticket.ID, Why: why})
		}
	}
	delete(p.byID, e.ticket.ID)
	delete(p.why, e.ticket.ID)
	*e = entry{}
	p.left++
	p.free = append(p.free, row)
}

// close removes a session.
func (p *Pool) close(row matcher.Row) {
	session := p.rows[row].session
	is := func(s *exchange.Session) bool { return s.ID == session.ID }
	p.pass.AddedSessions = slices.DeleteFunc(p.pass.AddedSessions, is)
	if p.knownSessions[session.ID] {
		p.pass.RemovedSessions = append(p.pass.RemovedSessions, session.ID)
	}
	p.open = slices.DeleteFunc(p.open, is)
	delete(p.byMatch, session.ID)
	p.rows[row] = entry{}
	p.free = append(p.free, row)
}

// Dropped returns the dropped proposals in the last answer. The list is valid until the next pass.
func (p *Pool) Dropped() []exchange.Dropped { return p.dropped }

// Why returns the matchmaker's last reason for not matching a ticket, or "" if there is none.
func (p *Pool) Why(row matcher.Row) string { return p.why[p.rows[row].ticket.ID] }

// Started must be called when a proposal of an outcome becomes a match, or joins one. match is the
// number of the match. On a nil pool it does nothing, so that callers with another engine need no check.
func (p *Pool) Started(ref matcher.Ref, match uint64) {
	if p == nil {
		return
	}
	p.accepted = append(p.accepted, exchange.Accepted{Pass: p.told(ref), Proposal: ref.Index, Match: "m" + strconv.FormatUint(match, 10)})
}

// Failed must be called with the reason when a proposal of an outcome does not become a match. Those of
// its tickets that continue to wait must have been added again before. On a nil pool it does nothing.
func (p *Pool) Failed(ref matcher.Ref, why string) {
	if p == nil {
		return
	}
	p.dropped = append(p.dropped, exchange.Dropped{Pass: p.told(ref), Proposal: ref.Index, Why: why})
}

// told forgets the tickets of a proposal that was decided. It returns the pass that the matchmaker is
// told with the index of the proposal, or 0 if that is the last pass.
func (p *Pool) told(ref matcher.Ref) int {
	if !p.Asks {
		return 0
	}
	for _, ticket := range p.asked[ref] {
		delete(p.askedIDs, ticket.Party)
	}
	delete(p.asked, ref)
	return ref.Pass
}

// Evaluations returns nil, because the rule evaluations of an external matchmaker are unknown.
func (p *Pool) Evaluations() []matcher.Evaluations { return nil }
