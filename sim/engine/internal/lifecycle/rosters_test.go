package lifecycle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Tickets that meet in random order remember the same players as with a list per ticket. A roster
// is free when no ticket uses it.
func TestRostersAgreeWithLists(t *testing.T) {
	const size, tickets = 4, 30
	r := rand.New(rand.NewPCG(1, 1))
	rosters := NewRosters(size)
	var last [tickets]RosterID
	var lists [tickets][]uint32
	for range last {
		rosters.Hold(NoRoster)
	}
	for range 5000 {
		group := r.Perm(tickets)[:1+r.IntN(size)]
		ids := make([]uint32, r.IntN(size+1))
		for i := range ids {
			ids[i] = r.Uint32()
		}
		roster := rosters.Alloc(ids, len(group))
		for _, ticket := range group {
			rosters.Drop(last[ticket])
			last[ticket], lists[ticket] = roster, ids
		}
		if leaver := r.IntN(tickets); r.IntN(3) == 0 {
			rosters.Drop(last[leaver])
			rosters.Hold(NoRoster)
			last[leaver], lists[leaver] = NoRoster, nil
		}
		used := map[RosterID]bool{NoRoster: true}
		for ticket, roster := range last {
			used[roster] = true
			if got := rosters.Of(roster); !slices.Equal(got, lists[ticket]) {
				t.Fatalf("ticket %d: got roster %v, want %v", ticket, got, lists[ticket])
			}
		}
		if all := len(used) + len(rosters.free); all != len(rosters.count) {
			t.Fatalf("got %d rosters, want the sum of %d used and %d free", len(rosters.count), len(used), len(rosters.free))
		}
	}
}
