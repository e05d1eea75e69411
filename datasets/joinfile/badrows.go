package joinfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mmsim/datasets/internal/tables"
)

// BadRowsListed is the maximum number of malformed rows that are listed.
const BadRowsListed = 20

// BadRows is the error for a file with malformed rows.
type BadRows struct {
	File string
	// First has up to BadRowsListed errors in file order. If an error ended the reading, it comes
	// after them.
	First []error
	Count int
}

// Error lists the rows, one per line, and counts them.
func (b *BadRows) Error() string {
	var text strings.Builder
	for _, err := range b.First {
		fmt.Fprintln(&text, err)
	}
	return text.String() + b.summary()
}

// count describes the number of rows.
func (b *BadRows) count() string {
	text := tables.Counted(b.Count, "malformed row")
	if b.Count > BadRowsListed {
		text += fmt.Sprintf(", the first %d are listed", BadRowsListed)
	}
	return text
}

// summary returns the count with the name of the file.
func (b *BadRows) summary() string { return b.File + ": " + b.count() }

// Unwrap returns the errors of the rows, followed by the summary.
func (b *BadRows) Unwrap() []error { return append(slices.Clone(b.First), errors.New(b.summary())) }

// ErrBadRow is the error, for errors.Is, for a malformed row that Options.MaxBadRows could leave
// out.
var ErrBadRow = errors.New("a malformed row")

// badRow is an *Error that is also an ErrBadRow.
type badRow struct{ row *Error }

// Error returns the text of the row's error.
func (b *badRow) Error() string { return b.row.Error() }

func (b *badRow) Unwrap() []error { return []error{b.row, ErrBadRow} }

// reject counts a malformed row. It returns an error if there are now too many. A record with
// several lines counts once per line, because a stray quote swallows all rows up to the next quote.
func (d *dayReader) reject(f *tables.Fault) error {
	err := d.at(f)
	if len(d.badFirst) < BadRowsListed {
		d.badFirst = append(d.badFirst, err)
	}
	lines, _ := d.table.State()
	d.badRows += lines - d.row.Line + 1
	if d.badRows <= d.o.MaxBadRows || d.o.MaxBadShare > 0 || d.o.AllBadRows {
		return nil
	}
	if d.o.MaxBadRows > 0 {
		err.Message += fmt.Sprintf(" (%s, dataset.max_bad_rows is %d; the first is in line %d)",
			tables.Counted(d.badRows, "malformed row"), d.o.MaxBadRows, d.badFirst[0].Line)
	}
	return &badRow{err}
}

// tooManyBad returns the final error, or nil. The parameter fatal is the error that ended the
// reading, or nil. With Options.AllBadRows, the final error lists the malformed rows, followed by
// fatal. It is nil if fatal is nil and no more rows are malformed than allowed.
func (d *dayReader) tooManyBad(fatal error) error {
	allowed := d.badRows <= d.o.MaxBadRows
	rows := d.clock.skipped + d.rows.Rows() + d.badRows
	if d.o.MaxBadShare > 0 {
		allowed = d.badRows <= int(float64(d.o.MaxBadShare*float64(rows))+1e-9) // 0.1 % of 1000 rows is 1 row, also in floats
	}
	switch {
	case d.badRows == 0 || fatal == nil && allowed:
		return fatal
	case d.o.AllBadRows:
		e := d.badRowsOf()
		if fatal != nil {
			e.First = append(e.First, fatal)
		}
		return e
	case fatal != nil:
		return fatal
	}
	first := *d.badFirst[0]
	first.Message += fmt.Sprintf(" (%d of %d rows are malformed, and dataset.max_bad_rows is %.6g%%; this is the first)", d.badRows, rows, 100*d.o.MaxBadShare)
	return &badRow{&first}
}

// badRowsOf returns the malformed rows so far.
func (d *dayReader) badRowsOf() *BadRows {
	b := &BadRows{File: d.name, Count: d.badRows}
	for _, bad := range d.badFirst {
		b.First = append(b.First, bad)
	}
	return b
}

// Error is an error in a file. Its text begins with FILE:LINE:COLUMN.
type Error = tables.Error
