package casefile

import (
	"mmsim/matcher/dialect/vendor"
)

// queueRules runs scenes with rules that form matches.
type queueRules struct {
	matchRunner
	queue *vendor.Queue
}

// refusals returns, for each ticket in the scene, the error with which the service refuses it, or
// nil.
func (q *queueRules) refusals(s *Scene) []error {
	refused := make([]error, len(s.Tickets))
	if q.queue.Admission == nil {
		return refused
	}
	admission := q.queue.Admission()
	for _, i := range byAge(s.Tickets) {
		t := &s.Tickets[i]
		players := make([]string, len(t.Players))
		for j := range t.Players {
			players[j] = t.Players[j].ID
		}
		refused[i] = admission.Admit(t.ID, players, t.CreatedMS, t.givesUpMS())
	}
	return refused
}

// Run implements Runner.
func (q *queueRules) Run(s *Scene) (*Outcome, error) {
	outcome, err := q.matchRunner.run(s, q.refusals(s))
	if err == nil && q.queue.Statistics != nil {
		q.addStatistics(s, outcome)
	}
	return outcome, err
}

// Check implements Runner.
func (q *queueRules) Check(s *Scene) error {
	_, err := q.load(s, q.refusals(s))
	return err
}

// addStatistics adds the service's statistics about the queue after the pass.
func (q *queueRules) addStatistics(s *Scene, outcome *Outcome) {
	tickets := make(map[string]*Ticket, len(s.Tickets))
	for i := range s.Tickets {
		tickets[s.Tickets[i].ID] = &s.Tickets[i]
	}
	var matched []vendor.MatchedTicket
	for _, m := range outcome.Matches {
		for _, id := range m.Tickets {
			matched = append(matched, vendor.MatchedTicket{AtMS: s.AtMS, WaitMS: s.AtMS - tickets[id].CreatedMS})
		}
	}
	waiting := 0
	for _, id := range outcome.Unmatched {
		waiting += len(tickets[id].Players)
	}
	for _, r := range outcome.Rejected { // Unmatched also contains these tickets
		waiting -= len(tickets[r.Ticket].Players)
	}
	outcome.QueueStatistics = q.queue.Statistics.Snapshot(s.AtMS, waiting, matched)
}

// Explain implements Runner.
func (q *queueRules) Explain(s *Scene, outcome *Outcome) ([]Explanation, error) {
	return q.matchRunner.explain(s, q.refusals(s), outcome)
}
