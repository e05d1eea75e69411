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
	sets [][]*sim.Event // by Measured: the events that last
	now  Measured
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

// AddsLatency reports whether an event of the run adds to RTTs. Only then can Measure return anything
// but 0.
func (w *World) AddsLatency() bool { return w.latency.sets != nil }

// Measure measures RTTs now.
func (w *World) Measure() Measured { return w.latency.now }

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

// LowestOf returns the lowest RTT from a place to a datacenter of a set when it was measured.
func (w *World) LowestOf(set uint64, m Measured, place uint32) sim.RTT {
	row, lowest := w.Places.Row(place), ^sim.RTT(0)
	for dc := range sim.DatacentersIn(set) {
		lowest = min(lowest, sim.AddDelay(row[dc], w.Added(m, place, dc)))
	}
	return lowest
}
