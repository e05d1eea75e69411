package matcher

import (
	"fmt"
	"math"
	"slices"
)

// Refusal is why a ticket or a session cannot wait in a pool at all.
type Refusal string

// Error returns the reason.
func (r Refusal) Error() string { return string(r) }

// Pool holds the tickets that wait and the sessions that look for players, and
// what rules need to know of them, computed once on Add. Pass matches them.
//
// A pool may live for one pass or for a whole day: its indexes follow every Add
// and Remove, and a pass takes up only what may have changed since the last one.
// What it decides never depends on that: a new pool with the same tickets in the
// same order decides the same. A pool is not safe for concurrent use.
type Pool struct {
	rules  *Ruleset
	schema *Schema
	names  []string // Ruleset.RuleNames
	budget int

	largestTeam   int // players
	largestTicket int // players

	columns []*column // all rules, in the order of the ruleset
	ranking []*column // without those about teams
	pairs   []*column // rules about every pair
	groups  []*column // rules about a whole group
	teams   []*column // rules about teams
	reading []*column // rules that look at attributes of players
	region  *column   // the region rule, or nil
	reach   regionTable

	// by row
	createdMS []int64
	givesUpMS []int64 // instant
	dueMS     []int64 // instant at which its rules change next or it gives up
	sequence  []int64
	size      []int32
	state     []rowState
	version   []uint32 // counts the tickets that had the row, see stamp
	born      []uint64 // when the row was taken, as changes counts; later than anything while it is free
	touched   []uint64 // when its rules changed
	fronts    []front
	home      []uint8             // its nearest region plus 1, or 0
	homes     [MaxRegions + 1]int // tickets by home
	blocks    int                 // homes of somebody
	part      []int32             // the partition of this pass

	changes     uint64    // counts tickets that come or join a subset, and rules of one that change
	exits       uint64    // counts tickets that leave a subset or the pool
	all         Subset    // all tickets
	subsets     []*Subset // others
	ordered     bool      // the longest wait sets stages: seeds in vain are no candidates of younger ones
	decisive    bool      // see decides
	lined       bool      // see lines
	asks        bool      // seeds may find out for themselves who is around; see Subset.mayAsk
	partitioned bool      // tickets are split in this pass, or were in the last one
	tired       bool      // some seed was stopped by a budget

	out Outcome // of this pass
	// what proposals are made of, reused
	rows       []Row
	sides      []Side
	regionList []Region
	choices    []regionChoice

	free     []Row
	sessions []Row // by order
	details  map[Row]*Session
	waiting  int
	sizes    []int // waiting tickets by players
	nextSeq  int64

	index  index
	stages stageTable
	clock  clock
	search search
	teamer teamer
	star   *starSearch // nil without Ruleset.Star
}

type rowState uint8

const (
	rowFree rowState = iota
	rowTicket
	rowSession
)

// NewPool returns an empty pool for a ruleset, or the error of its Validate.
func NewPool(rules *Ruleset, schema *Schema) (*Pool, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{rules: rules, schema: schema, names: rules.RuleNames(), budget: rules.Budget, details: make(map[Row]*Session)}
	if p.budget == 0 {
		p.budget = DefaultBudget
	}
	for _, team := range rules.Teams {
		p.largestTeam = max(p.largestTeam, team.Max)
	}
	p.limitTickets()
	for _, rule := range rules.Rules {
		c := compileRule(rule, rules)
		p.columns = append(p.columns, c)
		switch c.kind {
		case equalText, numberDistance:
			p.pairs, p.ranking = append(p.pairs, c), append(p.ranking, c)
		case setOverlap, matchTotal, reachRegion:
			p.groups, p.ranking = append(p.groups, c), append(p.ranking, c)
		default:
			p.teams = append(p.teams, c)
		}
		if c.kind == reachRegion {
			p.region = c
		} else {
			p.reading = append(p.reading, c)
		}
	}
	p.sizes = make([]int, rules.MaxPlayers+1)
	p.reach.add() // NoVantage
	p.all.pool, p.ordered = p, rules.ExpansionBasis == LongestWait
	p.index.init(p.pairs)
	var thresholds *Schedule
	if p.region != nil {
		thresholds = &p.region.bound
	}
	p.reach.prepare(thresholds, rules.Star != nil)
	p.decisive = rules.Star == nil && p.decides()
	p.lined = p.lines()
	if p.asks = p.ordered && (p.decisive || rules.Star != nil); p.asks {
		p.index.perBlock = indexPerBlockAsking
	}
	p.search.init(p)
	p.teamer.init(p)
	if rules.Star != nil {
		p.star = new(starSearch)
		p.star.init(p)
	}
	p.stages.init(p)
	p.clock.nowMS, p.clock.nextMS = math.MinInt64, Never
	return p, nil
}

// Waiting returns the number of tickets that wait.
func (p *Pool) Waiting() int { return p.waiting }

// AppendOldest appends the tickets that wait since an instant in ms or longer, in order of
// age. Cost: a look at each that waits if any came or left meanwhile, else at those alone.
func (p *Pool) AppendOldest(dst []Row, sinceMS int64) []Row {
	p.all.settle()
	for i := 0; i < len(p.all.members) && p.all.members[i].createdMS <= sinceMS; i++ {
		dst = append(dst, p.all.members[i].row)
	}
	return dst
}

// Add lets a ticket wait and returns its row. The error is a Refusal: of a ticket
// without players, with as many as a match holds or more, with more than
// MaxTicket, that fits into no team, with numbers out of range, or, with a Star,
// that measured regions which are all too far; a Vantage is of one player. The ticket's
// slices are not kept.
func (p *Pool) Add(t Ticket) (Row, error) {
	if err := p.refuse(&t); err != nil {
		return 0, err
	}
	row := p.newRow(rowTicket, t.CreatedMS, len(t.Players))
	if t.GiveUpMS > 0 {
		p.givesUpMS[row] = t.CreatedMS + t.GiveUpMS
	}
	for _, c := range p.reading {
		c.fill(row, t.Players)
	}
	if t.From != NoVantage {
		p.reach.show(row, int32(t.From))
	} else {
		p.reach.fill(row, t.Players)
	}
	p.waiting++
	p.sizes[len(t.Players)]++
	p.home[row] = p.reach.home[p.reach.view[row]]
	if p.star != nil {
		p.star.read(row, t.Values, t.Players, t.From)
		p.home[row] = uint8(p.star.rows[row].nearest + 1)
	}
	p.settleIn(p.home[row])
	p.all.Add(row)
	p.enter(row)
	return row, nil
}

// refuse returns the Refusal of a ticket that cannot wait.
func (p *Pool) refuse(t *Ticket) error {
	if n := len(t.Players); n == 0 || n > p.largestTicket || n > 1 && t.From != NoVantage {
		return p.refuseSize(t)
	}
	for i := range t.Players {
		if err := t.Players[i].refuse(); err != nil {
			return err
		}
	}
	if p.star != nil {
		return p.star.refuse(t.Players, t.From)
	}
	return nil
}

// refuseSize returns the Refusal of a ticket for its number of players.
func (p *Pool) refuseSize(t *Ticket) error {
	players := len(t.Players)
	switch {
	case t.From != NoVantage && players != 1:
		return Refusal(fmt.Sprintf("%d players with one vantage, want 1", players))
	case players == 0:
		return Refusal("a ticket without players")
	case p.star == nil && players >= p.rules.MaxPlayers:
		return Refusal(fmt.Sprintf("%d players in one ticket, want fewer than the match size of %d", players, p.rules.MaxPlayers))
	case p.star == nil && p.rules.MaxTicket > 0 && players > p.rules.MaxTicket:
		return Refusal(fmt.Sprintf("%d players in one ticket, want at most %d", players, p.rules.MaxTicket))
	}
	return Refusal(fmt.Sprintf("%d players in one ticket, but no team holds more than %d", players, p.largestTicket))
}

// limitTickets finds the most players that a ticket may have.
func (p *Pool) limitTickets() {
	if p.rules.Star != nil {
		p.largestTicket = p.rules.Star.largestTicket()
		return
	}
	p.largestTicket = p.rules.MaxPlayers - 1
	if p.rules.MaxTicket > 0 {
		p.largestTicket = min(p.largestTicket, p.rules.MaxTicket)
	}
	if len(p.rules.Teams) > 0 {
		p.largestTicket = min(p.largestTicket, p.largestTeam)
	}
}

// AddSession lets an open session look for players and returns its row. The error
// is a Refusal: of a member in a team that does not exist or with numbers out of
// range, or of more members than seats. The session's slices are kept and must not
// change while it is here.
func (p *Pool) AddSession(s Session) (Row, error) {
	if s.Capacity <= 0 || s.Capacity > p.rules.MaxPlayers {
		s.Capacity = p.rules.MaxPlayers
	}
	if len(s.Members) > s.Capacity {
		return 0, Refusal(fmt.Sprintf("%d players in a session, want at most %d", len(s.Members), s.Capacity))
	}
	for i := range s.Members {
		m, teams := &s.Members[i], len(p.rules.Teams)
		if p.star != nil {
			teams = MaxGroupPlayers
		}
		if m.Team < 0 && (m.Team != NoTeam || p.star != nil) || m.Team >= teams {
			return 0, Refusal(fmt.Sprintf("a player of a session is in team %d of %d", m.Team, teams))
		}
		if err := s.Members[i].refuse(); err != nil {
			return 0, err
		}
	}
	players := make([]Player, len(s.Members))
	for i := range s.Members {
		players[i] = s.Members[i].Player
	}
	row := p.newRow(rowSession, s.CreatedMS, len(s.Members))
	p.all.alone.memory[row] = seedMemory{} // sessions are no members, but seeds
	for _, c := range p.reading {
		c.fill(row, players)
	}
	p.reach.fillSession(row, s.Region)
	if p.star != nil {
		p.star.probe.measure(&p.rules.Star.Region, players)
		p.star.read(row, s.Values, players, NoVantage)
	}
	p.details[row] = &s
	at, _ := slices.BinarySearchFunc(p.sessions, row, p.order)
	p.sessions = slices.Insert(p.sessions, at, row)
	return row, nil
}

// Remove takes a ticket or a session out that was withdrawn. Pass has done so
// already for all that it matched or let expire. A row that does not wait is a
// fault of the caller: Remove panics.
func (p *Pool) Remove(row Row) {
	p.loses(row)
	switch p.state[row] {
	case rowTicket:
		p.exit(row)
		p.leaveHome(p.home[row])
		p.waiting--
		p.sizes[p.size[row]]--
	case rowSession:
		at := slices.Index(p.sessions, row)
		p.sessions = slices.Delete(p.sessions, at, at+1)
		delete(p.details, row)
	default:
		panic(fmt.Sprintf("matcher: row %d is removed, but does not wait", row))
	}
	for _, c := range p.groups {
		c.clear(row)
	}
	p.state[row], p.fronts[row].size, p.dueMS[row], p.born[row] = rowFree, nobody, Never, math.MaxUint64
	p.version[row]++
	p.exits++
	p.free = append(p.free, row)
}

// newRow takes a free row, or makes one.
func (p *Pool) newRow(state rowState, createdMS int64, players int) Row {
	var row Row
	if n := len(p.free); n > 0 {
		row, p.free = p.free[n-1], p.free[:n-1]
	} else {
		row = Row(len(p.state))
		p.createdMS, p.givesUpMS, p.dueMS = append(p.createdMS, 0), append(p.givesUpMS, 0), append(p.dueMS, Never)
		p.sequence, p.size = append(p.sequence, 0), append(p.size, 0)
		p.state, p.version = append(p.state, 0), append(p.version, 0)
		p.born, p.touched = append(p.born, 0), append(p.touched, 0)
		p.fronts, p.part = append(p.fronts, front{}), append(p.part, 0)
		p.home = append(p.home, 0)
		p.all.grow(row)
		for _, c := range p.columns {
			c.grow()
		}
	}
	p.reach.grow(p, len(p.state))
	p.createdMS[row], p.givesUpMS[row], p.size[row] = createdMS, Never, int32(players)
	p.sequence[row] = p.nextSeq
	p.nextSeq++
	p.changes++
	p.state[row], p.born[row], p.part[row] = state, p.changes, 0
	p.clock.fresh = append(p.clock.fresh, stamp{row, p.version[row]})
	return row
}

// order compares two rows by age: who was created first, then who was added first.
func (p *Pool) order(a, b Row) int {
	if p.older(a, b) {
		return -1
	}
	if a == b {
		return 0
	}
	return 1
}

func (p *Pool) older(a, b Row) bool {
	if p.createdMS[a] != p.createdMS[b] {
		return p.createdMS[a] < p.createdMS[b]
	}
	return p.sequence[a] < p.sequence[b]
}

// byAge returns two rows, the longer-waiting first.
func (p *Pool) byAge(a, b Row) (old, young Row) {
	if p.createdMS[b] < p.createdMS[a] {
		return b, a
	}
	return a, b
}
