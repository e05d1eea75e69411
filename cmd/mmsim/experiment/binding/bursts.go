package binding

import (
	"mmsim/datasets"
	"mmsim/sim"
)

// Burst implements sim.Arrivals. It yields the players of an event with joins.
type Burst struct {
	Joins   *datasets.Burst
	Event   *sim.Event
	Number  int                         // of the event
	QueueOf func(first *sim.Person) int // the queue that a party joins; nil if there is one
	members []sim.Person
}

// Next implements sim.Arrivals.
func (b *Burst) Next(next *sim.Arrival) bool {
	first, members, ok := b.Joins.Next()
	if !ok {
		return false
	}
	next.At = b.Event.From + sim.Instant(int64(b.Event.Until-b.Event.From)*int64(first)/int64(b.Event.Joins))
	b.members = b.members[:0]
	day := firstBurst - int32(b.Number) // a day of its own, so that no other player has the same draws
	for i, m := range members {
		b.members = append(b.members, sim.Person{
			Entity: sim.Entity(m.Row, m.Copy, day, uint32(i)), Row: m.Row, Place: m.Place, Copy: burstCopies | m.Copy,
		})
		p, leader := &b.members[i], &b.members[0]
		p.Party, p.PartyPlace = leader.Entity, leader.Place
	}
	next.Members = b.members
	if b.QueueOf != nil {
		next.Queue = b.QueueOf(&b.members[0])
	}
	return true
}

const (
	firstBurst  = -2      // in place of the day of a join; the day of the warm-up is -1
	burstCopies = 1 << 31 // above all numbers from CopyOf, so that only the members of a party know each other
)

// merged yields arrivals of several sources in order of time. At the same instant, earlier sources come
// first.
type merged struct {
	sources []sim.Arrivals
	heads   []sim.Arrival // the next arrival of each source
	more    []bool
	last    int // the source of the arrival that was returned last, which moves on with the next call
}

// Merge merges sources. The members of an arrival are those of its source.
func Merge(sources ...sim.Arrivals) sim.Arrivals {
	if len(sources) == 1 {
		return sources[0]
	}
	m := &merged{sources: sources, heads: make([]sim.Arrival, len(sources)), more: make([]bool, len(sources)), last: -1}
	for i := range sources {
		m.more[i] = sources[i].Next(&m.heads[i])
	}
	return m
}

// Next implements sim.Arrivals.
func (m *merged) Next(next *sim.Arrival) bool {
	if m.last >= 0 {
		m.more[m.last] = m.sources[m.last].Next(&m.heads[m.last])
	}
	m.last = -1
	for i := range m.heads {
		if m.more[i] && (m.last < 0 || m.heads[i].At < m.heads[m.last].At) {
			m.last = i
		}
	}
	if m.last < 0 {
		return false
	}
	*next = m.heads[m.last]
	return true
}
