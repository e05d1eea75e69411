package lifecycle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMembershipAgreesWithList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all Membership
	found := 0
	for range 20_000 {
		all.Reset()
		span := 1 + r.Uint32N(1<<r.IntN(32))
		randomIDs := func(most int) []uint32 {
			ids := make([]uint32, r.IntN(most+1))
			for i := range ids {
				ids[i] = r.Uint32N(span)
			}
			return ids
		}
		members, queried := randomIDs(64), randomIDs(12)
		for _, id := range members {
			all.Add(id)
		}
		first, n := r.Uint32N(span), r.Uint32N(5)
		want := slices.ContainsFunc(queried, func(id uint32) bool {
			return (id < first || id >= first+n) && slices.Contains(members, id)
		})
		if got := all.HasOneOf(queried, first, n); got != want {
			t.Fatalf("IDs %v: HasOneOf(%v), ignoring %d IDs from %d on: got %v, want %v", members, queried, n, first, got, want)
		} else if got {
			found++
		}
	}
	if found < 1000 || found > 19_000 {
		t.Errorf("HasOneOf returned true %d times of 20,000, want 1,000 to 19,000 so that both answers are tested", found)
	}
}
