package matcher

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The stages that are kept tell, at any wait, what each rule by itself says, and which
// regions a ticket reaches.
func TestStarStagesAgainstRules(t *testing.T) {
	for seed := range uint64(200) {
		w := drawStarWorld(rand.New(rand.NewPCG(seed, 21)), false)
		if seed%5 == 0 { // more reaches than are numbered
			w.rules.Star.Region.ReachMS, w.rules.Star.Region.MaxMS = Linear(0, 0.25, math.Inf(1), 100), math.Inf(1)
		}
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		star := w.rules.Star
		for waitMS := int64(0); waitMS < 30_000; waitMS += 50 {
			got := pool.stages.at(waitMS)
			steps, width, level := star.stage(waitMS), math.Inf(1), uint8(ownReach)
			for i := range star.Distances {
				steps += star.Distances[i].stage(waitMS)
			}
			if len(star.Distances) > 0 {
				width = star.Distances[0].bound(waitMS) + tolerance
			}
			if waitMS > star.Region.OneWayAfterMS {
				level = onlyMax
			}
			if got.star.steps != steps || got.front.width != width || got.front.narrow != width || got.front.level != level {
				t.Fatalf("seed %d after %d ms: got %+v and %+v, want %d steps, width %v, level %d", seed, waitMS, got.star, got.front, steps, width, level)
			}
			for i := range w.tickets {
				pool.star.probe.measure(&star.Region, w.tickets[i].Players)
				m := pool.star.probe
				want := anywhere
				if m.measured {
					want = m.within(star.Region.limit(waitMS, m.bestMS))
				}
				if mask := pool.star.within(m, got.star.reach); mask != want || pool.star.within(m, got.star.reach) != want {
					t.Fatalf("seed %d, ticket %d after %d ms: regions %b, want %b", seed, i, waitMS, mask, want)
				}
			}
		}
	}
}
