package engine

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"mmsim/sim"
)

// randomEvents adds up to three events to half of the configurations: outages, latency, joins, which are
// among the arrivals, and at most one maintenance.
func randomEvents(seed uint64, cfg *sim.Config, datacenters, places int) {
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
		e := sim.Event{From: from, Until: from + 1 + sim.Instant(r.IntN(300))}
		switch action := r.IntN(8); {
		case action == 0:
			e.Joins = 5
		case action == 7:
			e.Latency, e.To = sim.RTT(1+r.IntN(60)), 1+r.Uint64N(1<<datacenters-1)
			if r.IntN(40) == 0 {
				e.Latency = ^sim.RTT(0)
			}
			if r.IntN(2) == 0 {
				for range places {
					e.Slowed = append(e.Slowed, r.IntN(2) == 0)
				}
			}
		case action < 3 && maintenanceFrom(cfg, 0, sim.Never) < 0:
			e.Maintenance, e.Back, e.Within = true, []float64{0, 0.6, 1}[r.IntN(3)], sim.Duration(r.IntN(2)*r.IntN(100))
		default:
			e.Outage, e.Kill = 1+r.Uint64N(1<<datacenters-1), r.IntN(2) == 0
		}
		cfg.Events = append(cfg.Events, e)
	}
}

// isUsable reports whether a datacenter takes part, has no outage and is not in a maintenance.
func isUsable(cfg *sim.Config, now sim.Instant, dc int) bool {
	return (cfg.Use == 0 || cfg.Use>>dc&1 == 1) && !slices.ContainsFunc(cfg.Events, func(e sim.Event) bool {
		return (e.Maintenance || e.Outage>>dc&1 == 1) && e.From <= now && now < e.Until
	})
}

// rttAt returns a person's RTT to a datacenter at an instant.
func rttAt(cfg *sim.Config, places *sim.Places, at sim.Instant, place uint32, delay sim.RTT, dc int) sim.RTT {
	sum := int(places.Row(place)[dc]) + int(delay)
	for _, e := range cfg.Events {
		if e.Latency > 0 && e.From <= at && at < e.Until && e.To>>dc&1 == 1 && (e.Slowed == nil || e.Slowed[place]) {
			sum += int(e.Latency)
		}
	}
	return sim.RTT(min(sum, 1<<16-1))
}

// maintenanceFrom returns the index of a maintenance that begins at an instant of a span, or -1.
func maintenanceFrom(cfg *sim.Config, from, to sim.Instant) int {
	return slices.IndexFunc(cfg.Events, func(e sim.Event) bool { return e.Maintenance && from <= e.From && e.From <= to })
}

// closedBy returns the index of the maintenance of an instant, or -1.
func closedBy(cfg *sim.Config, now sim.Instant) int {
	return slices.IndexFunc(cfg.Events, func(e sim.Event) bool { return e.Maintenance && e.From <= now && now < e.Until })
}

// comesBack returns when the ticket of a person comes back after a maintenance, or Never.
func comesBack(cfg *sim.Config, event int, entity uint64, search int) sim.Instant {
	draw := func(p sim.Purpose) float64 {
		return sim.NewStream(cfg.Seed, cfg.Run, p).Uniform(entity, uint64(search)*sim.MaxEvents+uint64(event))
	}
	e := cfg.Events[event]
	if draw(sim.PurposeBack) >= e.Back {
		return sim.Never
	}
	return e.Until.Add(sim.Duration(draw(sim.PurposeBackAfter) * float64(e.Within)))
}

// keepOut lets a ticket that does not search come back after a maintenance, or leave.
func (w *twin) keepOut(t *twinTicket, event int) {
	t.state = sim.StateLeft
	if at := comesBack(&w.cfg, event, t.people[0].Entity, t.searches+1); at != sim.Never {
		t.state = sim.StateBetween
		w.after(at.Sub(w.now), twinAlone, []*twinTicket{t})
	}
}

// searchAgain begins the next search of a ticket, unless there is a maintenance.
func (w *twin) searchAgain(t *twinTicket) {
	if event := closedBy(&w.cfg, w.now); event >= 0 {
		w.keepOut(t, event)
		return
	}
	t.searches++
	w.enter(t)
}

// joinOrWait lets a party join, unless there is a maintenance.
func (w *twin) joinOrWait(a sim.Arrival) {
	event := closedBy(&w.cfg, w.now)
	if event < 0 {
		w.join(a)
	} else if a.At = comesBack(&w.cfg, event, a.Members[0].Entity, 0); a.At != sim.Never {
		w.late = append(w.late, a)
	}
}

// lateJoins lets the parties join that a maintenance has kept out until now, in the order in which they
// first came.
func (w *twin) lateJoins() {
	for _, a := range slices.Clone(w.late) {
		if a.At == w.now {
			w.joinOrWait(a)
		}
	}
}

// closeAll ends all searches, except those of tickets whose players are asked.
func (w *twin) closeAll(event int) {
	for _, t := range w.waiting(func(t *twinTicket) bool { return t.state <= sim.StateWaiting }) {
		t.state = sim.StateClosed
		w.printf("CLOSED %v", t.ids())
		w.keepOut(t, event)
	}
}

// killed returns the next instant after now at which an event cuts matches in a datacenter short.
func (w *twin) killed(dc int) sim.Instant {
	next := sim.Never
	for _, e := range w.cfg.Events {
		if (e.Maintenance || e.Kill && e.Outage>>dc&1 == 1) && e.From > w.now {
			next = min(next, e.From)
		}
	}
	return next
}

// events does what happens because of the events of this instant.
func (w *twin) events() {
	for i, e := range w.cfg.Events {
		if e.Kill && e.From == w.now {
			w.kill(e.Outage, i)
		}
	}
	if event := maintenanceFrom(&w.cfg, w.now, w.now); event >= 0 {
		w.kill(everywhere, event)
		w.closeAll(event)
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

// everywhere stands for all datacenters, and for matches against bots, which are in none.
const everywhere = ^uint64(0)

// kill cuts short the running matches in some datacenters because of an event.
func (w *twin) kill(datacenters uint64, event int) {
	var hit []twinTimer
	w.timers = slices.DeleteFunc(w.timers, func(t twinTimer) bool {
		is := t.kind == twinMatchEnd && (datacenters == everywhere || t.dc >= 0 && datacenters>>t.dc&1 == 1)
		if is {
			hit = append(hit, t)
		}
		return is
	})
	slices.SortFunc(hit, func(a, b twinTimer) int { return cmp.Compare(a.no, b.no) })
	for _, match := range hit {
		for _, t := range w.close(match.tickets) {
			t.lastEnd = w.now
			if w.cfg.Events[event].Maintenance {
				w.keepOut(t, event)
				continue
			}
			t.state = sim.StateLeft
			if w.stream(sim.PurposeInterrupted).Uniform(t.people[0].Entity, uint64(t.searches)) < w.cfg.InterruptedAgain {
				t.state = sim.StateBetween
				w.after(max(1, w.cfg.InterruptedAfter), twinAlone, []*twinTicket{t})
			}
		}
	}
}
