package engine

import (
	"fmt"

	"mmsim/sim"
)

// verifier adds up what is found in all queues.
type verifier struct {
	*world
	counted online
	found   sim.ServerCount
	err     error // the first
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("sim: at %.3f s: "+format, append([]any{v.now.Seconds()}, args...)...)
	}
}

// conservation checks that every search that began has ended or is going on.
func (v *verifier) conservation() {
	began, ended := v.ledger.begun+v.totals.SearchingAtStart, v.online.searching()
	for _, n := range v.ledger.ended {
		ended += n
	}
	if began != ended {
		v.fail("%d players searched, %d are accounted for: %+v", began, ended, v.ledger)
	}
}
