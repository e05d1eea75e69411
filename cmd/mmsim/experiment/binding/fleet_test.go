package binding

import (
	"testing"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/reports/collect"
	"mmsim/reports/result"
	"mmsim/sim"
	"mmsim/sim/fleet"
)

// Of three players of a match of an hour, one does not appear and one leaves after half of it: they play
// 1.5 hours. The machine is busy for the hour, and empty for the rest of the window.
func TestFleetOfOneMatch(t *testing.T) {
	f := NewFleet(&section.LoadedFleet{
		Config: fleet.Config{PerMachine: 1, Billing: sim.Second, Sites: []fleet.Site{{Min: 1, Max: fleet.NoLimit}}},
		Rates:  collect.Rates{PerMachine: 1, Traffic: 2, Prices: []collect.Price{{MachineHour: 1}}},
	}, 0)
	hour := sim.Instant(sim.Hour)
	f.Matched(&sim.Match{ID: 1, Ends: hour, Players: make([]sim.Matched, 3), Seats: []sim.Seat{{Left: hour}, {Left: 0, Leaves: true}, {Left: hour / 2, Leaves: true}}})
	var r result.Result
	f.Finish(&r, []string{"here"}, 2*hour+hour/12)
	if s := &r.Summary; s.Fleet.TrafficGB != 3 {
		t.Errorf("got %g GB, want 1.5 h · 2 GB/h = 3 GB", float64(s.Fleet.TrafficGB))
	}
	if len(r.Machines) != 9 {
		t.Fatalf("got %d rows, want 9: a quarter of an hour each, and the last 5 minutes", len(r.Machines))
	}
	for i, got := range r.Machines {
		want := result.MachineWindow{T: 900 * i, Busy: 1}
		if i >= 4 { // after the match
			want.Empty, want.Busy = 1, 0
		}
		if got != want {
			t.Errorf("quarter of an hour %d: got %+v, want %+v", i, got, want)
		}
	}
}
