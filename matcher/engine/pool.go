package engine

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/made"
	"mmsim/matcher/engine/internal/store"
)

// Row identifies a ticket or a session of a Pool, from Add until it has left the pool.
type Row = matcher.Row

// Pool holds the waiting tickets and the sessions that look for players. Pass matches them.
//
// A pool may be used for one pass or for a whole day. This never affects its decisions: a new
// pool with the same tickets, added in the same order, makes the same ones. A pool is not safe
// for concurrent use.
type Pool struct {
	// Draw returns the k-th random number of a ticket. It makes the batches of Ruleset.Batch
	// random; if it is nil, batches are cut in order of age.
	Draw func(ticket, k uint64) uint64

	// Unfiltered makes a pass with SeatRules try the candidates that the index would exclude,
	// so that Evaluations counts them too. The decisions are the same, but slower.
	Unfiltered bool

	rules  *matcher.Ruleset
	schema *matcher.Schema
	names  []string // Ruleset.RuleNames
	method method

	rows     *store.Rows
	all      *Subset   // all tickets
	subsets  []*Subset // subsets made by callers
	sessions []Row     // by age
	failed   []Row     // failed seeds of the pass, which sessions may still take
	due      []Row     // during a pass: sessions to be served between tickets, by their age
	details  map[Row]*matcher.Session
	waiting  int // tickets

	exits uint64  // counts tickets that leave a subset or the pool
	epoch uint64  // counts changes that may let failed searches succeed
	parts []int32 // by row: the row's part, while the pool is partitioned

	out    matcher.Outcome // of this pass
	circle circle          // of the current seed
	added  matcher.Ticket  // the ticket of the current call of Add
}

// method is a way to form groups, for example by rules that hold for every pair and every
// group, or around a pivot.
type method interface {
	begin() // called once the rows of the pool exist
	// refuse returns the reason for which a ticket cannot wait. Its number of players has been
	// checked.
	refuse(t *matcher.Ticket) error
	refuseSession(s *matcher.Session) error
	largestTicket() int // players
	load(row Row, t *matcher.Ticket)
	loadSession(row Row, s *matcher.Session)
	clear(row Row)
	addPlace(rttMS []float64) int32
	// changed reports whether rules have changed since the last call for tickets that did not
	// change themselves.
	changed() bool
	stageAt(waitMS int64) store.Stage
	forget() // drops the proposals of the last pass
	indexRules() *candidate.Rules
	criteria() []criterion.Criterion // along which tickets may be partitioned
	// room returns the number of players of the largest ticket that may join a seed.
	room(seed Row) int32
	// try looks for a match around a seed and adds it to the outcome.
	try(c *circle) verdict
	// keepsApart returns the first reason that keeps two rows apart. If it is a rule, the
	// rule's index in Ruleset.RuleNames is also returned.
	keepsApart(a, b Row) (why Why, rule int)
	// obstacle describes the result of keepsApart.
	obstacle(a, b Row) Obstacle
	// judge marks the rules that a match breaks; the match was made outside the engine.
	judge(f *made.Match)
}

// sessionWalker is a method that serves all sessions together, in the order of Add.
type sessionWalker interface{ backfillAll() }

// passEnder is a method in which a seed may end a pass before all tickets were seeds.
type passEnder interface {
	// ends reports whether over may ever return true.
	ends() bool
	// over is called after every seed, with the number of remaining tickets that are not failed
	// seeds. A seed that has just failed is still counted.
	over(seed Row, left int) bool
}

// Waiting returns the number of waiting tickets.
func (p *Pool) Waiting() int { return p.waiting }

// AppendWaiting appends the waiting tickets, in order of age.
func (p *Pool) AppendWaiting(dst []Row) []Row { return p.all.AppendRows(dst) }

// AppendOldest appends the tickets that were created at sinceMS or earlier, oldest first. It
// takes one step for each appended ticket; if tickets came or left since the last call, one for
// each waiting ticket.
func (p *Pool) AppendOldest(dst []Row, sinceMS int64) []Row {
	p.all.settle()
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

// AppendSessions appends the sessions that look for players, in order of age. A Pass serves
// them in that order.
func (p *Pool) AppendSessions(dst []Row) []Row { return append(dst, p.sessions...) }

// AddPlace stores the round-trip times of a place, in the form of matcher.Player.RTTMS, for use
// in matcher.Ticket.From. They are kept as long as the pool and take about 24 bytes per region.
// The error is a matcher.Refusal if a number is out of range. The slice is not kept.
func (p *Pool) AddPlace(rttMS []float64) (matcher.Place, error) {
	player := matcher.Player{RTTMS: rttMS}
	if err := player.Refuse(); err != nil {
		return matcher.NoPlace, err
	}
	return matcher.Place(p.method.addPlace(rttMS)), nil
}

// Add adds a waiting ticket and returns its row. The error is a matcher.Refusal if the ticket
// has no players, more players than the rules allow or a team holds, numbers out of range, or a
// Place and several players, or if the rules can never match it. The ticket's slices are not
// kept.
func (p *Pool) Add(t matcher.Ticket) (Row, error) {
	if n := len(t.Players); n == 0 || n > p.method.largestTicket() || n > 1 && t.From != matcher.NoPlace {
		return 0, p.refuseSize(len(t.Players), t.From)
	}
	for i := range t.Players {
		if err := t.Players[i].Refuse(); err != nil {
			return 0, err
		}
	}
	p.added = t // a copy in the pool: a pointer to t would move every ticket to the heap
	if err := p.method.refuse(&p.added); err != nil {
		return 0, err
	}
	givesUpMS := matcher.Never
	if t.GiveUpMS > 0 {
		givesUpMS = t.CreatedMS + t.GiveUpMS
	}
	row := p.rows.Add(store.Ticket, t.CreatedMS, givesUpMS, len(t.Players))
	p.method.load(row, &p.added)
	p.added = matcher.Ticket{}
	p.waiting++
	p.all.Add(row)
	return row, nil
}

// refuseSize returns the Refusal of a ticket for its number of players.
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
	return matcher.Refusal(fmt.Sprintf("%d players in one ticket, but no team holds more than %d", players, p.method.largestTicket()))
}

// AddSession adds an open session that looks for players and returns its row. The error is a
// matcher.Refusal if a member is in a team that does not exist or has numbers out of range, or
// if there are more members than seats. The session's slices are kept and must not change while
// the session is in the pool.
func (p *Pool) AddSession(s matcher.Session) (Row, error) {
	_, ordered := p.method.(sessionWalker)
	most := p.rules.MaxPlayers
	if ordered { // sizes may have changed since the match was made
		most = matcher.MaxGroupPlayers
	}
	if s.Capacity <= 0 || s.Capacity > most {
		s.Capacity = most
	}
	if len(s.Members) > s.Capacity {
		return 0, matcher.Refusal(fmt.Sprintf("%d players in a session, want at most %d", len(s.Members), s.Capacity))
	}
	if err := p.method.refuseSession(&s); err != nil {
		return 0, err
	}
	for i := range s.Members {
		if err := s.Members[i].Refuse(); err != nil {
			return 0, err
		}
	}
	row := p.rows.Add(store.Session, s.CreatedMS, matcher.Never, len(s.Members))
	p.details[row] = &s
	p.method.loadSession(row, &s)
	at := len(p.sessions)
	if !ordered {
		at, _ = slices.BinarySearchFunc(p.sessions, row, p.rows.Compare)
	}
	p.sessions = slices.Insert(p.sessions, at, row)
	return row, nil
}

// Remove removes a withdrawn ticket or a session. Pass has already removed everything that it
// matched or let expire. Remove panics if the row is not in use, because that is a fault of the
// caller.
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

// playersOf returns the members of a session as players.
func playersOf(s *matcher.Session) []matcher.Player {
	players := make([]matcher.Player, len(s.Members))
	for i := range s.Members {
		players[i] = s.Members[i].Player
	}
	return players
}
