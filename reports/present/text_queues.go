package present

import (
	"fmt"

	"mmsim/reports/external"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// queues writes a line for each of several queues.
func (t *text) queues(s *outcome.Summary) {
	for i := range s.Queues {
		q := &s.Queues[i]
		say := words.Plural(q.Players.Matched, "player") + " matched"
		if q.Players.Matched > 0 {
			say += fmt.Sprintf(", %s full, wait %s on average, p95 %s, RTT %s",
				words.Percent(q.Matches.Fill), words.Seconds(q.Wait.Mean), words.Seconds(q.Wait.P95), words.Millis(q.RTT.Mean))
		}
		t.line("Queue "+q.Name, "%s; %s found no match", say,
			words.Percent(outcome.ShareOf(q.Players.Failed+q.Players.Expired+outcome.Given(q.Players.Declined), q.Players.Entries)))
		if q.External != nil {
			t.line("Matchmaker", "%s", external.Line(q.External))
		}
		if q.Rules != nil {
			t.alike(q.Attributes, q.Overlaps)
			t.rules(q.Rules)
			t.expiry(q.Rules)
		}
	}
}
