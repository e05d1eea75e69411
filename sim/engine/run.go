package engine

import "mmsim/sim"

// world is what all queues of a run share: the clock, who watches, and how
// people and matches are numbered.
type world struct {
	cfg       sim.Config
	places    *sim.Places
	observers observers

	now       sim.Instant
	measuring bool // now is inside the measured window
	online    online
	servers   sim.ServerCount
	totals    sim.Totals
	ledger    ledger
	joined    uint32 // players so far
	made      uint64 // matches so far
	fault     error  // of a matchmaker outside; it ends the run
}

// watched tells whether what happens now is told.
func (w *world) watched() bool { return w.measuring && len(w.observers) > 0 }

func (w *world) startMeasuring() {
	w.measuring = true
	w.totals.SearchingAtStart, w.totals.OnlineAtStart = w.online.searching(), w.online.ccu()
	w.ledger = ledger{}
}

func (w *world) stream(p sim.Purpose) sim.Stream { return sim.NewStream(w.cfg.Seed, w.cfg.Run, p) }
