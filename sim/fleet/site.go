package fleet

import (
	"slices"

	"mmsim/matcher/heap"
	"mmsim/sim"
)

// site has the machines of one datacenter.
type site struct {
	*Config
	limits Site

	now      sim.Instant
	machines []machine               // all that were ever ordered
	alive    int                     // ready or starting machines
	wanted   int                     // machines that the datacenter should have, as of the last event
	starting fifo[int]               // in the order of their orders, which is that in which they are ready
	ready    readyHeaps              // ready machines with a free slot
	empty    heap.Heap[vacancy]      // ready machines without a match; those that are not empty any more are stale
	ends     endList                 // ends of the matches that have a slot, and other changes of players
	known    int                     // ends that were ever noted
	queue    fifo[queued]            // matches without a slot, first come first served
	delayed  map[uint64]sim.Duration // how long each match waited that did not get a slot at once
	busy     int                     // matches that have a slot
	hosting  int                     // machines with a match
	players  int                     // who play in them
	usage    Usage
}

// queued is a match that waits for a slot.
type queued struct {
	Match
	joins []Match
}

// machine is one machine.
type machine struct {
	ordered    sim.Instant
	emptySince sim.Instant // valid if it is ready and hosts no match
	used       int
	isReleased bool
}

func newSite(c *Config, limits Site, from sim.Instant) *site {
	s := &site{Config: c, limits: limits, now: from, wanted: limits.Min, ready: newReadyHeaps(c.PerMachine), delayed: map[uint64]sim.Duration{}}
	for range limits.Min {
		s.machines = append(s.machines, machine{ordered: from})
		s.isReady(s.alive)
		s.alive++
	}
	return s
}

// start advances the clock to the start of a match and gives it a slot, or lets it wait for one.
func (s *site) start(m Match) {
	s.runUntil(m.At)
	if m.At >= 0 {
		s.usage.Matches++
	}
	s.queue.push(queued{Match: m})
	s.serve()
	s.adjust()
	if m.At >= 0 && s.queue.len() > 0 { // m is the last of those that wait
		s.usage.Waited++
	}
}

// join adds players to a match.
func (s *site) join(m Match) {
	s.runUntil(m.At)
	waiting := s.queue.waiting()
	if i := slices.IndexFunc(waiting, func(q queued) bool { return q.ID == m.ID }); i >= 0 {
		waiting[i].joins = append(waiting[i].joins, m)
		return
	}
	s.play(m, s.delayed[m.ID])
}

// play lets players join a running match, later by a delay.
func (s *site) play(m Match, delay sim.Duration) {
	from := m.At.Add(delay)
	s.willEnd(ending{at: from, machine: none, players: -m.Players})
	s.willEnd(ending{at: from.Add(m.Length), machine: none, players: m.Players})
}

// willEnd notes an end.
func (s *site) willEnd(e ending) {
	e.order = s.known
	s.known++
	s.ends.push(e)
}

// finish advances the clock to the end of the window.
func (s *site) finish(until sim.Instant) Usage {
	s.runUntil(until)
	for i := range s.machines {
		if !s.machines[i].isReleased {
			s.bill(i)
		}
	}
	for _, m := range s.queue.waiting() {
		if m.At >= 0 {
			s.usage.Unserved++
		}
	}
	slices.Sort(s.usage.Waits)
	for _, w := range s.usage.Through {
		s.usage.MachineTime += w.Starting + w.Empty + w.Busy
	}
	return s.usage
}

// runUntil handles the events up to and including an instant, in the order of the package comment.
// Matches that start at that instant come after it.
func (s *site) runUntil(until sim.Instant) {
	for {
		next, kind := s.next()
		if next > until {
			break
		}
		s.advance(next)
		switch kind {
		case matchEnds:
			s.matchEnds()
		case machineReady:
			s.isReady(s.starting.pop())
		}
		s.serve()
		s.adjust()
	}
	s.advance(until)
}

// kind is the kind of an event, in the order of events of one instant.
type kind int

const (
	matchEnds kind = iota
	machineReady
	machineIdle
)

// next returns the instant and kind of the next event, or sim.Never.
func (s *site) next() (sim.Instant, kind) {
	at, what := sim.Never, matchEnds
	if end := s.ends.first(); end != nil {
		at = end.at
	}
	if s.starting.len() > 0 {
		if ready := s.machines[*s.starting.first()].ordered.Add(s.Start); ready < at {
			at, what = ready, machineReady
		}
	}
	// A release matters only while there are too many machines. Adjust has released those that have
	// been empty for long enough.
	if s.alive > s.wanted {
		if i := s.longestEmpty(); i >= 0 {
			if idle := s.machines[i].emptySince.Add(s.Idle); idle < at {
				at, what = idle, machineIdle
			}
		}
	}
	return at, what
}

// advance moves the clock, and adds up what happened since the last event inside the window.
func (s *site) advance(to sim.Instant) {
	if to > 0 {
		from := max(s.now, 0)
		s.through(from, to)
		dt := float64(to.Sub(from))
		s.usage.UsedTime += float64(dt * float64(s.busy))
		s.usage.PlayerTime += float64(dt * float64(s.players))
		s.usage.Peak = max(s.usage.Peak, s.alive)
	}
	s.now = to
}

// through adds what the machines did from one instant to another to the windows between them.
func (s *site) through(from, to sim.Instant) {
	starting := s.starting.len()
	for from < to {
		windows := s.usage.Through
		end := sim.Instant(len(windows)) * sim.Instant(Window)
		if from >= end {
			s.usage.Through = append(windows, WindowUse{})
			continue
		}
		w, dt := &windows[len(windows)-1], float64(min(to, end).Sub(from))
		w.Starting += float64(dt * float64(starting))
		w.Empty += float64(dt * float64(s.alive-starting-s.hosting))
		w.Busy += float64(dt * float64(s.hosting))
		from = min(to, end)
	}
}

// matchEnds handles the next of ends.
func (s *site) matchEnds() {
	e := s.ends.pop()
	s.players -= e.players
	if e.machine == none {
		return
	}
	s.busy--
	s.setUsed(e.machine, s.machines[e.machine].used-1)
}

// isReady makes a machine take matches.
func (s *site) isReady(i int) { s.setUsed(i, 0) }

// setUsed sets the number of matches that a ready machine hosts.
func (s *site) setUsed(i, used int) {
	if m := &s.machines[i]; m.used == 0 && used > 0 {
		s.hosting++
	} else if m.used > 0 && used == 0 {
		s.hosting--
	}
	s.machines[i].used = used
	if used < s.PerMachine {
		s.ready.push(s.machines, i)
	}
	if used == 0 {
		s.machines[i].emptySince = s.now
		s.empty.Push(vacancy{s.now, i}, emptyFirst)
	}
}

// serve gives free slots to the queue.
func (s *site) serve() {
	for s.queue.len() > 0 {
		i := s.ready.pop(s.machines)
		if i < 0 {
			return
		}
		m := s.queue.pop()
		s.busy++
		s.setUsed(i, s.machines[i].used+1)
		s.players += m.Players
		s.willEnd(ending{at: s.now.Add(m.Length), machine: i, players: m.Players})
		wait := s.now.Sub(m.At)
		if wait > 0 {
			s.delayed[m.ID] = wait
			for _, j := range m.joins {
				s.play(j, wait)
			}
		}
		if m.At >= 0 && wait > 0 {
			s.usage.Waits = append(s.usage.Waits, wait)
		}
	}
}

// adjust orders machines that are missing, and releases those that are too many, until nothing
// changes.
func (s *site) adjust() {
	s.wanted = s.want()
	for s.alive < s.wanted {
		s.machines = append(s.machines, machine{ordered: s.now})
		s.alive++
		if s.Start > 0 {
			s.starting.push(len(s.machines) - 1)
			continue
		}
		s.isReady(len(s.machines) - 1)
		s.serve()
		s.wanted = s.want() // the buffer grows with the busy slots
	}
	for s.alive > s.wanted {
		i := s.longestEmpty()
		if i < 0 || s.machines[i].emptySince.Add(s.Idle) > s.now {
			break
		}
		s.machines[i].isReleased = true
		s.bill(i)
		s.alive--
	}
	if s.now >= 0 {
		s.usage.Peak = max(s.usage.Peak, s.alive)
	}
}

// want returns how many machines the datacenter should have.
func (s *site) want() int {
	slots := s.busy + s.queue.len() + s.Buffer.of(s.busy)
	return min(s.limits.Max, max(s.limits.Min, (slots+s.PerMachine-1)/s.PerMachine))
}

// longestEmpty returns the empty machine that is released first, or -1.
func (s *site) longestEmpty() int {
	for len(s.empty) > 0 {
		v := s.empty[0]
		if m := &s.machines[v.machine]; !m.isReleased && m.used == 0 && m.emptySince == v.since {
			return v.machine
		}
		s.empty.Pop(emptyFirst)
	}
	return -1
}

// bill adds the life of a machine inside the window, until now.
func (s *site) bill(i int) {
	if s.now <= 0 {
		return
	}
	from := max(s.machines[i].ordered, 0)
	life := s.now.Sub(from)
	if life > 0 {
		s.usage.Lives = append(s.usage.Lives, Life{from, s.now})
	}
	s.usage.Billed += (life + s.Billing - 1) / s.Billing * s.Billing
}
