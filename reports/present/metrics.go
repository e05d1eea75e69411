package present

import (
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// serverBlocks are the blocks of metrics that apply to players on servers, who do not search.
var serverBlocks = []string{"servers.", "rtt_ms.", "ccu.peak", "ccu.mean"}

// metricsTable lists the metrics of a summary. It omits metrics of groups and of parts, which
// have tables of their own, metrics that were not measured, and metrics that mean nothing on
// servers or over several queues together.
func metricsTable(s *outcome.Summary) Table {
	t := Table{
		Title: "All metrics",
		Note:  "All metrics in summary.json except those of groups. Gates, comparisons, sweeps and tunings use the same names. mmsim help metrics lists every metric.",
		Head:  []string{"metric", "value", "unit", "better", "meaning"},
		Left:  []int{2, 3, 4},
	}
	for _, m := range s.MetricValues() {
		isIn := func(block string) bool { return strings.HasPrefix(m.Name, block) }
		switch {
		case strings.Contains("."+m.Name, ".by_"), m.Whole != "", math.IsNaN(m.Value),
			len(s.Queues) > 0 && judge.Pooled(m.Name), s.Servers != nil && !slices.ContainsFunc(serverBlocks, isIn):
			continue
		}
		meaning := m.Meaning
		if m.Instant != nil {
			meaning += "; reached at " + words.Clock(*m.Instant, words.Zone(s.Run.TimeZone))
		}
		value := words.Number(m.Unit, m.Value, words.ShortestDecimals(m.Unit, m.Value), false)
		t.Rows = append(t.Rows, []string{m.Name, value, string(m.Unit), string(m.Better), meaning})
	}
	return t
}
