package engine

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Subset is a set of tickets of a pool that are matched separately. A ticket may be in any number
// of subsets. It leaves all of them when it leaves the pool. Pool.Pass may split the pool because
// of Ruleset.PartitionAbove. Until the next pass, tickets of different parts are then not matched
// in a subset either.
type Subset struct {
	pool    *Pool
	members []candidate.Member // in order of age unless unsorted is set; may contain tickets that have left since the last call of settle
	joined  []uint64           // indexed by row: the value of Rows.Changes when the ticket joined, or 0 if it is not a member
	index   *candidate.Index
	alone   failures // failures of searches without a reserve
	backed  failures // failures of searches with a reserve

	youngest    age    // the youngest of all tickets that have joined
	unsorted    bool   // a ticket has joined that is older than one that joined before it
	compactedAt uint64 // the value of Pool.exits when members that had left were last dropped
	indexed     uint64 // the value of Rows.Changes + Pool.exits + Pool.epoch when the index was last filled
}

// age is a ticket's position in the order of age. It remains valid after the ticket's row is
// reused.
type age struct{ createdMS, sequence int64 }

// NewSubset returns an empty subset of a pool's tickets.
func (p *Pool) NewSubset() *Subset {
	return &Subset{pool: p, youngest: age{math.MinInt64, 0}, index: candidate.New(p.rows, p.index)}
}

// Add adds a ticket of the pool unless it is already a member. It panics if the row is not a
// waiting ticket.
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
	added, youngest := age{rows.CreatedMS[row], rows.Sequence[row]}, s.youngest
	if added.createdMS < youngest.createdMS || added.createdMS == youngest.createdMS && added.sequence < youngest.sequence {
		s.unsorted = true
	} else { // this is the common case, in which members remain sorted
		s.youngest = added
	}
	s.members = append(s.members, candidate.Member{Row: row, Joined: rows.Changes})
}

// makeRoom makes room for another member. It first drops the members that have left, because
// otherwise a subset that is never matched would grow with every ticket that joins and leaves.
func (s *Subset) makeRoom() {
	n := len(s.members)
	if s.compact(); len(s.members) > n/2 {
		s.members = slices.Grow(s.members, n)
	}
}

// Remove removes a ticket from the subset but not from the pool. It does nothing if the ticket is
// not a member.
func (s *Subset) Remove(row Row) {
	if int(row) < len(s.joined) && s.joined[row] > s.pool.rows.BornAt[row] {
		s.joined[row] = 0
		s.pool.exits++
	}
}

// compact drops the members that have left and sorts the remaining members by age.
func (s *Subset) compact() {
	if s.compactedAt != s.pool.exits {
		s.compactedAt = s.pool.exits
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

// Len returns the number of tickets. Cost: at most one step per ticket.
func (s *Subset) Len() int {
	s.compact()
	return len(s.members)
}

// Players returns the total number of players of all tickets. Cost: one step per ticket.
func (s *Subset) Players() int {
	s.compact()
	players := 0
	for i := range s.members {
		players += int(s.pool.rows.Players[s.members[i].Row])
	}
	return players
}

// AppendRows appends the rows of the tickets in order of age.
func (s *Subset) AppendRows(dst []Row) []Row {
	s.compact()
	for i := range s.members {
		dst = append(dst, s.members[i].Row)
	}
	return dst
}

// Match makes matches among the members at an instant in ms, in the same way as Pool.Pass. Sessions
// do not take part, and no ticket expires. limit is the largest number of matches, or 0 if there is
// no limit.
func (s *Subset) Match(nowMS int64, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	s.seeds(&s.alone, nil, limit)
	return s.pool.out
}

// MatchWith makes matches of members that need players from a reserve. Each member, in order of
// age, is the seed. Its candidates are the younger members and the tickets of the reserve. Both are
// ranked by distance, and all members rank before the reserve. limit is the same as in Match.
func (s *Subset) MatchWith(nowMS int64, reserve *Subset, limit int) matcher.Outcome {
	s.pool.begin(nowMS)
	if reserve.compact(); len(reserve.members) > 0 {
		s.seeds(&s.backed, reserve, limit)
	}
	return s.pool.out
}
