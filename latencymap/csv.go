package latencymap

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// records reads one of the model's embedded CSV tables. An error in a table is a bug in mmsim. The
// error message names the line, to help whoever edits the table.
type records struct {
	name string
	csv  *csv.Reader
	row  []string
	err  error
}

// readRecords begins to read a table with a fixed number of columns. It skips the header.
func readRecords(r io.Reader, name string, columns int) *records {
	rec := &records{name: name, csv: csv.NewReader(r)}
	rec.csv.FieldsPerRecord = columns
	rec.csv.ReuseRecord = true
	rec.next()
	return rec
}

// next moves to the next row. It returns false at the end and after an error.
func (r *records) next() bool {
	if r.err != nil {
		return false
	}
	var err error
	if r.row, err = r.csv.Read(); err != nil {
		if err != io.EOF {
			r.err = fmt.Errorf("%s: %w", r.name, err)
		}
		return false
	}
	return true
}

func (r *records) text(column int) string { return r.row[column] }

func (r *records) number(column int) float64 {
	value, err := strconv.ParseFloat(r.row[column], 64)
	if err != nil {
		r.failf(column, "%.40q is not a number", r.row[column])
	}
	return value
}

// index looks up a name in known and returns its number. The name is in the given column of the
// current row. An unknown name is an error.
func (r *records) index(column int, known map[string]int) int {
	i, ok := known[r.row[column]]
	if !ok {
		r.failf(column, "%.40q is not known", r.row[column])
	}
	return i
}

// failf records an error. Only the first one is kept.
func (r *records) failf(column int, format string, values ...any) {
	if r.err == nil {
		line, col := r.csv.FieldPos(column)
		r.err = fmt.Errorf("%s:%d:%d: %s", r.name, line, col, fmt.Sprintf(format, values...))
	}
}
