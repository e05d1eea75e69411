package present

import (
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// metricsSection is the section with all metrics of a summary.
func metricsSection(s *outcome.Summary) Section {
	return Section{"metrics", "Metrics", []Table{metricsTable(s)}}
}

// serverBlocks are the blocks of metrics that say something about players on servers, who do not
// search.
var serverBlocks = []string{"servers.", "rtt_ms.", "ccu.peak", "ccu.mean"}

// metricsTable lists the metrics of a summary by their declarations, except those of groups and
// of parts, which have tables of their own, those that were not measured, and those that have no
// meaning over several queues or on servers.
func metricsTable(s *outcome.Summary) Table {
	t := Table{
		Title:  "All metrics",
		Note:   "By their keys in summary.json, without those of groups. Gates, comparisons, sweeps and tunings use the same names; mmsim help metrics lists all of them.",
		Head:   []string{"metric", "value", "unit", "better", "meaning"},
		Left:   []int{2, 3, 4},
		Folded: true,
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
			meaning += "; reached at " + words.Clock(*m.Instant)
		}
		value := words.Number(m.Unit, m.Value, words.ShortestDecimals(m.Unit, m.Value), false)
		t.Rows = append(t.Rows, []string{m.Name, value, string(m.Unit), string(m.Better), meaning})
	}
	return t
}
