package engine

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mmsim/matcher"
)

// scanned returns a copy of a ruleset whose pivot rules use an InTurn.
func scanned(rules *matcher.Ruleset, smallestFirst bool) *matcher.Ruleset {
	set, pivot := *rules, *rules.Pivot
	set.Pivot = &pivot
	pivot.InTurn = &matcher.InTurn{Others: matcher.NoColumn, SmallestFirst: smallestFirst}
	pivot.Same = matcher.NoColumn
	pivot.Region.Relative = true
	withoutOptionsOfPage(&pivot)
	return &set
}

// withoutOptionsOfPage removes the options that pivot rules with an InTurn do not have.
func withoutOptionsOfPage(s *matcher.PivotRules) {
	s.Distances, s.Options = slices.Clone(s.Distances), slices.Clone(s.Options)
	for i := range s.Distances {
		s.Distances[i].Basis = nil
	}
	for i := range s.Options {
		s.Options[i].Enforced = nil
	}
}

// A pool that is kept for many passes, and a subset of it, must make the same decisions as new ones
// in every pass. A failed search must be repeated if a ticket that may have prevented a match has
// left.
func TestKeptScanPoolAgainstNewPool(t *testing.T) {
	matches := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 9))
		w := drawPivotCase(r, seed%4 == 0)
		rules := scanned(w.rules, seed%2 == 0)
		rules.Pivot.Balance = seed%2 == 1
		kept, err := NewPool(rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		part := kept.NewSubset()
		waiting := make(map[Row]matcher.Ticket)
		var order []Row
		for nowMS := w.nowMS - 12_000; nowMS < w.nowMS+25_000; nowMS += 1500 {
			for _, ticket := range w.tickets {
				if ticket.CreatedMS > nowMS-1500 && ticket.CreatedMS <= nowMS {
					if row, err := kept.Add(ticket); err == nil {
						waiting[row] = ticket
						order = append(order, row)
						part.Add(row)
					}
				}
			}
			fresh, err := NewPool(rules, w.schema)
			if err != nil {
				t.Fatal(err)
			}
			same := make(map[Row]Row) // from a row of the fresh pool to the row of the same ticket in the kept pool
			for _, row := range order {
				other, err := fresh.Add(waiting[row])
				if err != nil {
					t.Fatal(err)
				}
				same[other] = row
			}
			got := matchSome(kept, part, nowMS, seed)
			want := fresh.Pass(nowMS)
			if len(got.Matches) != len(want.Matches) {
				t.Fatalf("seed %d at %d ms: got %d matches, want %d", seed, nowMS, len(got.Matches), len(want.Matches))
			}
			for i := range got.Matches {
				matches++
				for k, row := range want.Matches[i].Tickets {
					want.Matches[i].Tickets[k] = same[row]
				}
				if !reflect.DeepEqual(got.Matches[i].Tickets, want.Matches[i].Tickets) || got.Matches[i].Region != want.Matches[i].Region {
					t.Fatalf("seed %d at %d ms: got match %v, want %v", seed, nowMS, got.Matches[i], want.Matches[i])
				}
				order = slices.DeleteFunc(order, func(row Row) bool { return slices.Contains(got.Matches[i].Tickets, row) })
			}
		}
	}
	if matches < 1000 {
		t.Errorf("got %d matches, want at least 1000", matches)
	}
}

// matchSome makes matches only in a subset for every third seed, otherwise in the whole pool.
func matchSome(p *Pool, part *Subset, nowMS int64, seed uint64) matcher.Outcome {
	if seed%3 == 0 {
		return part.Match(nowMS, 0)
	}
	return p.Pass(nowMS)
}

// Creation times are truncated to whole seconds. Nevertheless, a ticket gives up after exactly the
// wait that it specified.
func TestScanTruncatesCreationToSeconds(t *testing.T) {
	pool, err := NewPool(scanned(flexing(), true), new(matcher.Schema))
	if err != nil {
		t.Fatal(err)
	}
	first, _ := pool.Add(matcher.Ticket{CreatedMS: 5900, GiveUpMS: 10_000, Players: make([]matcher.Player, 1)})
	second, _ := pool.Add(matcher.Ticket{CreatedMS: 5100, GiveUpMS: 10_000, Players: make([]matcher.Player, 1)})
	if got := pool.AppendWaiting(nil); !slices.Equal(got, []Row{first, second}) {
		t.Errorf("AppendWaiting: got %v, want the order of Add within a second", got)
	}
	if got := pool.AppendOldest(nil, 5500); !slices.Equal(got, []Row{second}) {
		t.Errorf("AppendOldest: got %v, want only the ticket created by 5500 ms", got)
	}
	if out := pool.Pass(15_100); !slices.Equal(out.Expired, []Row{second}) {
		t.Errorf("got expired rows %v, want the ticket created first", out.Expired)
	}
}
