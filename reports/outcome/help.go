package outcome

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const helpIntroduction = `A metric is a value of summary.json. Gates, sweeps, tunings and comparisons refer to it by its
key. A star stands for the name of a group: by_continent.*.rtt_p95_ms includes
by_continent.EU.rtt_p95_ms. "better" says whether a higher or a lower value is better.

A share is a percentage here and a fraction of 1 in files. A metric that covers no players is
written as 0 in files; gates and comparisons treat it as not measured. With several queues,
queues.NAME contains the metrics of one queue. All other metrics are about the players of all
queues together.

`

// WriteHelp describes every metric that matches one of the patterns, one per line. A pattern is a
// name, a block such as wait_s, or a text with stars. Without patterns, WriteHelp writes an
// introduction and all metrics. It returns the number of metrics, and writes nothing if none
// match.
func WriteHelp(w io.Writer, patterns ...string) (n int, err error) {
	introduction := ""
	if len(patterns) == 0 {
		introduction, patterns = helpIntroduction, []string{"*"}
	}
	var lines strings.Builder
	for _, m := range Metrics() {
		if !m.matchesAny(patterns) {
			continue
		}
		n++
		fmt.Fprintf(&lines, "%s\t%s\t%s\t%s", m.Name, dash(string(m.Unit)), dash(string(m.Better)), m.Meaning)
		if m.Base != "" {
			fmt.Fprintf(&lines, "; not measured if %s is 0", m.Base)
		}
		if m.When != "" {
			fmt.Fprintf(&lines, "; only with %s", enumerated(m.When))
		}
		lines.WriteByte('\n')
	}
	if n == 0 {
		return 0, nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintf(table, "%smetric\tunit\tbetter\tmeaning\n%s", introduction, lines.String()); err != nil {
		return 0, err
	}
	return n, table.Flush()
}

// matchesAny reports whether one of the patterns matches the metric. A star in a pattern matches any
// text. If the pattern is the name of one group's metric, a star in the metric's own name matches
// the group's key.
func (m *Metric) matchesAny(patterns []string) bool {
	for _, pattern := range patterns {
		if _, is := starred(m.Name, pattern); is && !strings.Contains(pattern, "*") {
			return true
		}
		if MatchName(pattern, m.Name) || MatchName(pattern+".*", m.Name) {
			return true
		}
	}
	return false
}

// enumerated replaces the last comma of a list by "and".
func enumerated(list string) string {
	if last := strings.LastIndex(list, ", "); last >= 0 {
		return list[:last] + " and " + list[last+len(", "):]
	}
	return list
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
