package candidate

import (
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/heap"
)

// Candidate is a row that may be matched with a seed.
type Candidate struct {
	Cost    float64 // distance from the seed
	Tie     float64 // breaks ties of Cost
	Row     Row
	Players int32
	At      int32 // a number for the caller
	Reserve bool  // belongs to the reserve, which is ranked after all other candidates
	Used    bool  // already in the group
}

// Ranker ranks the candidates of a seed by Cost and then by Tie, lowest first. Remaining ties are
// ordered by age, oldest first. The caller first calls Reset, then Add for each candidate, or Outward
// if there are many, and then Rank.
//
// After Outward, the ranker is lazy. It visits candidates by the difference between their key and the
// seed's, smallest first, and tests only as many as it needs to determine the next one in rank.
type Ranker struct {
	List []Candidate // the candidates ranked so far; Have extends it

	rows    *store.Rows
	tester  Tester
	tested  Candidate            // scratch space for extend
	heap    heap.Heap[Candidate] // candidates that are not in List yet
	outward Outward
	next    Row     // next row from outward, not tested yet
	least   float64 // lower bound of the costs of next and all rows after it
	more    bool    // next is a row, not the end of outward
}

// Few is the number of rows up to which testing every row is faster than calling Outward. With
// 10,000 tickets, Outward takes a tenth of the time.
const Few = 24

// Tester compares rows with the seed. Only Outward needs it.
//
// With functions instead of an interface, a pass by skill, region and a set took 3 percent more
// instructions: a method that is passed as a function becomes a closure.
type Tester interface {
	// Test sets c to a row as a candidate. It returns false if the row may not be matched with the seed.
	Test(c *Candidate, row Row) bool
	// Beyond returns a lower bound of the costs of all rows whose keys differ from the seed's by at
	// least the given difference.
	Beyond(difference float64) (cost float64)
}

// NewRanker returns a Ranker without candidates.
func NewRanker(rows *store.Rows, tester Tester) Ranker { return Ranker{rows: rows, tester: tester} }

// Reset removes all candidates.
func (r *Ranker) Reset() { r.List, r.heap, r.more = r.List[:0], r.heap[:0], false }

// Add adds a candidate.
func (r *Ranker) Add(c Candidate) { r.heap = append(r.heap, c) }

// Outward adds the rows of an iterator that pass the test. It tests them only as they are needed.
func (r *Ranker) Outward(from Outward) {
	r.outward = from
	r.advance()
}

// advance reads the next row from outward.
func (r *Ranker) advance() {
	var difference float64
	if r.next, difference, r.more = r.outward.Next(); r.more {
		r.least = r.tester.Beyond(difference)
	}
}

// Enough reports whether the candidates have enough players in total: at least need. It also returns
// true if some rows are still untested.
func (r *Ranker) Enough(need int) bool {
	for _, list := range [...][]Candidate{r.List, r.heap} {
		for i := range list {
			need -= int(list[i].Players)
		}
	}
	return r.more || need <= 0
}

// Rank sorts the candidates. It uses insertion sort for a short list because that is faster than a
// heap.
func (r *Ranker) Rank() {
	if r.more || len(r.heap) > Few {
		r.heap.Init(r.before)
		return
	}
	for _, c := range r.heap {
		at := len(r.List)
		r.List = append(r.List, c)
		for ; at > 0 && r.before(&c, &r.List[at-1]); at-- {
			r.List[at] = r.List[at-1]
		}
		r.List[at] = c
	}
	r.heap = r.heap[:0]
}

// Have reports whether a candidate with index k exists. It extends List as far as k.
func (r *Ranker) Have(k int) bool { return k < len(r.List) || r.extend(k) }

func (r *Ranker) extend(k int) bool {
	for len(r.List) <= k {
		for r.more && (len(r.heap) == 0 || r.heap[0].Reserve || r.heap[0].Cost >= r.least) {
			if r.tester.Test(&r.tested, r.next) {
				r.heap.Push(r.tested, r.before)
			}
			r.advance()
		}
		if len(r.heap) == 0 {
			return false
		}
		r.List = append(r.List, r.heap.Pop(r.before))
	}
	return true
}

func (r *Ranker) before(a, b *Candidate) bool {
	switch {
	case a.Reserve != b.Reserve:
		return b.Reserve
	case a.Cost != b.Cost:
		return a.Cost < b.Cost
	case a.Tie != b.Tie:
		return a.Tie < b.Tie
	}
	return r.rows.Older(a.Row, b.Row)
}
