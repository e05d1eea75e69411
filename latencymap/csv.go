package latencymap

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// records reads the model's embedded tables. An error is a mistake in mmsim; it still
// names the line, for whoever edits the tables.
type records struct {
	name string
	csv  *csv.Reader
	row  []string
	err  error
}

// readRecords skips the header of a table with a fixed number of columns.
func readRecords(r io.Reader, name string, columns int) *records {
	rec := &records{name: name, csv: csv.NewReader(r)}
	rec.csv.FieldsPerRecord = columns
	rec.csv.ReuseRecord = true
	rec.next()
	return rec
}

// next moves to the next row, false at the end or after an error.
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

// index looks a name up in the table it refers to.
func (r *records) index(column int, known map[string]int) int {
	i, ok := known[r.row[column]]
	if !ok {
		r.failf(column, "%.40q is not known", r.row[column])
	}
	return i
}

// failf keeps the first error.
func (r *records) failf(column int, format string, values ...any) {
	if r.err == nil {
		line, col := r.csv.FieldPos(column)
		r.err = fmt.Errorf("%s:%d:%d: %s", r.name, line, col, fmt.Sprintf(format, values...))
	}
}
