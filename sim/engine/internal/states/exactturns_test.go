package states

import (
	"testing"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// driver advances one queue through time, as the engine does.
type driver struct {
	world *world.World
	queue *Queue
	turns *exactTurns
	joins []sim.Arrival
}

func newDriver(t *testing.T, cfg sim.Config, joins []sim.Arrival) *driver {
	t.Helper()
	const near, far = 20 * sim.RTTUnit, 200 * sim.RTTUnit
	places := &sim.Places{ // each place is near one datacenter and far from the other
		Datacenters: 2,
		RTT:         []sim.RTT{near, far, far, near},
		Best:        []sim.RTT{near, near},
		Reach:       []sim.Reach{{Ideal: 1, Expand: 1}, {Ideal: 2, Expand: 2}},
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	d := &driver{world: world.New(cfg, places, nil), joins: joins}
	var err error
	d.queue, err = New(d.world, 0, cfg.Queues[0].MatchSize)
	if err != nil {
		t.Fatal(err)
	}
	d.turns = d.queue.turns.(*exactTurns)
	return d
}

func (d *driver) runUntil(t *testing.T, limit sim.Instant) {
	t.Helper()
	for {
		at := d.queue.Next()
		if len(d.joins) > 0 {
			at = min(at, d.joins[0].At)
		}
		if at >= limit {
			d.world.Advance(limit)
			return
		}
		d.world.Advance(at)
		d.queue.Ends()
		d.queue.Returns()
		for ; len(d.joins) > 0 && d.joins[0].At == at; d.joins = d.joins[1:] {
			if err := d.queue.Join(&d.joins[0]); err != nil {
				t.Fatal(err)
			}
		}
		d.queue.Decide()
	}
}

// party returns the n-th party that joins.
func party(n uint32, at sim.Instant, size int, place uint32) sim.Arrival {
	a := sim.Arrival{At: at}
	for member := range size {
		a.Members = append(a.Members, sim.Person{Entity: sim.Entity(n, 0, 0, uint32(member)), Row: n, Place: place})
	}
	return a
}

func config() sim.Config {
	return sim.Config{
		Seed: 1, Tick: sim.Second, Duration: sim.Hour, Sample: sim.Minute,
		IdealFor: 10 * sim.Second, ExpandFor: 10 * sim.Second, Then: sim.StateFailed,
		IdealRTT: 50 * sim.RTTUnit, ExpandRTT: 100 * sim.RTTUnit,
		Between: 30 * sim.Second,
		Queues:  []sim.Queue{{WarmBodyFor: 10 * sim.Second, MatchSize: 4, MatchLength: sim.Length{Mean: 300 * sim.Second}}},
	}
}

// If the party sizes in a queue do not add up to a match, the queue is never searched.
func TestPartiesThatNeverFillAMatchAreNotSearched(t *testing.T) {
	cfg := config()
	cfg.Queues[0].WarmBodyFor = sim.Hour
	var joins []sim.Arrival
	for i := range 1000 {
		joins = append(joins, party(uint32(i), sim.Instant(i*3000), 3, 0))
	}
	d := newDriver(t, cfg, joins)
	d.runUntil(t, sim.Instant(sim.Hour))
	if n := d.turns.waiting.Len(); n != len(joins) {
		t.Fatalf("got %d waiting parties, want %d", n, len(joins))
	}
	if d.turns.walk != nil || d.turns.keys != nil {
		t.Errorf("got %d tickets searched and %d warm bodies sorted, want none", len(d.turns.walk), len(d.turns.keys))
	}
}

// Whether two partners may meet again is checked once, and again when the cool-down is over, but
// not at every tick. A ticket for another datacenter causes a pass but does not repeat the check.
func TestFailedSearchIsNotRepeated(t *testing.T) {
	cfg := config()
	cfg.PlayAgain, cfg.IdealFor = 0.9999, sim.Hour
	own := &cfg.Queues[0]
	own.MatchSize, own.MatchLength, own.PartnerCooldown = 2, sim.Length{Mean: sim.Minute}, 20*sim.Minute
	d := newDriver(t, cfg, []sim.Arrival{
		party(0, 0, 1, 0), party(1, 0, 1, 0), party(2, sim.Instant(10*sim.Minute), 1, 1),
	})
	calls, mayMeet := 0, d.turns.mayMeet
	d.turns.mayMeet = func(a, b int) bool { calls++; return mayMeet(a, b) }
	// The first match lasts from 0 to 1:00. Both players return at 1:30 and may meet from 21:00 on.
	// They play then, and return at 22:30.
	for _, step := range []struct {
		until   sim.Instant
		calls   int
		matches uint64
	}{
		{sim.Instant(sim.Minute), 1, 1},
		{sim.Instant(20 * sim.Minute), 2, 1},
		{sim.Instant(22 * sim.Minute), 3, 2},
		{sim.Instant(40 * sim.Minute), 4, 2},
		{sim.Instant(43 * sim.Minute), 5, 3},
	} {
		d.runUntil(t, step.until)
		if calls != step.calls || d.world.Matches() != step.matches {
			t.Errorf("until %.0f s: got %d calls of mayMeet and %d matches, want %d and %d", step.until.Seconds(), calls, d.world.Matches(), step.calls, step.matches)
		}
	}
}
