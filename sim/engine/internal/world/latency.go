package world

import (
	"slices"

	"mmsim/sim"
)

// Measured identifies an instant at which RTTs were measured: two instants have the same number if the
// same events with Latency last. At number 0 there is none.
type Measured uint8

// This compiles only if every event can change the number twice.
const _ = uint(^Measured(0)) - 2*sim.MaxEvents

// latency is what a World knows about the events that add to RTTs.
type latency struct {
	sets   [][]*sim.Event // by Measured: the events that last
	now    Measured
	places []slowPlace // by place; nil before the first RTT to which events add is asked for
}

// slowPlace has the reach and the best RTT of a place with what events added when they were measured.
type slowPlace struct {
	reach sim.Reach
	best  sim.RTT
	at    Measured
}

// newLatency returns what is added to RTTs at the begin of the run, which is nothing. It has no sets if
// nothing is ever added.
func newLatency(list []sim.Event) (l latency) {
	if slices.ContainsFunc(list, func(e sim.Event) bool { return e.Latency > 0 }) {
		l.sets = [][]*sim.Event{nil}
	}
	return l
}

// change updates what is added to RTTs now.
func (l *latency) change(list []sim.Event, now sim.Instant) {
	if l.sets == nil {
		return
	}
	var set []*sim.Event
	for i := range list {
		if e := &list[i]; e.Latency > 0 && e.From <= now && now < e.Until {
			set = append(set, e)
		}
	}
	i := slices.IndexFunc(l.sets, func(known []*sim.Event) bool { return slices.Equal(known, set) })
	if i < 0 {
		i = len(l.sets)
		l.sets = append(l.sets, set)
	}
	l.now = Measured(i)
}

// Measure measures the RTTs of a place now. The number is 0 if no event adds to any of them, so that only
// the players whom an event concerns take longer to simulate.
func (w *World) Measure(place uint32) Measured {
	if w.latency.now == 0 {
		return 0
	}
	return w.latency.measure(place)
}

// measure is a separate function so that the compiler can inline Measure.
func (l *latency) measure(place uint32) Measured {
	for _, e := range l.sets[l.now] {
		if e.Slowed == nil || e.Slowed[place] {
			return l.now
		}
	}
	return 0
}

// AddsLatency reports whether events add to RTTs now.
func (w *World) AddsLatency() bool { return w.latency.now != 0 }

// Added returns what events added to the RTT from a place to a datacenter when it was measured.
func (w *World) Added(m Measured, place uint32, dc int) (sum sim.RTT) {
	if m == 0 {
		return 0
	}
	for _, e := range w.latency.sets[m] {
		if e.To>>dc&1 != 0 && (e.Slowed == nil || e.Slowed[place]) {
			sum = sim.AddDelay(sum, e.Latency)
		}
	}
	return sum
}

// Reach returns the datacenters near a place, as they were measured.
func (w *World) Reach(m Measured, place uint32) *sim.Reach {
	if m == 0 {
		return &w.Places.Reach[place]
	}
	return &w.slowed(m, place).reach
}

// Within returns the datacenters whose RTT from a place, plus the delay, was at most limit when it was
// measured.
func (w *World) Within(m Measured, place uint32, limit, delay sim.RTT) uint64 {
	if m == 0 {
		return w.Places.Within(place, limit, delay)
	}
	var set uint64
	for dc, rtt := range w.Places.Row(place) {
		if sim.AddDelay(sim.AddDelay(rtt, delay), w.Added(m, place, dc)) <= limit {
			set |= 1 << dc
		}
	}
	return set
}

// slowed returns what was measured of a place. It keeps this for the next player from there.
func (w *World) slowed(m Measured, place uint32) *slowPlace {
	l := &w.latency
	if l.places == nil {
		l.places = make([]slowPlace, len(w.Places.Reach))
	}
	p := &l.places[place]
	if p.at != m {
		*p = slowPlace{best: ^sim.RTT(0), at: m}
		for dc, rtt := range w.Places.Row(place) {
			rtt = sim.AddDelay(rtt, w.Added(m, place, dc))
			p.best = min(p.best, rtt)
			if rtt <= w.Config.IdealRTT {
				p.reach.Ideal |= 1 << dc
			}
			if rtt <= w.Config.ExpandRTT {
				p.reach.Expand |= 1 << dc
			}
		}
	}
	return p
}

// LowestOf returns the lowest RTT from a place to a datacenter of a set when it was measured.
func (w *World) LowestOf(set uint64, m Measured, place uint32) sim.RTT {
	row, lowest := w.Places.Row(place), ^sim.RTT(0)
	for dc := range sim.DatacentersIn(set) {
		lowest = min(lowest, sim.AddDelay(row[dc], w.Added(m, place, dc)))
	}
	return lowest
}
