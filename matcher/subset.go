package matcher

import (
	"cmp"
	"fmt"
	"slices"
)

// Subset is some of the tickets of a pool, which are matched apart from the others.
// A ticket may be in any number of subsets; it has left all of them once it has
// left the pool. A subset remembers which of its seeds found nothing: they sleep
// until as many players came into their reach as they miss, or a rule changed with
// somebody's wait. What it decides never depends on that. Where Ruleset.PartitionAbove
// made the last Pool.Pass split the pool, its parts stay apart in subsets too.
type Subset struct {
	pool    *Pool
	members []member // in order of age unless mixed; some have left
	mixed   bool
	joined  []uint64 // by row: when the ticket joined, as Pool.changes counts; 0: it did not
	alone   recall   // of seeds among the members
	backed  recall   // of seeds with a reserve

	unsettled bool     // in this pass: somebody who is older than the next seed is its candidate
	changed   []change // since the last pass
	restless  []int    // members asleep whom a change of rules may help
	gathered  gathering
	settledAt uint64  // Pool.exits when those who left were dropped
	stoodAt   moment  // when the stands were filled
	reserve   *Subset // of this pass, or nil
	asking    bool    // in this pass: sleepers look around when it is their turn
}

// member is a ticket of a subset.
type member struct {
	createdMS int64
	sequence  int64
	joined    uint64
	row       Row
}

// moment tells whether anything has come, changed or left meanwhile.
type moment struct{ changes, exits uint64 }

// recall is what a subset remembers of seeds that found nothing.
type recall struct {
	memory []seedMemory // by row
	seen   uint64       // Pool.changes as of the last pass
	asked  bool         // in the last pass sleepers looked around themselves: what they miss was not kept up
	tired  []stamp      // seeds that a budget stopped; some are awake or gone by now
}

// seedMemory is what is known of a ticket or session from the last time it was a
// seed and found nothing.
type seedMemory struct {
	missing   int32  // at least so many players must come into its reach until it finds a match; 0: it is worth a try
	counted   bool   // it misses players by number: what changes among its candidates does not help
	tried     uint64 // when that was, as Pool.changes counts
	heard     uint32 // and as gathering.count does: or when it counted those who came last
	exhausted bool   // a budget ended its search; then it is in recall.tired
}

// NewSubset returns an empty subset of a pool's tickets.
func (p *Pool) NewSubset() *Subset {
	s := &Subset{pool: p}
	p.subsets = append(p.subsets, s)
	return s
}

// Add takes a ticket of the pool in, unless it is here. A row that is no ticket is a
// fault of the caller: Add panics.
func (s *Subset) Add(row Row) {
	p := s.pool
	if p.state[row] != rowTicket {
		panic(fmt.Sprintf("matcher: row %d joins a subset, but is no ticket that waits", row))
	}
	s.grow(row)
	if s.joined[row] > p.born[row] {
		return
	}
	p.changes++
	s.joined[row] = p.changes
	s.alone.memory[row], s.backed.memory[row] = seedMemory{}, seedMemory{}
	m := member{p.createdMS[row], p.sequence[row], p.changes, row}
	if len(s.members) == cap(s.members) {
		s.makeRoom()
	}
	at := len(s.members)
	if at == 0 || s.members[at-1].compare(m) < 0 { // most are the youngest
		s.members = append(s.members, m)
		return
	}
	if !s.mixed {
		at, _ = slices.BinarySearchFunc(s.members, m, member.compare)
	}
	if s.mixed = s.mixed || len(s.members)-at > movesMax; s.mixed {
		at = len(s.members)
	}
	s.members = slices.Insert(s.members, at, m)
}

// makeRoom drops the members that have left before room is made for more, so that a
// subset nobody asks for matches does not grow with those who pass through.
func (s *Subset) makeRoom() {
	n := len(s.members)
	if s.settle(); len(s.members) > n/2 {
		s.members = slices.Grow(s.members, n)
	}
}

// movesMax is how many members are moved at most to bring one to his place; where it
// takes more, all are sorted when next they are looked at.
const movesMax = 256

// grow makes room for a row.
func (s *Subset) grow(row Row) {
	for int(row) >= len(s.joined) {
		s.joined = append(s.joined, 0)
		s.alone.memory, s.backed.memory = append(s.alone.memory, seedMemory{}), append(s.backed.memory, seedMemory{})
	}
}

// Remove lets a ticket leave that stays in the pool. One that is not here, or has
// left the pool, changes nothing.
func (s *Subset) Remove(row Row) {
	if int(row) >= len(s.joined) || s.joined[row] <= s.pool.born[row] {
		return
	}
	s.alone.loses(s.pool, row)
	s.backed.loses(s.pool, row)
	s.joined[row] = 0
	s.pool.exits++
}

// compare orders members by age.
func (m member) compare(other member) int {
	if m.createdMS != other.createdMS {
		return cmp.Compare(m.createdMS, other.createdMS)
	}
	return cmp.Compare(m.sequence, other.sequence)
}

// holds tells whether a member has not left.
func (s *Subset) holds(m *member) bool {
	return s.joined[m.row] == m.joined && m.joined > s.pool.born[m.row]
}

// settle drops the members that have left.
func (s *Subset) settle() {
	if s.settledAt == s.pool.exits && !s.mixed {
		return
	}
	s.settledAt = s.pool.exits
	kept := s.members[:0]
	for i := range s.members {
		if s.holds(&s.members[i]) {
			kept = append(kept, s.members[i])
		}
	}
	s.members = kept
	if s.mixed {
		slices.SortFunc(s.members, member.compare)
		s.mixed = false
	}
}

// Len returns the number of tickets. Cost: a look at each.
func (s *Subset) Len() int {
	s.settle()
	return len(s.members)
}

// Players returns the number of players of all tickets. Cost: a look at each.
func (s *Subset) Players() int {
	s.settle()
	players := 0
	for i := range s.members {
		players += int(s.pool.size[s.members[i].row])
	}
	return players
}

// AppendRows appends the tickets in order of age.
func (s *Subset) AppendRows(dst []Row) []Row {
	s.settle()
	for i := range s.members {
		dst = append(dst, s.members[i].row)
	}
	return dst
}

// Match makes matches among the members at an instant in ms, as Pool.Pass does
// among all: each, in order of age, is the seed. limit is how many at most, 0 for
// no limit. Sessions do not take part and nobody expires.
func (s *Subset) Match(nowMS int64, limit int) Outcome {
	p := s.pool
	p.begin(nowMS)
	s.settle()
	s.wake(&s.alone, nil)
	if p.star != nil {
		p.star.seeds(s, &s.alone, nil, limit)
		return p.out
	}
	s.seeds(&s.alone, nil, limit)
	return p.out
}

// MatchWith makes matches of members that need players from a reserve. Each member,
// in order of age, is the seed; its candidates are the members behind it in age
// and, after all of them, the reserve: a member always comes before it. In each of
// the two the nearest is first.
func (s *Subset) MatchWith(nowMS int64, reserve *Subset, limit int) Outcome {
	p := s.pool
	p.begin(nowMS)
	s.settle()
	reserve.settle()
	if len(reserve.members) == 0 {
		return p.out
	}
	s.wake(&s.backed, reserve)
	if p.star != nil {
		p.star.seeds(s, &s.backed, reserve, limit)
		return p.out
	}
	s.seeds(&s.backed, reserve, limit)
	return p.out
}
