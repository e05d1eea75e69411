package run

import (
	"fmt"

	"mmsim/sim"
)

// Verifier checks a run. Each queue adds up the players and servers that it finds, and Finish
// compares the sums with the counts of the run.
type Verifier struct {
	run     *Run
	Counted Online
	Found   sim.ServerCount
	err     error // first error
}

// NewVerifier returns a verifier for a run.
func NewVerifier(r *Run) *Verifier { return &Verifier{run: r} }

// Errorf records an error. Only the first one is kept.
func (v *Verifier) Errorf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("sim: at %.3f s: "+format, append([]any{v.run.now.Seconds()}, args...)...)
	}
}

// Finish compares what the queues found with the counts of the run. It returns the first error.
func (v *Verifier) Finish() error {
	r := v.run
	for s := sim.StateNew; s <= sim.StateBetween; s++ {
		if v.Counted[s] != r.online[s] {
			v.Errorf("%d players are %v, counted %d", r.online[s], s, v.Counted[s])
		}
	}
	if v.Found != r.servers {
		v.Errorf("servers: %+v, counted %+v", r.servers, v.Found)
	}
	v.conservation()
	return v.err
}

// conservation checks that every search that began has ended or is still going on.
func (v *Verifier) conservation() {
	r := v.run
	began, ended := r.searches.begun+r.totals.SearchingAtStart, r.online.searching()
	for _, n := range r.searches.ended {
		ended += n
	}
	if began != ended {
		v.Errorf("%d players searched, %d are accounted for: %+v", began, ended, r.searches)
	}
}
