package words

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"mmsim/reports/outcome"
)

const helpIntroduction = `A metric is a value of summary.json. Gates, sweeps, tunings and comparisons refer to it by its
key. A star stands for the name of a group: by_continent.*.rtt_p95_ms includes
by_continent.EU.rtt_p95_ms. "better" says whether a higher or a lower value is better.

"mmsim help metrics wait continent" lists only the metrics with both words in their names or
meanings. You can also give a name, a block such as wait_s, or a pattern such as 'by_*.rtt*'.

A share is a percentage here and a fraction of 1 in files. A metric that covers no players is not
measured: null in JSON, empty in CSV, and neither 0 nor good in gates. With several queues,
queues.NAME contains the metrics of one queue. All other metrics are about the players of all
queues together.

`

// WriteMetricsHelp describes every metric that the texts select, one per line. A text is a name, a block
// such as wait_s, or a pattern with stars; any other text is a word to search for, in names and
// meanings. Without texts, WriteMetricsHelp writes an introduction and all metrics. It returns the number
// of metrics, and writes nothing if the texts select none.
func WriteMetricsHelp(w io.Writer, texts ...string) (n int, err error) {
	all := outcome.Metrics()
	query := NewQuery(texts, func(text string) bool {
		return slices.ContainsFunc(all, func(m outcome.Metric) bool { return m.Matches(text) })
	})
	var lines strings.Builder
	for _, m := range all {
		if len(texts) > 0 && !query.Selects(m.Name, m.Meaning, m.Matches) {
			continue
		}
		n++
		fmt.Fprintf(&lines, "%s\t%s\t%s\t%s", m.Name, cmp.Or(m.Unit, "-"), cmp.Or(m.Better, "-"), m.Meaning)
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
	introduction := helpIntroduction
	if len(texts) > 0 {
		introduction = fmt.Sprintf("%d of %d metrics match.\n\n", n, len(all))
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintf(table, "%smetric\tunit\tbetter\tmeaning\n%s", introduction, lines.String()); err != nil {
		return 0, err
	}
	return n, table.Flush()
}

// enumerated replaces the last comma of a list by "and".
func enumerated(list string) string {
	if last := strings.LastIndex(list, ", "); last >= 0 {
		return list[:last] + " and " + list[last+len(", "):]
	}
	return list
}
