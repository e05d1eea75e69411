package external

import (
	"fmt"
	"slices"
	"strconv"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// Options say what a pool is about.
type Options struct {
	Hello  *exchange.Hello
	Schema *matcher.Schema // of the tickets; its regions are the datacenters of Hello
	// Shown are the attributes that the matchmaker is told, and their columns.
	Shown    []Shown
	Exchange func(*exchange.Pass) (*exchange.Answer, error)
	// Rules are what accepted matches are held against; nil: nothing. Refuse tells why the
	// service whose rules these are would not take a ticket; nil: it takes all.
	Rules  *matcher.Ruleset
	Refuse func(*matcher.Ticket) error
	// Wrong makes the fault of a proposal that is wrong; nil: it is dropped.
	Wrong func(p *exchange.Pass, proposal int, why string) error
	// Leaves is why a ticket leaves that is removed: expired or failed.
	Leaves string
	// Turns tells that datacenters have turns: see Reaches. Otherwise all wait in one pool.
	Turns bool
}

// Shown is an attribute as the matchmaker is told it.
type Shown struct {
	Name   string
	Column matcher.Column
}

// Pool holds the tickets that wait and the sessions that look for players, as engine.Pool
// does. Not safe for concurrent use.
type Pool struct {
	Options
	rows    []entry // by matcher.Row
	free    []matcher.Row
	waiting []matcher.Row // by age; some have left
	left    int           // of waiting: rows that have left
	byID    map[string]matcher.Row
	tickets int // so far, for ids

	open    []*exchange.Session // the oldest first
	byMatch map[string]matcher.Row
	heardOf map[string]bool // sessions that the matchmaker takes for open, by their ids

	views    []view // by datacenter; of a pool of all, the first
	pass     exchange.Pass
	accepted []exchange.Accepted // of the last answer
	starts   []int               // proposals of the outcome at hand that become matches, in its order
	dropped  []exchange.Dropped
	why      map[string]string // by ticket: what the matchmaker said of it last
	judge    judge
	check    *checker
	out      matcher.Outcome
	report   Report
	expired  []expiry // since the last pass
}

// entry is a ticket or a session.
type entry struct {
	ticket  *exchange.Ticket // nil: a session, or nothing
	session *exchange.Session
	params  *ruled           // of a ticket, for rules; nil without
	joins   *matcher.Session // of a session, for rules; nil without
	reach   uint64           // datacenters in whose turns it takes part
	known   uint64           // views that were told of it
	current uint64           // of known: those that were told of it as it is
}

// view is what the matchmaker was told about the tickets of one datacenter, or of all.
type view struct {
	removed []exchange.Removed // since
}

// expiry is a ticket that gave up.
type expiry struct {
	why     string
	players int
}

// NewPool returns an empty pool.
func NewPool(o Options) (*Pool, error) {
	p := &Pool{Options: o, byID: map[string]matcher.Row{}, byMatch: map[string]matcher.Row{}, heardOf: map[string]bool{}, why: map[string]string{}, views: make([]view, max(1, len(o.Hello.Datacenters)))}
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

// Waiting returns the number of tickets that wait.
func (p *Pool) Waiting() int { return len(p.waiting) - p.left }

// AppendWaiting appends the tickets that wait, in order of age.
func (p *Pool) AppendWaiting(dst []matcher.Row) []matcher.Row {
	p.settle()
	return append(dst, p.waiting...)
}

// AppendOldest appends the tickets that wait since an instant in ms or longer, in order of
// age.
func (p *Pool) AppendOldest(dst []matcher.Row, sinceMS int64) []matcher.Row {
	p.settle()
	for _, row := range p.waiting {
		if p.rows[row].ticket.CreatedMS > sinceMS {
			break
		}
		dst = append(dst, row)
	}
	return dst
}

// AppendSessions appends the sessions that look for players, the oldest first.
func (p *Pool) AppendSessions(dst []matcher.Row) []matcher.Row {
	for _, s := range p.open {
		dst = append(dst, p.byMatch[s.ID])
	}
	return dst
}

// settle drops the rows that have left from the list of those that wait.
func (p *Pool) settle() {
	if p.left == 0 {
		return
	}
	p.left = 0
	p.waiting = slices.DeleteFunc(p.waiting, func(row matcher.Row) bool { return p.rows[row].ticket == nil })
}

// row returns a row that is free. One that left since the last settle stays in waiting, so
// that it must be dropped there before it is used again.
func (p *Pool) row() matcher.Row {
	if len(p.free) == 0 {
		p.rows = append(p.rows, entry{})
		return matcher.Row(len(p.rows) - 1)
	}
	p.settle()
	row := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return row
}

// Add lets a ticket wait, which comes in order of age. The error is a matcher.Refusal of
// more players than a match has. The ticket's slices are not kept.
func (p *Pool) Add(t matcher.Ticket) (matcher.Row, error) {
	p.tickets++
	ticket := &exchange.Ticket{
		ID: "t" + strconv.Itoa(p.tickets), Party: "p" + strconv.FormatUint(t.Players[0].ID, 10),
		CreatedMS: t.CreatedMS, GiveUpMS: p.Hello.GiveUpMS,
	}
	for i := range t.Players {
		ticket.Players = append(ticket.Players, p.player(&t.Players[i]))
	}
	row, err := p.Wait(ticket)
	if err == nil && p.check != nil {
		p.rows[row].params = p.check.keep(&t, p.tickets)
	}
	return row, err
}

// Wait is Add for a ticket that is described already. Its id is new.
func (p *Pool) Wait(ticket *exchange.Ticket) (matcher.Row, error) {
	if n := len(ticket.Players); n > p.Hello.Match.Max {
		return 0, matcher.Refusal(fmt.Sprintf("%d players in one ticket, want at most the match size of %d", n, p.Hello.Match.Max))
	}
	if !p.Turns {
		ticket.Reach = p.all()
	}
	row := p.row()
	p.rows[row] = entry{ticket: ticket, reach: ticket.Reach}
	p.byID[ticket.ID] = row
	p.waiting = append(p.waiting, row)
	return row, nil
}

// player describes a player.
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

// AddSession lets a running match look for players. The session's slices are kept.
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

// Open is AddSession for a session that is described already. Its id is new, or that of one
// that has been taken out.
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

// Remove takes a ticket out that leaves without a match, or a session that ends.
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

// Why tickets leave.
const (
	Expired = "expired"
	Failed  = "failed"
	matched = "matched"
)

// leave takes a ticket out.
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

// close takes a session out.
func (p *Pool) close(row matcher.Row) {
	session := p.rows[row].session
	is := func(s *exchange.Session) bool { return s.ID == session.ID }
	p.pass.AddedSessions = slices.DeleteFunc(p.pass.AddedSessions, is)
	if p.heardOf[session.ID] {
		p.pass.RemovedSessions = append(p.pass.RemovedSessions, session.ID)
	}
	p.open = slices.DeleteFunc(p.open, is)
	delete(p.byMatch, session.ID)
	p.rows[row] = entry{}
	p.free = append(p.free, row)
}

// Dropped returns the proposals of the last answer that were dropped, until the next pass.
func (p *Pool) Dropped() []exchange.Dropped { return p.dropped }

// Why returns what the matchmaker said of a ticket last, "" if it said nothing.
func (p *Pool) Why(row matcher.Row) string { return p.why[p.rows[row].ticket.ID] }

// Started tells the number of the match that the next proposal of an outcome became, of
// its matches in their order. Of no pool, it does nothing: the engine need not know.
func (p *Pool) Started(match uint64) {
	if p == nil {
		return
	}
	p.accepted = append(p.accepted, exchange.Accepted{Proposal: p.starts[0], Match: "m" + strconv.FormatUint(match, 10)})
	p.starts = p.starts[1:]
}

// Evaluations is none: who evaluates what is not known of a matchmaker outside.
func (p *Pool) Evaluations() []matcher.Evaluations { return nil }
