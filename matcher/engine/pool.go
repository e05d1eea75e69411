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

// Row names a ticket or a session of a Pool, from Add until it has left the pool.
type Row = matcher.Row

// Pool holds the tickets that wait and the sessions that look for players. Pass matches
// them.
//
// A pool may live for one pass or for a whole day. What it decides never depends on that:
// a new pool with the same tickets, added in the same order, decides the same. A pool is
// not safe for concurrent use.
type Pool struct {
	// Draw returns the k-th random number about a ticket, which makes the batches of
	// Ruleset.Batch random; nil: they are cut in order of age.
	Draw func(ticket, k uint64) uint64

	// Unfiltered lets a pass with SeatRules try candidates that the index would leave out,
	// so that Evaluations counts them too. It decides the same, more slowly.
	Unfiltered bool

	rules  *matcher.Ruleset
	schema *matcher.Schema
	names  []string // Ruleset.RuleNames
	method method

	rows     *store.Rows
	all      *Subset   // all tickets
	subsets  []*Subset // those that callers made
	sessions []Row     // by age
	failed   []Row     // seeds of the pass that found nothing, where sessions may take them
	due      []Row     // in a pass: those that come by their age among the tickets
	details  map[Row]*matcher.Session
	waiting  int // tickets

	exits uint64  // counts tickets that leave a subset or the pool
	epoch uint64  // counts changes after which no failed search is known to fail again
	parts []int32 // by row: the part that it is in, while the pool is partitioned

	out    matcher.Outcome // of this pass
	circle circle          // of the seed at hand
	added  matcher.Ticket  // by Add, while it runs
}

// method is a way to form groups: by rules that hold for every pair and every group, or
// around a pivot.
type method interface {
	begin() // the rows of the pool are there
	// refuse returns why a ticket cannot wait, with a number of players that fits.
	refuse(t *matcher.Ticket) error
	refuseSession(s *matcher.Session) error
	largestTicket() int // players
	load(row Row, t *matcher.Ticket)
	loadSession(row Row, s *matcher.Session)
	clear(row Row)
	vantage(rttMS []float64) int32
	// changed tells whether rules hold otherwise since it was asked last, for tickets
	// that did not change themselves.
	changed() bool
	stageAt(waitMS int64) store.Stage
	forget() // the proposals of the last pass
	indexRules() *candidate.Rules
	criteria() []criterion.Criterion // along which tickets may be partitioned
	// room returns the players of the largest ticket that may join a seed.
	room(seed Row) int32
	// try looks for a match around a seed and adds it to the outcome.
	try(c *circle) verdict
	// keepsApart returns the first thing that keeps two rows apart, and of a rule its
	// place among Ruleset.RuleNames.
	keepsApart(a, b Row) (why Why, rule int)
	// obstacle describes what keepsApart returns.
	obstacle(a, b Row) Obstacle
	// judge notes which rules a match breaks that somebody else made.
	judge(f *made.Match)
}

// sessionWalker is a method that serves all sessions in one walk, in the order of Add.
type sessionWalker interface{ backfillAll() }

// passEnder is a method under which a seed may end a pass before all tickets were one.
type passEnder interface {
	// over is asked after every seed, with the tickets left that are no failed seeds; a
	// seed that has just failed is one of them.
	over(seed Row, left int) bool
}

// Waiting returns the number of tickets that wait.
func (p *Pool) Waiting() int { return p.waiting }

// AppendWaiting appends the tickets that wait, in order of age.
func (p *Pool) AppendWaiting(dst []Row) []Row { return p.all.AppendRows(dst) }

// AppendOldest appends the tickets that wait since an instant in ms or longer, in order of
// age. Cost: a look at each that waits if any came or left meanwhile, else at those alone.
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

// AppendSessions appends the sessions that look for players, in order of age: the order
// in which a Pass serves them.
func (p *Pool) AppendSessions(dst []Row) []Row { return append(dst, p.sessions...) }

// Vantage lets a pool know the round-trip times of a place, as matcher.Player.RTTMS has
// them, for matcher.Ticket.From. It is kept as long as the pool, and takes some 24 bytes a
// region. The error is a matcher.Refusal of numbers that are out of range. The slice is
// not kept.
func (p *Pool) Vantage(rttMS []float64) (matcher.Vantage, error) {
	player := matcher.Player{RTTMS: rttMS}
	if err := player.Refuse(); err != nil {
		return matcher.NoVantage, err
	}
	return matcher.Vantage(p.method.vantage(rttMS)), nil
}

// Add lets a ticket wait and returns its row. The error is a matcher.Refusal: of a ticket
// without players, with more than the rules allow or any team holds, with numbers out of
// range, with a Vantage and several players, or of one that the rules can never match.
// The ticket's slices are not kept.
func (p *Pool) Add(t matcher.Ticket) (Row, error) {
	if n := len(t.Players); n == 0 || n > p.method.largestTicket() || n > 1 && t.From != matcher.NoVantage {
		return 0, p.refuseSize(len(t.Players), t.From)
	}
	for i := range t.Players {
		if err := t.Players[i].Refuse(); err != nil {
			return 0, err
		}
	}
	p.added = t // a copy that stays: a pointer to t would put every ticket on the heap
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
func (p *Pool) refuseSize(players int, from matcher.Vantage) error {
	group := p.rules.Pivot == nil && p.rules.Seats == nil
	switch {
	case from != matcher.NoVantage && players != 1:
		return matcher.Refusal(fmt.Sprintf("%d players with one vantage, want 1", players))
	case players == 0:
		return matcher.Refusal("a ticket without players")
	case group && players >= p.rules.MaxPlayers:
		return matcher.Refusal(fmt.Sprintf("%d players in one ticket, want fewer than the match size of %d", players, p.rules.MaxPlayers))
	case group && p.rules.MaxTicket > 0 && players > p.rules.MaxTicket:
		return matcher.Refusal(fmt.Sprintf("%d players in one ticket, want at most %d", players, p.rules.MaxTicket))
	}
	return matcher.Refusal(fmt.Sprintf("%d players in one ticket, but no team holds more than %d", players, p.method.largestTicket()))
}

// AddSession lets an open session look for players and returns its row. The error is a
// matcher.Refusal: of a member in a team that does not exist or with numbers out of range,
// or of more members than seats. The session's slices are kept and must not change while
// it is here.
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

// Remove takes a ticket or a session out that was withdrawn. Pass has done so already for
// all that it matched or let expire. A row that does not wait is a fault of the caller:
// Remove panics.
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

// playersOf lists the members of a session as players.
func playersOf(s *matcher.Session) []matcher.Player {
	players := make([]matcher.Player, len(s.Members))
	for i := range s.Members {
		players[i] = s.Members[i].Player
	}
	return players
}
