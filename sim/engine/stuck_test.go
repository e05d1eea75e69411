package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/sim"
)

// stuckWorld is a random world in which many parties cannot be matched for long:
// few sizes, which mostly do not add up to the match, warm bodies that stay, and
// cool-downs.
func stuckWorld(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := randomWorld(seed)
	r := rand.New(rand.NewPCG(seed, 8))
	cfg.WarmUp, cfg.Duration = 0, sim.Duration(100+r.IntN(150))
	cfg.IdealFor = []sim.Duration{10, 30, 300}[r.IntN(3)]
	cfg.WarmBodyFor = []sim.Duration{50, 200, 1000}[r.IntN(3)]
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

// The twin searches in every pass at every datacenter. The engine skips searches
// that must fail, and must make the same matches.
func TestTwinOfStuckParties(t *testing.T) {
	holdToTwin(t, 500, []string{" match ", "WARMBODY", "return true"}, stuckWorld)
}

// trios is a world of parties of three who reach nobody of another size.
func trios(parties int, gap sim.Duration) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg := articleConfig()
	cfg.Duration, cfg.WarmBodyFor = sim.Hour, sim.Hour
	var joins []sim.Arrival
	for i := range parties {
		a := sim.Arrival{At: sim.Instant(i) * sim.Instant(gap)}
		for member := range 3 {
			a.Members = append(a.Members, sim.Person{Entity: sim.Entity(uint32(i), 0, 0, uint32(member)), Row: uint32(i)})
		}
		joins = append(joins, a)
	}
	return cfg, placesOf(cfg, []int{20, 40, 60}), joins
}

// A queue of parties whose sizes do not add up to a match is never walked.
func TestPartiesThatNeverFillAMatchAreNotWalked(t *testing.T) {
	cfg, places, joins := trios(1000, 3*sim.Second)
	arrivals := list(joins)
	e, err := New(cfg, places, &arrivals)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
		t.Fatal(err)
	}
	q := e.queues[0].(*stateQueue)
	if n := len(q.waiting.ticket) + len(q.waiting.warm); n != len(joins) {
		t.Fatalf("%d parties wait, want %d", n, len(joins))
	}
	if p := q.turns.(*packedTurns); len(p.walk) > 0 || len(p.keys) > 0 {
		t.Errorf("%d tickets were walked over, %d warm bodies sorted, want none", len(p.walk), len(p.keys))
	}
}

// Partners who may not meet again are asked once, not at every tick; then when
// another ticket comes, and when the cool-down is over.
func TestFailedSearchIsNotRepeated(t *testing.T) {
	cfg := articleConfig()
	cfg.Duration, cfg.PlayAgain, cfg.IdealFor = sim.Hour, 0.9999, sim.Hour
	own := &cfg.Queues[0]
	own.MatchSize, own.MatchLength, own.PartnerCooldown = 2, sim.Length{Mean: sim.Minute}, 20*sim.Minute
	places := placesOf(cfg, []int{20})
	joins := list(solos(0, 0, 0))
	e, err := New(cfg, places, &joins)
	if err != nil {
		t.Fatal(err)
	}
	p := e.queues[0].(*stateQueue).turns.(*packedTurns)
	asked, mayMeet := 0, p.mayMeet
	p.mayMeet = func(a, b int) bool { asked++; return mayMeet(a, b) }
	// The first match is at 0 and over at 1:00. Both return at 1:30, may meet from
	// 21:00 on, play, and return at 22:30.
	for _, step := range []struct {
		until sim.Instant
		asked int
		made  uint64
	}{
		{sim.Instant(sim.Minute), 1, 1},
		{sim.Instant(20 * sim.Minute), 2, 1},
		{sim.Instant(22 * sim.Minute), 3, 2},
		{sim.Instant(40 * sim.Minute), 4, 2},
		{sim.Instant(43 * sim.Minute), 5, 3},
	} {
		if err := e.RunUntil(step.until); err != nil {
			t.Fatal(err)
		}
		if asked != step.asked || e.run.made != step.made {
			t.Errorf("until %.0f s: asked %d times, %d matches, want %d and %d", step.until.Seconds(), asked, e.run.made, step.asked, step.made)
		}
	}
}
