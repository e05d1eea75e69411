package engine

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Subset is some of the tickets of a pool, which are matched apart from the others. A
// ticket may be in any number of subsets; it has left all of them once it has left the
// pool. Where Ruleset.PartitionAbove made the last Pool.Pass split the pool, its parts
// stay apart in subsets too.
type Subset struct {
	pool    *Pool
	members []candidate.Member // by age unless unsorted; some have left
	joined  []uint64           // by row: Rows.Changes when the ticket joined; 0: it did not
	index   *candidate.Index
	alone   failures // of seeds among the members
	backed  failures // of seeds with a reserve

	youngest  age // of all that joined
	unsorted  bool
	settledAt uint64 // Pool.exits when those that left were dropped
	indexed   moment // when the index was gathered
}

// moment tells whether anything has come, changed or left since.
type moment struct{ changes, exits uint64 }

// age is the place of a ticket in the order of age. It outlives the ticket's row.
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

// Add takes a ticket of the pool in, unless it is here. A row that is no ticket is a
// fault of the caller: Add panics.
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
	} else { // most tickets are the youngest
		s.youngest = age
	}
	s.members = append(s.members, candidate.Member{Row: row, Joined: rows.Changes})
}

// makeRoom drops the members that have left before room is made for more, so that a
// subset that is never matched does not grow with those that pass through.
func (s *Subset) makeRoom() {
	n := len(s.members)
	if s.settle(); len(s.members) > n/2 {
		s.members = slices.Grow(s.members, n)
	}
}

// Remove lets a ticket leave that stays in the pool. One that is not here changes nothing.
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

// Match makes matches among the members at an instant in ms, as Pool.Pass does among all:
// each, in order of age, is the seed. limit is how many at most, 0 for no limit. Sessions
// do not take part and nobody expires.
func (s *Subset) Match(nowMS int64, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	s.seeds(&s.alone, nil, limit)
	return s.pool.out
}

// MatchWith makes matches of members that need players from a reserve. Each member, in
// order of age, is the seed; its candidates are the members behind it in age and, after
// all of them, the reserve. In each of the two the nearest is first.
func (s *Subset) MatchWith(nowMS int64, reserve *Subset, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	if reserve.settle(); len(reserve.members) > 0 {
		s.seeds(&s.backed, reserve, limit)
	}
	return s.pool.out
}
