package joinfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mmsim/datasets/internal/csvfile"
	"mmsim/datasets/internal/wording"
)

// BadRowsListed is the number of malformed rows that are listed at most.
const BadRowsListed = 20

// BadRows is the error about the malformed rows of a file.
type BadRows struct {
	File  string
	First []error // up to BadRowsListed, in the order of the file; an error that ended the reading comes last
	Count int
}

// Error lists the rows, one on each line, and counts them.
func (b *BadRows) Error() string {
	var text strings.Builder
	for _, err := range b.First {
		fmt.Fprintln(&text, err)
	}
	return text.String() + b.summary()
}

// count says how many rows there are.
func (b *BadRows) count() string {
	text := wording.Counted(b.Count, "malformed row")
	if b.Count > BadRowsListed {
		text += fmt.Sprintf(", the first %d are listed", BadRowsListed)
	}
	return text
}

// summary is the count with the name of the file.
func (b *BadRows) summary() string { return b.File + ": " + b.count() }

// Unwrap returns the parts of the text: the errors of the rows, and their number.
func (b *BadRows) Unwrap() []error { return append(slices.Clone(b.First), errors.New(b.summary())) }

// reject counts a malformed row and returns an error when there are too many. A record of
// several lines counts once for each line, because a stray quote swallows all rows up to the
// next one.
func (d *dayReader) reject(f *csvfile.Fault) error {
	err := d.at(f)
	if len(d.badFirst) < BadRowsListed {
		d.badFirst = append(d.badFirst, err)
	}
	lines, _ := d.table.State()
	d.badRows += lines - d.row.Line + 1
	if d.badRows <= d.o.MaxBadRows || d.o.AllBadRows {
		return nil
	}
	if d.o.MaxBadRows > 0 {
		err.Message += fmt.Sprintf(" (%s, dataset.max_bad_rows is %d; the first is in line %d)",
			wording.Counted(d.badRows, "malformed row"), d.o.MaxBadRows, d.badFirst[0].Line)
	}
	return err
}

// tooManyBad is the error about malformed rows, and about the error that ended the reading,
// after the whole file was read; nil if the number of malformed rows is tolerated.
func (d *dayReader) tooManyBad(fatal error) error {
	if !d.o.AllBadRows || d.badRows == 0 || fatal == nil && d.badRows <= d.o.MaxBadRows {
		return fatal
	}
	e := d.badRowsOf()
	if fatal != nil {
		e.First = append(e.First, fatal)
	}
	return e
}

// badRowsOf returns the malformed rows so far.
func (d *dayReader) badRowsOf() *BadRows {
	b := &BadRows{File: d.name, Count: d.badRows}
	for _, bad := range d.badFirst {
		b.First = append(b.First, bad)
	}
	return b
}

// Error is a fault in a file: its text begins FILE:LINE:COLUMN.
type Error = csvfile.Error
