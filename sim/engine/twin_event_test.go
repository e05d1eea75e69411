package engine

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"mmsim/sim"
)

// randomEvents adds up to three outages to half of the configurations.
func randomEvents(seed uint64, cfg *sim.Config, datacenters int) {
	r := rand.New(rand.NewPCG(seed, 5))
	if r.IntN(2) == 0 {
		return
	}
	cfg.InterruptedAgain, cfg.InterruptedAfter = []float64{0, 0.5, 1}[r.IntN(3)], sim.Duration(r.IntN(30))
	for range 1 + r.IntN(3) {
		from := sim.Instant(r.IntN(int(cfg.Duration)))
		if r.IntN(2) == 0 {
			from = from.CeilTo(cfg.Tick)
		}
		cfg.Events = append(cfg.Events, sim.Event{
			From: from, Until: from + 1 + sim.Instant(r.IntN(300)),
			Outage: 1 + r.Uint64N(1<<datacenters-1), Kill: r.IntN(2) == 0,
		})
	}
}

// isUsable reports whether a datacenter takes part and has no outage.
func isUsable(cfg *sim.Config, now sim.Instant, dc int) bool {
	return (cfg.Use == 0 || cfg.Use>>dc&1 == 1) && !slices.ContainsFunc(cfg.Events, func(e sim.Event) bool {
		return e.Outage>>dc&1 == 1 && e.From <= now && now < e.Until
	})
}

// killed returns the next instant after now at which an event cuts matches in a datacenter short.
func (w *twin) killed(dc int) sim.Instant {
	next := sim.Never
	for _, e := range w.cfg.Events {
		if e.Kill && e.Outage>>dc&1 == 1 && e.From > w.now {
			next = min(next, e.From)
		}
	}
	return next
}

// events does what happens because of the events of this instant.
func (w *twin) events() {
	for _, e := range w.cfg.Events {
		if e.Kill && e.From == w.now {
			w.kill(e.Outage)
		}
	}
	for _, t := range w.waiting(func(*twinTicket) bool { return true }) {
		w.expireIfUnreachable(t)
	}
	w.measureAgain()
	var reopened []*twinSession
	for _, s := range w.sessions {
		if isUsable(&w.cfg, w.now, s.dc) && !isUsable(&w.cfg, w.now-1, s.dc) {
			reopened = append(reopened, s)
		}
	}
	slices.SortFunc(reopened, func(a, b *twinSession) int { return cmp.Compare(a.id, b.id) })
	w.sessions = append(slices.DeleteFunc(w.sessions, func(s *twinSession) bool { return slices.Contains(reopened, s) }), reopened...)
}

// measureAgain rejects the tickets in the pool that the rules refuse because the datacenters that may be
// used have changed.
func (w *twin) measureAgain() {
	changed := false
	for dc := range w.places.Datacenters {
		changed = changed || isUsable(&w.cfg, w.now, dc) != isUsable(&w.cfg, w.now-1, dc)
	}
	if !changed || w.cfg.Queues[0].Placement != sim.PlacePool {
		return
	}
	list := w.waiting(func(t *twinTicket) bool { return t.state == sim.StateWaiting })
	slices.SortStableFunc(list, func(a, b *twinTicket) int { return cmp.Or(cmp.Compare(a.since, b.since), a.order-b.order) })
	for _, t := range list {
		if w.isRefused(t) {
			t.state = sim.StateRejected
			w.printf("REJECTED %v", t.ids())
		}
	}
}

// kill cuts short the running matches in some datacenters.
func (w *twin) kill(datacenters uint64) {
	var hit []twinTimer
	w.timers = slices.DeleteFunc(w.timers, func(t twinTimer) bool {
		is := t.kind == twinMatchEnd && t.dc >= 0 && datacenters>>t.dc&1 == 1
		if is {
			hit = append(hit, t)
		}
		return is
	})
	slices.SortFunc(hit, func(a, b twinTimer) int { return cmp.Compare(a.no, b.no) })
	for _, match := range hit {
		for _, t := range w.close(match.tickets) {
			t.lastEnd = w.now
			t.state = sim.StateLeft
			if w.stream(sim.PurposeInterrupted).Uniform(t.people[0].Entity, uint64(t.searches)) < w.cfg.InterruptedAgain {
				t.state = sim.StateBetween
				w.after(max(1, w.cfg.InterruptedAfter), twinAlone, []*twinTicket{t})
			}
		}
	}
}
