package engine

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Row identifies a ticket or a session of a Pool from Add until it leaves the pool.
type Row = matcher.Row

// Pool contains the waiting tickets and the sessions that look for players. Pass matches them.
//
// A pool may be used for one pass or for a whole day. It makes the same decisions in both cases: a
// new pool decides as an old one does if the same tickets are added in the same order. A pool is
// not safe for concurrent use.
type Pool struct {
	// Draw returns a random number for a ticket and an instant. If it is set, tickets are sorted by
	// these numbers before they are cut into batches of Ruleset.Batch tickets. If it is nil,
	// batches are cut in order of age. SeatRules.SortBy takes precedence over Draw.
	Draw func(ticket, k uint64) uint64

	// Unfiltered makes a pass try the candidates that the index would exclude, so that
	// Evaluations counts them too. The decisions are the same, but take longer.
	Unfiltered bool

	rules  *matcher.Ruleset
	schema *matcher.Schema
	names  []string // result of Ruleset.RuleNames
	method method
	index  *candidate.IndexRules // rules that the index of every subset uses
	budget int                   // number of search steps for one seed

	largest  int  // number of players in the largest ticket that is allowed
	teams    int  // number of teams in which a session's players may be
	partSize int  // target number of tickets that are matched together, see partition; 0 means all
	ordered  bool // under Ruleset.Rules, the longest wait determines the stages of all rules
	optionalFuncs

	rows     *store.Rows
	all      *Subset            // all waiting tickets
	sessions []Row              // sessions that look for players, in order of age
	prefers  [][]matcher.Region // indexed by row: a copy of Ticket.Regions; nil until a ticket has one
	due      []Row              // sessions with normal priority that this pass has not served yet, in order of age
	details  map[Row]*matcher.Session
	waiting  int // number of waiting tickets

	exits   uint64  // number of times that a ticket has left a subset or the pool
	epoch   uint64  // number of changes that may let failed searches succeed
	regions int     // number of regions in the schema at the last pass
	parts   []int32 // indexed by row: the row's part; nil if the pool is not partitioned

	out    matcher.Outcome // outcome of the current pass
	made   proposals       // memory for the proposals in out
	window window          // the current seed and its candidates
	query  candidate.Query // memory for window.query
	added  matcher.Ticket  // ticket of the current call of Add
}

// method is a search for matches under one kind of rules. Its constructor also sets the fields of
// the pool that depend on the rules: index, largest, teams, partSize, ordered, optionalFuncs and rows.
type method interface {
	load(row Row, t *matcher.Ticket)
	loadSession(row Row, s *matcher.Session)
	clear(row Row) // drops the data of a row that has left
	addPlace(rttMS []float64) matcher.Place
	// begin starts a pass. It reports whether the rules now have a different effect on tickets that
	// have not changed since the last pass.
	begin() (changed bool)
	// room returns the largest number of players in a ticket that may join a seed's match.
	room(seed Row) int32
	// try looks for a match around a seed and adds it to the outcome of the pass.
	try(w *window) verdict
	// obstacle returns the first reason why two rows are kept apart. If full is not set, only the
	// fields Why and Rule are needed.
	obstacle(a, b Row, full bool) Obstacle
	// turn returns the first wait after waitMS, in ms, at which a rule changes other than by a step of
	// a linear schedule. It returns matcher.Never if there is none.
	turn(waitMS int64) int64
	// judge sets f.broken for the rules that a match breaks.
	judge(f *finished)
}

// optionalFuncs contains functions that only some methods need. They are nil for the other methods.
type optionalFuncs struct {
	// refuse returns the reason why the rules can never match a ticket, or nil. The ticket's number
	// of players has been checked before.
	refuse func(t *matcher.Ticket) error
	// backfillAll serves all sessions together, in the order in which they were added.
	backfillAll func()
	// over reports whether a pass ends after a seed, although some tickets have not been seeds. The
	// parameter left is the number of waiting tickets that are not failed seeds. If the seed has
	// just failed, left includes it.
	over func(seed Row, left int) bool
	// invalidate marks the tickets of a subset whose searches must be repeated. See
	// seats.invalidate.
	invalidate func(s *Subset, since uint64) bool
	// split assigns the waiting tickets and sessions to Pool.parts.
	split func(rows []Row)
	// ranking lists the candidates of a seed, in no order.
	ranking func(seed Row) []Ranked
	// ownObstacle implements Pool.OwnObstacle.
	ownObstacle func(row Row) (rule int, apart bool)
	// evaluations implements Pool.Evaluations.
	evaluations func() []matcher.Evaluations
}

// Waiting returns the number of waiting tickets.
func (p *Pool) Waiting() int { return p.waiting }

// AppendWaiting appends the waiting tickets, in order of age.
func (p *Pool) AppendWaiting(dst []Row) []Row { return p.all.AppendRows(dst) }

// AppendOldest appends the tickets that were created at sinceMS or earlier, oldest first. Cost: one
// step for each appended ticket. If tickets have joined or left since the last call, it is one step
// for each waiting ticket.
func (p *Pool) AppendOldest(dst []Row, sinceMS int64) []Row {
	p.all.compact()
	for i := range p.all.members {
		row := p.all.members[i].Row
		if p.rows.CreatedMS[row] > sinceMS {
			break
		}
		if p.rows.CreatedMS[row]+p.rows.CutMS[row] <= sinceMS {
			dst = append(dst, row)
		}
	}
	return dst
}

// AppendSessions appends the sessions that look for players, in order of age. With InTurn,
// they are in the order in which they were added.
func (p *Pool) AppendSessions(dst []Row) []Row { return append(dst, p.sessions...) }

// AddPlace stores the round-trip times of a place, which are in the form of matcher.Player.RTTMS.
// Set matcher.Ticket.From to the result. The pool never forgets the times, which take about 24
// bytes per region. The error is a matcher.Refusal if a number is out of range. The slice is not
// kept.
func (p *Pool) AddPlace(rttMS []float64) (matcher.Place, error) {
	player := matcher.Player{RTTMS: rttMS}
	if err := player.Refuse(); err != nil {
		return matcher.NoPlace, err
	}
	return p.method.addPlace(rttMS), nil
}

// Add adds a waiting ticket and returns its row. It does not keep the ticket's slices. The error is
// a matcher.Refusal if the number of players is not allowed, a number is out of range, a ticket
// with several players has a Place, it prefers a region that does not exist, or the rules can never match the ticket.
func (p *Pool) Add(t matcher.Ticket) (Row, error) {
	if n := len(t.Players); n == 0 || n > p.largest || n > 1 && t.From != matcher.NoPlace {
		return 0, p.refuseSize(len(t.Players), t.From)
	}
	for i := range t.Players {
		if err := t.Players[i].Refuse(); err != nil {
			return 0, err
		}
	}
	for _, region := range t.Regions {
		if region < 0 || int(region) >= p.schema.Regions() {
			return 0, matcher.Refusal(fmt.Sprintf("region %d in the order of preference, want one of the %d regions of the schema", region, p.schema.Regions()))
		}
	}
	p.added = t // this copy is in the pool, because a pointer to t would move every ticket to the heap
	if p.refuse != nil {
		if err := p.refuse(&p.added); err != nil {
			return 0, err
		}
	}
	givesUpMS := matcher.Never
	if t.GiveUpMS > 0 {
		givesUpMS = t.CreatedMS + t.GiveUpMS
	}
	row := p.rows.Add(store.Ticket, t.CreatedMS, givesUpMS, len(t.Players))
	p.method.load(row, &p.added)
	p.added = matcher.Ticket{}
	if p.prefers != nil || len(t.Regions) > 0 {
		for int(row) >= len(p.prefers) {
			p.prefers = append(p.prefers, nil)
		}
		p.prefers[row] = slices.Clone(t.Regions)
	}
	p.waiting++
	p.all.Add(row)
	return row, nil
}

// refuseSize returns the Refusal of a ticket whose number of players is not allowed.
func (p *Pool) refuseSize(players int, from matcher.Place) error {
	group := p.rules.Pivot == nil && p.rules.Seats == nil
	switch {
	case from != matcher.NoPlace && players != 1:
		return matcher.Refusal(fmt.Sprintf("%d players with one place, want 1", players))
	case players == 0:
		return matcher.Refusal("a ticket without players")
	case group && players >= p.rules.MaxPlayers:
		return matcher.Refusal(fmt.Sprintf("%d players in one ticket, want fewer than the match size of %d", players, p.rules.MaxPlayers))
	case group && p.rules.MaxTicket > 0 && players > p.rules.MaxTicket:
		return matcher.Refusal(fmt.Sprintf("%d players in one ticket, want at most %d", players, p.rules.MaxTicket))
	}
	return matcher.Refusal(fmt.Sprintf("%d players in one ticket, but no team holds more than %d", players, p.largest))
}

// AddSession adds an open session that looks for players and returns its row. The session's slices
// are kept and must not change while the session is in the pool. The error is a matcher.Refusal in
// these cases: there are more members than seats, a member is in a team that does not exist, or a
// number is out of range.
func (p *Pool) AddSession(s matcher.Session) (Row, error) {
	most, anyTeam := p.rules.MaxPlayers, p.rules.Pivot == nil && p.rules.Seats == nil
	if p.backfillAll != nil { // the allowed sizes may have changed since the match was made
		most = matcher.MaxGroupPlayers
	}
	if s.Capacity <= 0 || s.Capacity > most {
		s.Capacity = most
	}
	if len(s.Members) > s.Capacity {
		return 0, matcher.Refusal(fmt.Sprintf("%d players in a session, want at most %d", len(s.Members), s.Capacity))
	}
	for i := range s.Members {
		m := &s.Members[i]
		if (m.Team < 0 || m.Team >= p.teams) && !(anyTeam && m.Team == matcher.NoTeam) {
			return 0, matcher.Refusal(fmt.Sprintf("a player of a session is in team %d of %d", m.Team, p.teams))
		}
		if err := m.Refuse(); err != nil {
			return 0, err
		}
	}
	row := p.rows.Add(store.Session, s.CreatedMS, matcher.Never, len(s.Members))
	p.details[row] = &s
	p.method.loadSession(row, &s)
	at := len(p.sessions)
	if p.backfillAll == nil {
		at, _ = slices.BinarySearchFunc(p.sessions, row, p.rows.Compare)
	}
	p.sessions = slices.Insert(p.sessions, at, row)
	return row, nil
}

// Remove removes a ticket that was withdrawn, or a session. Do not call it for tickets and sessions
// that Pass has matched or that have expired, because Pass removes them. Remove panics if the row
// is not in use.
func (p *Pool) Remove(row Row) {
	switch p.rows.Kind[row] {
	case store.Ticket:
		p.waiting--
	case store.Session:
		at := slices.Index(p.sessions, row)
		p.sessions = slices.Delete(p.sessions, at, at+1)
		delete(p.details, row)
	}
	p.rows.Remove(row)
	p.method.clear(row)
	p.exits++
}

// playersOf returns the players of a session's members.
func playersOf(s *matcher.Session) []matcher.Player {
	players := make([]matcher.Player, len(s.Members))
	for i := range s.Members {
		players[i] = s.Members[i].Player
	}
	return players
}
