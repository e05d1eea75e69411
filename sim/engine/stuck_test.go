package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/sim"
)

// stuckSetup returns a random configuration in which many parties wait for a long time: party sizes
// are few and rarely add up to a match, warm bodies stay long, and there are cool-downs.
func stuckSetup(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := randomSetup(seed)
	r := rand.New(rand.NewPCG(seed, 8))
	cfg.WarmUp, cfg.Duration = 0, sim.Duration(100+r.IntN(150))
	cfg.IdealFor = []sim.Duration{10, 30, 300}[r.IntN(3)]
	cfg.Queues[0].WarmBodyFor = []sim.Duration{50, 200, 1000}[r.IntN(3)]
	cfg.PlayAgain = 0.9
	own := &cfg.Queues[0]
	own.MatchSize = 2 + r.IntN(5)
	own.MatchLength = sim.Length{Mean: 10}
	own.PartnerCooldown = []sim.Duration{0, 40, 100, 1000}[r.IntN(4)]
	own.KeepTogether = r.IntN(10) == 0

	sizes := []int{1 + r.IntN(4), 2 + r.IntN(3), 2 + r.IntN(3)}
	gap := 4 + r.IntN(16)
	at := sim.Instant(-cfg.WarmUp)
	for i := range joins {
		size := sizes[min(r.IntN(8), len(sizes)-1)]
		place := joins[i].Members[0].Place
		joins[i].At, joins[i].Members = at, nil
		for member := range size {
			joins[i].Members = append(joins[i].Members, sim.Person{Entity: sim.Entity(uint32(i), 0, 0, uint32(member)), Row: uint32(i), Place: place})
		}
		at = at.Add(sim.Duration(r.IntN(gap)))
	}
	joins = slices.DeleteFunc(joins, func(a sim.Arrival) bool { return a.At >= sim.Instant(cfg.Duration) })
	return cfg, places, joins
}

// The twin searches at every datacenter in every pass. The engine skips searches that are bound to
// fail, but must make the same matches.
func TestTwinOfStuckParties(t *testing.T) {
	compareWithTwin(t, 500, []string{" match ", "WARMBODY", "return true"}, stuckSetup)
}
