package binding

import (
	"mmsim/cmd/mmsim/config/section"
	"mmsim/reports/collect"
	"mmsim/reports/result"
	"mmsim/sim"
	"mmsim/sim/fleet"
)

// Fleet hosts the matches of a run on machines. It observes the run and changes nothing.
type Fleet struct {
	loaded   *section.LoadedFleet
	machines *fleet.Fleet
}

var _ sim.WarmUpObserver = (*Fleet)(nil)

// NewFleet returns the fleet of a run that begins with a warm-up.
func NewFleet(loaded *section.LoadedFleet, warmUp sim.Duration) *Fleet {
	return &Fleet{loaded, fleet.New(&loaded.Config, -sim.Instant(warmUp))}
}

// ObservesWarmUp implements sim.WarmUpObserver.
func (*Fleet) ObservesWarmUp() {}

// Entered implements sim.Observer.
func (*Fleet) Entered(*sim.Search) {}

// Ended implements sim.Observer.
func (*Fleet) Ended(*sim.Ended) {}

// Sampled implements sim.Observer.
func (*Fleet) Sampled(*sim.Census) {}

// Matched lets a match ask for a slot, or players join it. Players who leave early play only until then.
func (f *Fleet) Matched(m *sim.Match) {
	hosted := fleet.Match{ID: m.ID, Datacenter: m.Datacenter, At: m.At, Length: m.Ends.Sub(m.At)}
	for i := range m.Players {
		if m.LeftAt(i) == m.Ends {
			hosted.Players++
		}
	}
	if m.Backfill {
		f.machines.Join(hosted)
	} else {
		f.machines.Start(hosted)
	}
	for i := range m.Players {
		if left := m.LeftAt(i); left > m.At && left < m.Ends {
			f.machines.Join(fleet.Match{ID: m.ID, Datacenter: m.Datacenter, At: m.At, Length: left.Sub(m.At), Players: 1})
		}
	}
}

// Finish adds what the fleet did until an instant to a result.
func (f *Fleet) Finish(r *result.Result, sites []string, until sim.Instant) {
	collect.AddFleet(r, sites, f.machines.Finish(until), &f.loaded.Rates, until)
}
