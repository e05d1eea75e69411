package sim

import "fmt"

// Verify checks the whole world: every player is in exactly one place, states
// agree with places, counters with counts, and the law of conservation holds. An
// error is a fault of the simulator. Cost: linear in the players online; runs
// check themselves at their end, tests after every instant.
func (e *Engine) Verify() error {
	v := verifier{world: &e.world}
	for _, q := range e.queues {
		q.verify(&v)
	}
	for s := StateNew; s <= StateBetween; s++ {
		if v.counted[s] != e.online[s] {
			v.fail("%d players are %v, counted %d", e.online[s], s, v.counted[s])
		}
	}
	if v.found != e.servers {
		v.fail("servers: %+v, counted %+v", v.found, e.servers)
	}
	v.conservation()
	return v.err
}

// verifier adds up what is found in all queues.
type verifier struct {
	*world
	counted online
	found   ServerCount
	err     error // the first
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("sim: at %.3f s: "+format, append([]any{v.now.Seconds()}, args...)...)
	}
}

func (v *verifier) conservation() {
	l := &v.ledger
	in := l.entries + v.totals.SearchingAtStart
	out := l.matched + l.failed + l.expired + l.bots + l.rejected + l.declined + v.online.searching()
	if in != out {
		v.fail("%d players searched, %d are accounted for: %+v", in, out, *l)
	}
}
