package engine

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Subset is a set of tickets of a pool that are matched separately from the others. A ticket
// may be in any number of subsets; it leaves all of them when it leaves the pool. If
// Ruleset.PartitionAbove made the last Pool.Pass split the pool, its parts stay separate in
// subsets too.
type Subset struct {
	pool    *Pool
	members []candidate.Member // by age unless unsorted; contains members that have left since the last settle
	joined  []uint64           // by row: Rows.Changes when the ticket joined; 0: it is not a member
	index   *candidate.Index
	alone   failures // of seeds without a reserve
	backed  failures // of seeds with a reserve

	youngest  age // of all tickets that joined
	unsorted  bool
	settledAt uint64 // Pool.exits when members that had left were last dropped
	indexed   moment // when the index was gathered
}

// moment changes whenever a ticket is added, changes or leaves.
type moment struct{ changes, exits uint64 }

// age is a ticket's position in the order of age. It remains valid after the ticket's row is
// reused.
type age struct{ createdMS, sequence int64 }

func (a age) before(b age) bool {
	return a.createdMS < b.createdMS || a.createdMS == b.createdMS && a.sequence < b.sequence
}

// NewSubset returns an empty subset of a pool's tickets.
func (p *Pool) NewSubset() *Subset {
	s := newSubset(p)
	p.subsets = append(p.subsets, s)
	return s
}

func newSubset(p *Pool) *Subset {
	return &Subset{pool: p, youngest: age{math.MinInt64, 0}, index: candidate.New(p.rows, p.method.indexRules())}
}

// Add adds a ticket of the pool, unless it is already a member. It panics if the row is not a
// ticket, because that is a fault of the caller.
func (s *Subset) Add(row Row) {
	rows := s.pool.rows
	if rows.Kind[row] != store.Ticket {
		panic(fmt.Sprintf("matcher: row %d joins a subset, but is no ticket that waits", row))
	}
	for int(row) >= len(s.joined) {
		s.joined = append(s.joined, 0)
	}
	if s.joined[row] > rows.BornAt[row] {
		return
	}
	rows.Changes++
	s.joined[row] = rows.Changes
	if len(s.members) == cap(s.members) {
		s.makeRoom()
	}
	if age := (age{rows.CreatedMS[row], rows.Sequence[row]}); age.before(s.youngest) {
		s.unsorted = true
	} else { // most tickets are the youngest when they join
		s.youngest = age
	}
	s.members = append(s.members, candidate.Member{Row: row, Joined: rows.Changes})
}

// makeRoom drops members that have left before it allocates room for more. Otherwise a subset
// that is never matched would grow with every ticket that joins and leaves.
func (s *Subset) makeRoom() {
	n := len(s.members)
	if s.settle(); len(s.members) > n/2 {
		s.members = slices.Grow(s.members, n)
	}
}

// Remove removes a ticket from the subset but not from the pool. It does nothing for other
// tickets.
func (s *Subset) Remove(row Row) {
	if int(row) < len(s.joined) && s.joined[row] > s.pool.rows.BornAt[row] {
		s.joined[row] = 0
		s.pool.exits++
	}
}

// settle drops the members that have left and sorts the others by age.
func (s *Subset) settle() {
	if s.settledAt != s.pool.exits {
		s.settledAt = s.pool.exits
		kept := s.members[:0]
		for _, m := range s.members {
			if s.joined[m.Row] == m.Joined && m.Joined > s.pool.rows.BornAt[m.Row] {
				kept = append(kept, m)
			}
		}
		s.members = kept
	}
	if s.unsorted {
		s.unsorted = false
		slices.SortFunc(s.members, func(a, b candidate.Member) int { return s.pool.rows.Compare(a.Row, b.Row) })
	}
}

// Len returns the number of tickets. Cost: up to a step per ticket.
func (s *Subset) Len() int {
	s.settle()
	return len(s.members)
}

// Players returns the number of players of all tickets. Cost: a step per ticket.
func (s *Subset) Players() int {
	s.settle()
	players := 0
	for i := range s.members {
		players += int(s.pool.rows.Players[s.members[i].Row])
	}
	return players
}

// AppendRows appends the tickets in order of age.
func (s *Subset) AppendRows(dst []Row) []Row {
	s.settle()
	for i := range s.members {
		dst = append(dst, s.members[i].Row)
	}
	return dst
}

// Match makes matches among the members at an instant in ms, as Pool.Pass does among all
// tickets: each member, in order of age, is the seed. limit is the largest number of matches, 0
// for no limit. Sessions do not take part, and no ticket expires.
func (s *Subset) Match(nowMS int64, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	s.seeds(&s.alone, nil, limit)
	return s.pool.out
}

// MatchWith makes matches of members that need players from a reserve. Each member, in order of
// age, is the seed. Its candidates are the younger members and, after all of these, the
// reserve; each of the two is ordered by distance.
func (s *Subset) MatchWith(nowMS int64, reserve *Subset, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	if reserve.settle(); len(reserve.members) > 0 {
		s.seeds(&s.backed, reserve, limit)
	}
	return s.pool.out
}
