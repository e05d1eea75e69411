package collect

import (
	"slices"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// ticketWaits counts the waits of matched tickets as a vendor's service does: each ticket once.
type ticketWaits struct {
	service *setup.Service // if nil, nothing is counted
	all     histogram.Histogram
	recent  []ticketWait // in order of time; all waits in the service's window, and possibly older ones
}

type ticketWait struct {
	at   sim.Instant
	wait sim.Duration
}

// matched counts the tickets of a match. Searches that began in the warm-up period do not count.
func (w *ticketWaits) matched(m *sim.Match) {
	if w.service == nil {
		return
	}
	for i := range m.Players {
		if m.Players[i].Began < 0 || !newTicket(m, i) {
			continue
		}
		wait := m.Wait(i)
		w.all.Add(uint64(wait))
		if len(w.recent) == cap(w.recent) {
			w.forget(m.At)
			w.recent = slices.Grow(w.recent, len(w.recent)) // double the capacity, so that forget is called rarely
		}
		w.recent = append(w.recent, ticketWait{m.At, wait})
	}
}

// forget removes the waits that are older than the service's window, which ends now.
func (w *ticketWaits) forget(now sim.Instant) {
	first := slices.IndexFunc(w.recent, func(t ticketWait) bool { return now.Sub(t.at) < w.service.Window })
	if first < 0 {
		first = len(w.recent)
	}
	w.recent = slices.Delete(w.recent, 0, first)
}

// statistics returns what the service reports at the end of a run, or nil if there is no service.
func (w *ticketWaits) statistics(reached sim.Instant, searching int) *outcome.QueueStatistics {
	if w.service == nil {
		return nil
	}
	w.forget(reached)
	var recent histogram.Histogram
	for _, ticket := range w.recent {
		recent.Add(uint64(ticket.wait))
	}
	return &outcome.QueueStatistics{
		PlayersMatching: outcome.Count(searching),
		Window:          outcome.RoundSeconds(w.service.Window.Seconds()),
		TimeToMatch:     timeToMatch(&recent),
		WholeRun:        timeToMatch(&w.all),
		PlayersSee:      append([]string{}, w.service.PlayersSee...),
	}
}

// timeToMatch returns the statistics of waits, which h counts in ms.
func timeToMatch(h *histogram.Histogram) outcome.TimeToMatch {
	p := h.Percentiles(50, 90, 99)
	return outcome.TimeToMatch{
		Tickets: outcome.Count(h.Count()),
		Average: waitSeconds(h.Mean()),
		P50:     waitSeconds(float64(p[0])),
		P90:     waitSeconds(float64(p[1])),
		P99:     waitSeconds(float64(p[2])),
	}
}

// newTicket reports whether the player with index i is the first of a ticket. The players of a
// ticket are adjacent.
func newTicket(m *sim.Match, i int) bool {
	return i == 0 || m.Players[i].Party != m.Players[i-1].Party
}
