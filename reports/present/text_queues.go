package present

import (
	"fmt"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// queueRows returns the rows of each queue's waits and RTTs.
func queueRows(s *outcome.Summary) (rows [][]string) {
	for i := range s.Queues {
		q := &s.Queues[i]
		name := words.Name(q.Name)
		rows = append(rows, waitRows(s, name+": wait, ", queueWaits(q))...)
		if q.RTT.Count > 0 {
			rows = append(rows, rttRow(s, name+": RTT", &q.RTT))
		}
	}
	return rows
}

// queuesQuality describes how good the matches of several queues are, by metrics that make sense
// for all queues together.
func (t *text) queuesQuality(s *outcome.Summary) {
	t.waitLimits(s)
	if s.States.Used() {
		t.states(s)
	}
	t.line("Matches", "%s; %s of returning players meet someone again", words.Thousands(s.Matches.Count), words.Percent(s.Matches.RepeatShare))
}

// queues writes a line for each queue.
func (t *text) queues(s *outcome.Summary) {
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	for i := range s.Queues {
		q := &s.Queues[i]
		text := words.Plural(q.Players.Matched, "player") + " matched"
		if q.Players.Matched > 0 {
			text += fmt.Sprintf(", %s full", words.Percent(q.Matches.Fill))
			if !limits.Own { // the shares of players within report.limits are not counted by queue
				text += fmt.Sprintf("; %s get %s or better", words.Percent(q.RTT.ShareLEIdeal), words.Threshold(limits.Good))
			}
		}
		t.line("Queue "+q.Name, "%s; %s of searches found no match", text, words.Percent(outcome.Unmatched(&q.Players).Share))
		if q.External != nil {
			t.line("Matchmaker", "%s", matchmakerLine(q.External))
		}
		t.alike(q.Attributes, q.Overlaps)
		t.rules(q.Rules)
		t.expiry(q.Rules)
	}
}
