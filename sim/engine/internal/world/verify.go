package world

import (
	"fmt"

	"mmsim/sim"
)

// Verifier checks a run. Each queue adds up the players and servers that it finds, and Finish
// compares the sums with the counts of the run.
type Verifier struct {
	world   *World
	Counted Online
	Found   sim.ServerCount
	err     error // first error
}

// NewVerifier returns a verifier for a run.
func NewVerifier(w *World) *Verifier { return &Verifier{world: w} }

// Errorf records an error. Only the first one is kept.
func (v *Verifier) Errorf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("sim: at %.3f s: "+format, append([]any{v.world.now.Seconds()}, args...)...)
	}
}

// Finish compares what the queues found with the counts of the run. It returns the first error.
func (v *Verifier) Finish() error {
	w := v.world
	for s := sim.StateNew; s <= sim.StateBetween; s++ {
		if v.Counted[s] != w.online[s] {
			v.Errorf("%d players are %v, counted %d", w.online[s], s, v.Counted[s])
		}
	}
	if v.Found != w.servers {
		v.Errorf("servers: %+v, counted %+v", w.servers, v.Found)
	}
	v.conservation()
	return v.err
}

// conservation checks that every search that began has ended or is still going on.
func (v *Verifier) conservation() {
	w := v.world
	began, ended := w.searches.begun+w.totals.SearchingAtStart, w.online.searching()
	for _, n := range w.searches.ended {
		ended += n
	}
	if began != ended {
		v.Errorf("%d players searched, %d are accounted for: %+v", began, ended, w.searches)
	}
}
