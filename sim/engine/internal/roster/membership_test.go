package roster

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
		some := func(most int) []uint32 {
			ids := make([]uint32, r.IntN(most+1))
			for i := range ids {
				ids[i] = r.Uint32N(span)
			}
			return ids
		}
		there, asked := some(64), some(12)
		for _, id := range there {
			all.Add(id)
		}
		first, n := r.Uint32N(span), r.Uint32N(5)
		want := slices.ContainsFunc(asked, func(id uint32) bool {
			return (id < first || id >= first+n) && slices.Contains(there, id)
		})
		if got := all.HasOneOf(asked, first, n); got != want {
			t.Fatalf("%v has one of %v but %d from %d on: %v", there, asked, n, first, got)
		} else if got {
			found++
		}
	}
	if found < 1000 || found > 19_000 {
		t.Errorf("%d were found", found)
	}
}
