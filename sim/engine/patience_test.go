package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/sim"
)

// patientSetup returns a small configuration of a random kind of queue, whose players may cancel.
func patientSetup(seed uint64) (cfg sim.Config, places *sim.Places, joins []sim.Arrival) {
	r := rand.New(rand.NewPCG(seed, 5))
	switch r.IntN(6) {
	case 0:
		cfg, places, joins = randomSetup(seed)
	case 1:
		cfg, places, joins = ruledSetup(seed, sim.PlaceDatacenters)
	case 2:
		cfg, places, joins = ruledSetup(seed, sim.PlacePool)
	case 3:
		cfg, places, joins = askingStatesSetup(seed)
	default:
		cfg, places, joins = acceptanceSetup(seed)
	}
	step := sim.PatienceStep{}
	for range 1 + r.IntN(3) {
		step.Wait += sim.Duration(1 + r.IntN(60))
		step.Share += (1 - step.Share) * []float64{0, 0.1, 0.5, 1}[r.IntN(4)]
		cfg.Patience = append(cfg.Patience, step)
	}
	return cfg, places, joins
}

// TestTwinPatience compares every kind of queue, with players who cancel, with its twin.
func TestTwinPatience(t *testing.T) {
	compareWithTwin(t, 100, []string{"CANCELLED", "EXPIRED", " match ", "return true"}, patientSetup)
}

// TestPatienceByHand: with everyone cancelling after exactly 2.5 s to 2.501 s, a search that began
// at 0.3 s ends at the tick of 3 s, and a player who joins in time plays first.
func TestPatienceByHand(t *testing.T) {
	cfg := articleConfig()
	cfg.Patience = sim.Patience{{Wait: 2500}, {Wait: 2501, Share: 1}}
	places := placesOf(cfg, []int{20})
	f, _ := simulate(t, cfg, places, solos(0, 0.3, 60.5, 60.6, 60.7, 61.2, 100.4, 100.5, 100.6, 102.95))
	var cancelled []sim.Instant
	for _, e := range f.ended {
		if e.Into != sim.StateCancelled || e.State != sim.StateIdeal {
			t.Errorf("a search ended %v in %v, want CANCELLED in IDEAL", e.Into, e.State)
		}
		cancelled = append(cancelled, e.At)
	}
	// The players who began at 100.4 and 100.5 s cancel at 102.901 and 103.001 s, before the ticks of
	// 103 and 104 s, and the fourth player joins at 102.95 s.
	want := []sim.Instant{3000, 103_000, 104_000, 104_000, 106_000}
	if len(cancelled) != len(want) {
		t.Fatalf("searches are cancelled at %v, want %v", cancelled, want)
	}
	for i := range want {
		if cancelled[i] != want[i] {
			t.Errorf("searches are cancelled at %v, want %v", cancelled, want)
			break
		}
	}
	if len(f.matched) != 1 || f.matched[0].At != 62_000 {
		t.Errorf("matches %+v, want one at 62 s", f.matched)
	}
}

// TestEarlierEndWins: the last state ends a search at the instant of its players' patience or
// before it, even if both come between the same two ticks.
func TestEarlierEndWins(t *testing.T) {
	for patience, want := range map[sim.Duration]sim.State{29_999: sim.StateCancelled, 30_000: sim.StateFailed, 30_001: sim.StateFailed} {
		cfg := articleConfig()
		cfg.Patience = sim.Patience{{Wait: patience - 1}, {Wait: patience, Share: 1}}
		f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, 5.5))
		if len(f.ended) != 1 || f.ended[0].Into != want || f.ended[0].At != 36_000 {
			t.Errorf("patience %d ms: ended %+v, want %v at 36 s", patience, f.ended, want)
		}
	}
}

// TestPatienceShares: where no match is possible, the share of searches that are cancelled by a wait
// is the one of the steps or, between two steps, on the line between them, within five standard
// errors. All other searches end after the last state.
func TestPatienceShares(t *testing.T) {
	const joins, gap = 20_000, 10.0 // at most 18 players search at once, too few for a match
	cfg := articleConfig()
	cfg.Tick, cfg.Duration, cfg.Queues[0].MatchSize = 100*sim.Millisecond, sim.Duration(joins+20)*10*sim.Second, 50
	cfg.IdealFor, cfg.ExpandFor, cfg.Queues[0].WarmBodyFor = sim.Minute, sim.Minute, sim.Minute
	cfg.Patience = sim.Patience{{Wait: 10_000, Share: 0.02}, {Wait: 30_000, Share: 0.09}, {Wait: 120_000, Share: 0.31}}
	seconds := make([]float64, joins)
	for i := range seconds {
		seconds[i] = gap * float64(i)
	}
	f, totals := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, seconds...))
	if len(f.ended) != joins || totals.SearchingAtEnd != 0 {
		t.Fatalf("%d searches ended, want %d", len(f.ended), joins)
	}
	waits := []sim.Duration{}
	for _, e := range f.ended {
		switch wait := e.At.Sub(e.Began); {
		case e.Into == sim.StateCancelled:
			waits = append(waits, wait)
		case e.Into != sim.StateFailed || wait != 3*sim.Minute:
			t.Fatalf("a search ended %v after %d ms, want FAILED after 3 minutes", e.Into, wait)
		}
	}
	for by, want := range map[sim.Duration]float64{5_000: 0.01, 10_000: 0.02, 20_000: 0.055, 30_000: 0.09, 75_000: 0.2, 120_000: 0.31, 180_000: 0.31} {
		n := 0
		for _, wait := range waits {
			if wait <= by {
				n++
			}
		}
		if got, off := float64(n)/joins, 5*math.Sqrt(want*(1-want)/joins); math.Abs(got-want) > off {
			t.Errorf("%.4f of the searches are cancelled by %d ms, want %.4f within %.4f", got, by, want, off)
		}
	}
}
