package collect

import (
	"math"
	"strconv"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// eventsTally counts the searches around the events of a run. A nil tally counts nothing.
type eventsTally struct {
	events []eventTally
	// Searches that began earlier than from, an hour before the first event, are not counted.
	from  sim.Instant
	begun []sums // by the minute in which the searches began
	near  []bool // by minute, whether an event has a phase in it
}

// eventTally counts the searches around one event.
type eventTally struct {
	setup.Event
	down   []string // datacenters that cannot be used
	phases [phaseCount]struct {
		sums     // of matched players
		lost int // players whose search ended without a match
	}
}

// Phases of an event: when a search began.
const (
	phaseBefore = iota // in the hour before
	phaseDuring
	phaseAfter // in the hour after
	phaseCount
)

// newEventsTally returns nil if the run has no events.
func newEventsTally(run *setup.Run) *eventsTally {
	if len(run.Events) == 0 {
		return nil
	}
	minutes := (run.Duration + sim.Minute - 1) / sim.Minute
	t := &eventsTally{from: sim.Never, begun: make([]sums, minutes), near: make([]bool, minutes)}
	for _, e := range run.Events {
		t.events = append(t.events, eventTally{Event: e, down: run.Down(e.Outage)})
		from := max(0, e.From.Add(-sim.Hour))
		t.from = min(t.from, from)
		for at := from; at < min(e.Until.Add(sim.Hour+sim.Minute), sim.Instant(run.Duration)); at = at.Add(sim.Minute) {
			t.near[at/sim.Instant(sim.Minute)] = true
		}
	}
	return t
}

// phase returns the phase in which a search began, or phaseCount if it is none of the event's. What
// happened to searches from the warm-up period before the window is not known.
func (e *eventTally) phase(began sim.Instant) int {
	switch {
	case began < max(0, e.From.Add(-sim.Hour)) || began >= e.Until.Add(sim.Hour):
		return phaseCount
	case began < e.From:
		return phaseBefore
	case began < e.Until || began == e.From: // joins can last for one instant
		return phaseDuring
	}
	return phaseAfter
}

// matched counts a match, or players who join a running match.
func (t *eventsTally) matched(m *sim.Match) {
	if t == nil || m.At < t.from {
		return
	}
	for i := range m.Players {
		p := &m.Players[i]
		if p.Began < t.from {
			continue
		}
		wait, minute := uint64(m.Wait(i)), p.Began/sim.Instant(sim.Minute)
		t.begun[minute].addWait(wait)
		if !t.near[minute] {
			continue
		}
		for k := range t.events {
			if phase := t.events[k].phase(p.Began); phase < phaseCount {
				s := &t.events[k].phases[phase]
				s.addWait(wait)
				s.addRTT(uint64(p.RTT))
			}
		}
	}
}

// ended counts a search that ended without a match.
func (t *eventsTally) ended(e *sim.Ended) {
	if t == nil {
		return
	}
	for k := range t.events {
		if phase := t.events[k].phase(e.Began); phase < phaseCount {
			t.events[k].phases[phase].lost += len(e.Players)
		}
	}
}

// result returns the statistics of a run.
func (t *eventsTally) result(totals *sim.Totals) (list outcome.Object[outcome.Event]) {
	for i := range t.events {
		e := &t.events[i]
		before, during, after := &e.phases[phaseBefore], &e.phases[phaseDuring], &e.phases[phaseAfter]
		list = append(list, outcome.Event{
			Name: strconv.Itoa(i + 1), At: outcome.RoundSeconds(e.From.Seconds()), For: outcome.RoundSeconds(e.Until.Sub(e.From).Seconds()), Action: e.Action, Down: e.down,
			MatchedBefore: outcome.Count(before.waited), MatchedDuring: outcome.Count(during.waited), MatchedAfter: outcome.Count(after.waited),
			EndedBefore: outcome.Count(before.waited + before.lost), EndedDuring: outcome.Count(during.waited + during.lost),
			WaitBefore: before.waitMean(), WaitDuring: during.waitMean(), WaitAfter: after.waitMean(),
			RTTBefore: before.rttMean(), RTTDuring: during.rttMean(),
			UnmatchedBefore: outcome.ShareOf(before.lost, before.waited+before.lost), UnmatchedDuring: outcome.ShareOf(during.lost, during.waited+during.lost),
			Interrupted: outcome.Count(totals.Events[i].Interrupted), SearchingPeak: outcome.Count(totals.Events[i].SearchingPeak),
			Recovery: t.recovery(e, totals.Reached),
		})
	}
	return list
}

// recoveryMinutes is the number of minutes over which waits are averaged after an event.
const recoveryMinutes = 5

// recovery returns the time from the end of an event until the mean wait is at most 1.1 times the one
// before the event, plus 1 s. The mean of fewer than 100 players says too little.
func (t *eventsTally) recovery(e *eventTally, reached sim.Instant) outcome.Seconds {
	before := &e.phases[phaseBefore]
	if before.waited < 100 {
		return outcome.Seconds(math.NaN())
	}
	most := outcome.Seconds(1.1*before.waitMean()) + 1
	for at := e.Until.CeilTo(sim.Minute); at.Add(recoveryMinutes*sim.Minute) <= reached; at = at.Add(sim.Minute) {
		var all sums
		for minute := range sim.Instant(recoveryMinutes) {
			all.merge(&t.begun[at/sim.Instant(sim.Minute)+minute])
		}
		if all.waited > 0 && all.waitMean() <= most {
			return outcome.RoundSeconds(at.Sub(e.Until).Seconds())
		}
	}
	return outcome.Seconds(math.NaN())
}
