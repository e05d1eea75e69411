package collect

import (
	"slices"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// ticketWaits counts the waits of matched tickets, each ticket once, as a vendor's service
// reports them.
type ticketWaits struct {
	service *setup.Service // nil: nothing is counted
	all     histogram.Histogram
	recent  []ticketWait // waits in the service's window, perhaps after older ones
}

type ticketWait struct {
	at   sim.Instant
	wait sim.Duration
}

func newTicketWaits(service *setup.Service) ticketWaits { return ticketWaits{service: service} }

// matched counts those tickets of a match whose search began inside the measured window.
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
			w.recent = slices.Grow(w.recent, len(w.recent)) // so that calls of forget are rare
		}
		w.recent = append(w.recent, ticketWait{m.At, wait})
	}
}

// forget removes the waits from before the service's window, which ends now.
func (w *ticketWaits) forget(now sim.Instant) {
	first := slices.IndexFunc(w.recent, func(t ticketWait) bool { return now.Sub(t.at) < w.service.Window })
	if first < 0 {
		first = len(w.recent)
	}
	w.recent = slices.Delete(w.recent, 0, first)
}

// statistics returns the report of the service at the end of a run, nil if there is no service.
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

// timeToMatch describes waits counted in ms.
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

// newTicket reports whether the i-th player of a match is the first of a ticket. The
// players of a ticket are adjacent.
func newTicket(m *sim.Match, i int) bool {
	return i == 0 || m.Players[i].Party != m.Players[i-1].Party
}
