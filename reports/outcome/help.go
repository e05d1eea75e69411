package outcome

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const helpIntroduction = `Gates, sweeps, tunings and comparisons refer to metrics by their keys in summary.json. A star
stands for the key of a group: by_continent.EU.rtt_p95_ms matches by_continent.*.rtt_p95_ms.
Shares (%) are fractions of 1 in files. A metric of no players is 0 in files; gates and
comparisons treat it as not measured. With several queues, queues.NAME is the block of one
queue; all other metrics count the players of all queues together, whatever their rules.

`

// WriteHelp writes a line for every metric that matches one of the patterns; without patterns it
// writes an introduction and all metrics. A pattern is a name, a block such as wait_s, or a text
// with stars. WriteHelp returns the number of metrics, and writes nothing if there are none.
func WriteHelp(w io.Writer, patterns ...string) (n int, err error) {
	introduction := ""
	if len(patterns) == 0 {
		introduction, patterns = helpIntroduction, []string{"*"}
	}
	var lines strings.Builder
	for _, m := range Metrics() {
		if !m.isMeant(patterns) {
			continue
		}
		n++
		fmt.Fprintf(&lines, "%s\t%s\t%s\t%s", m.Name, dash(string(m.Unit)), dash(string(m.Better)), m.Meaning)
		if m.Base != "" {
			fmt.Fprintf(&lines, "; not measured if %s is 0", m.Base)
		}
		if m.When != "" {
			fmt.Fprintf(&lines, "; only with %s", m.When)
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

// isMeant reports whether one of the patterns matches a metric or a member of its family. A star
// of a pattern matches any text, and a star of a family matches the keys of a name.
func (m *Metric) isMeant(patterns []string) bool {
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

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
