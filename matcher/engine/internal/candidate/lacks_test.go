package candidate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// queue is a large pool of single players, who need a value in common under two rules. Some have a
// property. After laterMS, more values count. The newest player of a match decides which count.
type queue struct {
	rows     *store.Rows
	values   [2]values
	property []bool // indexed by row
	open     []bool // indexed by row
}

const laterMS = 10

// enough does the same as Query.EnoughByNewest: it reports whether, in any stage up to the seed's,
// there are needed players of that stage or an older one who share a value with the seed under
// both rules, and enough of them have the property and have not.
func (q *queue) enough(seed store.Row, need int32, demand candidate.Demand) bool {
	for _, stage := range []*store.Stage{q.rows.StageAfter(0), q.rows.StageAfter(laterMS)} {
		if stage.UntilMS > q.rows.Stage[seed].UntilMS {
			continue
		}
		for a := range 5 {
			for b := range 5 {
				shares := func(row store.Row) bool {
					return q.values[0].Mask(&stage.Limits[1], row)>>a&1 == 1 && q.values[1].Mask(&stage.Limits[2], row)>>b&1 == 1
				}
				var players int32
				var have candidate.Demand
				for i, open := range q.open {
					row := store.Row(i)
					if !open || q.rows.Stage[row].UntilMS < stage.UntilMS || !shares(row) {
						continue
					}
					if players++; q.property[row] {
						have.With++
					} else {
						have.Without++
					}
				}
				if shares(seed) && players >= need && have.With >= demand.With && have.Without >= demand.Without {
					return true
				}
			}
		}
	}
	return false
}

// What an index remembers of earlier seeds is true for later ones, also if these need fewer or
// other players, and if members are offered again.
func TestLacksAgainstAllRows(t *testing.T) {
	const members = 1200
	r := rand.New(rand.NewPCG(7, 7))
	q := &queue{rows: store.New(func(waitMS int64) store.Stage {
		stage := store.Stage{UntilMS: laterMS, Limits: []store.Limit{{}, {Bound: 3, Active: true}, {Bound: 4, Active: true}}}
		if waitMS >= laterMS {
			stage.UntilMS, stage.Limits[1].Bound, stage.Limits[2].Bound = matcher.Never, 5, 5
		}
		return stage
	})}
	rules := candidate.IndexRules{Key: candidate.Age{Rows: &q.rows}, ByNewest: true, Valued: []candidate.Valued{&q.values[0], &q.values[1]}, At: []int{1, 2},
		Counted: []candidate.Counted{func(row store.Row) (with, without bool) { return q.property[row], !q.property[row] }}}
	var list []candidate.Member
	for range members {
		row := q.rows.Add(store.Ticket, -r.Int64N(2*laterMS), matcher.Never, 1)
		for i := range q.values {
			q.values[i].byRow = append(q.values[i].byRow, 1+r.Uint64N(31))
		}
		q.property, q.open = append(q.property, r.IntN(8) == 0), append(q.open, true)
		q.rows.Changes++
		list = append(list, candidate.Member{Row: row, Joined: q.rows.Changes})
	}
	q.rows.Advance(0)
	slices.SortFunc(list, func(a, b candidate.Member) int { return q.rows.Compare(a.Row, b.Row) })
	x := candidate.New(q.rows, &rules)
	x.Gather(list, 0)
	var query candidate.Query
	found, missing := 0, 0
	for i, m := range list {
		x.Withdraw(m.Row)
		if q.open[m.Row] = false; i%10 > 0 {
			continue
		}
		if i == 800 { // all seeds so far are offered again
			for _, old := range list[:i] {
				x.Offer(old.Row)
				q.open[old.Row] = true
			}
		}
		query.Around(x, m.Row, 5, true)
		for range 8 {
			need, demand := 1+r.Int32N(300), candidate.Demand{With: r.Int32N(40) * r.Int32N(2), Without: r.Int32N(300) * r.Int32N(2)}
			query.Demand([]candidate.Demand{demand})
			got, want := query.EnoughByNewest(need), q.enough(m.Row, need, demand)
			if got != want {
				t.Fatalf("seed %d needs %d players, %+v: enough is %v, want %v", i, need, demand, got, want)
			}
			if want {
				found++
			} else {
				missing++
			}
		}
	}
	if found == 0 || missing == 0 {
		t.Errorf("%d seeds had enough players and %d had not, want some of each", found, missing)
	}
}
