package run

import (
	"fmt"

	"mmsim/sim"
)

// Verifier checks a run: every queue adds up the players and servers that it finds, and
// Finish compares them with the counts of the run.
type Verifier struct {
	run     *Run
	Counted Online
	Found   sim.ServerCount
	err     error // the first
}

// NewVerifier returns a verifier that has found nothing yet.
func NewVerifier(r *Run) *Verifier { return &Verifier{run: r} }

// Errorf notes an error. The first one is kept.
func (v *Verifier) Errorf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("sim: at %.3f s: "+format, append([]any{v.run.now.Seconds()}, args...)...)
	}
}

// Finish compares what all queues found with the counts of the run, and returns the first
// error.
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

// conservation checks that every search that began has ended or is going on.
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
