package decision

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
)

// Like the page of one run, the page of several runs shows no means over queues with different
// rules.
func TestRunsOfQueuesAreNotPooled(t *testing.T) {
	sample := resulttest.Sample("", 1, 3, func(run int, s *outcome.Summary) {
		*s = resulttest.Queues().Summary
		s.Run.Run = run
		s.RTT.Mean, s.RTT.P95 = outcome.Millis(6601+run), outcome.Millis(7701+run)
	})
	page := Runs(outcome.Aggregate(sample.Runs), sample, &Sources{})
	for _, item := range page.Items() {
		if item.Table == nil {
			continue
		}
		for _, row := range append(item.Table.Rows, item.Table.Head) {
			for _, cell := range row {
				if strings.HasPrefix(cell, "660") || strings.HasPrefix(cell, "770") || strings.HasPrefix(cell, "rtt_ms.") {
					t.Errorf("%s: got cell %q, which is over all queues, want values by queue only", item.Table.Title, cell)
				}
			}
		}
	}
}
