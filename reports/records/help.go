package records

import (
	"fmt"
	"strings"

	"mmsim/reports/setup"
)

// Help returns the help text about the records of a run. It describes every column.
func Help() string {
	var b strings.Builder
	b.WriteString(`Records are a table with one row per player per search, for analysis in a notebook. With
--records csv or parquet, a run writes it to ` + CSVFile + ` or ` + ParquetFile + `. The rows are in
the order in which the searches ended. Searches without a match have a row, too. The mean waits
and RTTs of summary.json do not include them: they are means over the matched players.

Each number in the block "players" of summary.json is a count of rows:

  entries             rows with began_s of 0 or more
  joins, returns      entries with return 0, and with return 1
  searching_at_start  rows with a negative began_s: the search began in the warm-up
  searching_at_end    rows with end "searching"
  matched, failed, …  rows whose end is that word, including searches that began in the warm-up

Times are in seconds from the start of the window, which is the measured time after the warm-up.
Statistics of waits do not include rows with a negative began_s.

A value that a search without a match does not have is empty in CSV and null in Parquet. In
Parquet, a whole number is an int64, another number is a double, and 0 or 1 is a boolean. The
columns, in order:

`)
	all := setup.Run{Season: true, Queues: []setup.Queue{{Rules: &setup.Ruleset{}}, {}}}
	all.Jitter, all.Missing = true, true
	for _, c := range recordColumns(&all, nil) {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n", c.name, kindNames[c.kind], c.meaning)
	}
	b.WriteString(`
These columns are followed by the players' attributes: first those of the dataset, then those
that are drawn. An attribute that has the name of a column above gets the prefix attribute_.`)
	return b.String()
}
