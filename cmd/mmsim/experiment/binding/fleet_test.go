package binding

import (
	"testing"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/datasets"
	"mmsim/reports/outcome"
	"mmsim/sim"
	"mmsim/sim/fleet"
)

// Of three players of a match of an hour, one does not appear and one leaves after half of it: they play
// 1.5 hours.
func TestFleetCountsPlayersUntilTheyLeave(t *testing.T) {
	f := NewFleet(&section.LoadedFleet{
		Config:  fleet.Config{PerMachine: 1, Billing: sim.Second, Sites: []fleet.Site{{Min: 1, Max: fleet.NoLimit}}},
		Traffic: 2, Prices: []datasets.Price{{MachineHour: 1}},
	}, 0)
	hour := sim.Instant(sim.Hour)
	f.Matched(&sim.Match{ID: 1, Ends: hour, Players: make([]sim.Matched, 3), Seats: []sim.Seat{{Left: hour}, {Left: 0, Leaves: true}, {Left: hour / 2, Leaves: true}}})
	var s outcome.Summary
	f.Finish(&s, []string{"here"}, 2*hour)
	if s.Fleet.TrafficGB != 3 {
		t.Errorf("got %g GB, want 1.5 h · 2 GB/h = 3 GB", float64(s.Fleet.TrafficGB))
	}
}
