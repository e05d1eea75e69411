package engine_test

import (
	"fmt"

	"mmsim/sim"
	"mmsim/sim/engine"
)

// fourArrivals yields four players who join within two seconds.
type fourArrivals struct{ next int }

func (e *fourArrivals) Next(a *sim.Arrival) bool {
	if e.next == 4 {
		return false
	}
	row := uint32(e.next)
	a.At = sim.Instant(500 * e.next)
	a.Members = []sim.Person{{Entity: sim.Entity(row, 0, 0, 0), Row: row, Place: 0}}
	e.next++
	return true
}

// printer prints matches and ignores all other facts.
type printer struct{}

func (printer) Entered(*sim.Search) {}
func (printer) Ended(*sim.Ended)    {}
func (printer) Sampled(*sim.Census) {}
func (printer) Matched(m *sim.Match) {
	for i, p := range m.Players {
		fmt.Printf("player %d waited %.1f s in %v for %g ms\n", p.ID, m.Wait(i).Seconds(), p.State, sim.RTTMillis(p.RTT))
	}
}

// This run needs no files. It has one place and one datacenter, which matches the oldest tickets
// first.
func ExampleEngine() {
	places := &sim.Places{
		Datacenters: 1,
		RTT:         []sim.RTT{20 * sim.RTTUnit},
		Best:        []sim.RTT{20 * sim.RTTUnit},
		Reach:       []sim.Reach{{Ideal: 1, Expand: 1}},
	}
	e, err := engine.New(sim.Config{
		Seed: 1, Tick: sim.Second, Duration: sim.Minute, Sample: sim.Minute,
		IdealFor: 10 * sim.Second, ExpandFor: 10 * sim.Second, Then: sim.StateFailed,
		IdealRTT: 50 * sim.RTTUnit, ExpandRTT: 100 * sim.RTTUnit,
		Between: 30 * sim.Second,
		Queues:  []sim.Queue{{WarmBodyFor: 10 * sim.Second, MatchSize: 4, MatchLength: sim.Length{Mean: 5 * sim.Minute}, Order: sim.OrderOldest}},
	}, places, &fourArrivals{}, printer{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := e.RunUntil(sim.Instant(sim.Minute)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Finish().CCU.Value, "players online at the peak")
	// Output:
	// player 0 waited 2.0 s in IDEAL for 20 ms
	// player 1 waited 1.5 s in IDEAL for 20 ms
	// player 2 waited 1.0 s in IDEAL for 20 ms
	// player 3 waited 0.5 s in IDEAL for 20 ms
	// 4 players online at the peak
}
