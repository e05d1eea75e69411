package reports

import (
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// ticketWaits counts the waits of the tickets that found a match, each once, as a
// vendor's service tells of them.
type ticketWaits struct {
	service *setup.Service // nil: none, and nothing is counted
	all     histogram
	recent  []ticketWait // those of the last window, and perhaps older ones before them
}

type ticketWait struct {
	at   sim.Instant
	wait sim.Duration
}

func newTicketWaits(service *setup.Service) ticketWaits { return ticketWaits{service: service} }

// matched counts the tickets of a match that began to search inside the window.
func (w *ticketWaits) matched(m *sim.Match) {
	if w.service == nil {
		return
	}
	for i := range m.Players {
		if m.Players[i].Began < 0 || !newTicket(m, i) {
			continue
		}
		wait := m.Wait(i)
		w.all.add(uint64(wait))
		if len(w.recent) == cap(w.recent) {
			w.forget(m.At)
			w.recent = slices.Grow(w.recent, len(w.recent)) // so that the next time is as many tickets away
		}
		w.recent = append(w.recent, ticketWait{m.At, wait})
	}
}

// forget leaves out what is not recent at an instant.
func (w *ticketWaits) forget(now sim.Instant) {
	first := slices.IndexFunc(w.recent, func(t ticketWait) bool { return now.Sub(t.at) < w.service.Window })
	if first < 0 {
		first = len(w.recent)
	}
	w.recent = slices.Delete(w.recent, 0, first)
}

// statistics returns what the service tells at the end of a run, nil where it does not.
func (w *ticketWaits) statistics(reached sim.Instant, searching int) *outcome.QueueStatistics {
	if w.service == nil {
		return nil
	}
	w.forget(reached)
	var recent histogram
	for _, ticket := range w.recent {
		recent.add(uint64(ticket.wait))
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
func timeToMatch(h *histogram) outcome.TimeToMatch {
	p := h.percentiles(50, 90, 99)
	return outcome.TimeToMatch{
		Tickets: outcome.Count(h.count()),
		Average: waitSeconds(h.mean()),
		P50:     waitSeconds(float64(p[0])),
		P90:     waitSeconds(float64(p[1])),
		P99:     waitSeconds(float64(p[2])),
	}
}

// newTicket tells whether the i-th player of a match is the first of a ticket: those of
// one stand side by side.
func newTicket(m *sim.Match, i int) bool {
	return i == 0 || m.Players[i].Party != m.Players[i-1].Party
}
