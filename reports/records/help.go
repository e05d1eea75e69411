package records

import (
	"fmt"
	"strings"
)

// Help is the help text about the records of a run, with every column.
func Help() string {
	var b strings.Builder
	b.WriteString(`With --records csv or parquet, a run writes ` + CSVFile + ` or ` + ParquetFile + `:
one row per player and search, in the order in which the searches ended, including searches
without a match. The means of summary.json are over the matched rows; they do not include
players who waited in vain.

The rows add up to the block "players" of summary.json:

  entries             rows with began_s of 0 or more
  joins, returns      entries with return 0, and with return 1
  searching_at_start  rows with a negative began_s: the search began in the warm-up
  searching_at_end    rows with end "searching"
  all others          rows with that end, whenever the search began

Statistics of waits exclude rows with a negative began_s.

Values that a search without a match does not have are empty in CSV and null in Parquet. In
Parquet, whole numbers are int64, decimal numbers are doubles, and 0 or 1 are booleans. The
columns, in order:

`)
	for _, f := range Fields() {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n", f.Name, f.Type, f.Meaning)
	}
	b.WriteString(`
The attributes of the players follow, first those of the dataset and then those that are
drawn. An attribute with the name of a column above gets the prefix attribute_.`)
	return b.String()
}
