package datasets

import (
	"fmt"
	"io"
	"math"
)

// ReadOptions says how a file of joins is to be read. The zero value reads any
// correct file.
type ReadOptions struct {
	// Columns declares kinds of attribute columns by name, which the file must have;
	// others are inferred from their first value.
	Columns map[string]Kind

	// Expected are the kinds of columns that the file may have and that Columns does
	// not declare: those that somebody goes by.
	Expected map[string]Kind

	// Checks look at the values of columns by name, where a kind does not say enough.
	Checks map[string]Check

	// MaxBadRows is how many malformed rows are left out, with a warning, before
	// they are an error. 0: none. A row that goes on over several lines counts once
	// for each.
	MaxBadRows int

	// Datacenters are the names that rtt:<datacenter> columns may have, in the
	// order in which Measured.Datacenter counts. nil: the names in the file.
	Datacenters []string

	// Progress, if there is one, is told how many bytes of the file have been
	// read. Called often: some 16 times per megabyte.
	Progress func(bytes int64)
}

// Read reads a day of joins: CSV, plain or compressed with gzip or zstd, headed
// or in the article's format of HH:MM:SS,lat,long. The name is for messages only.
// The whole file is checked; what is wrong with it is an *Error, and a failure
// to read it is returned wrapped. Cost: about 0.1 µs a row, and some more for
// every further column; 12 bytes a row, some 30 a place, and 4 or 8 for each
// cell of an attribute column.
func Read(r io.Reader, name string, o ReadOptions) (*Day, error) {
	d := &dayReader{name: name, o: o, day: &Day{}}
	src, err := openSource(r, o.Progress)
	if err != nil {
		return nil, placed(name, 1, err)
	}
	d.records = newRecordReader(src)
	err = d.readAll()
	sum, closeErr := src.close()
	if err != nil {
		return nil, err
	}
	if closeErr != nil {
		return nil, placed(name, d.records.nextLine, closeErr)
	}
	d.day.SHA256 = sum
	return d.finish()
}

// dayReader builds a Day from records.
type dayReader struct {
	name    string
	o       ReadOptions
	records *recordReader
	header  *header
	day     *Day

	joins     joinList
	places    placeTable
	set       []Measured // of the row being read
	partySize []uint8    // by entry of the party column's dictionary
	previous  stamp
	unsorted  *Error // the first row that is earlier than the one before it
	firstBad  *Error // the first malformed row
}

// MaxRows is the largest number of joins of one day.
const MaxRows = math.MaxInt32

// readAll reads the file to its end.
func (d *dayReader) readAll() error {
	err := d.readFirst()
	for err == nil {
		ok, f := d.records.next()
		if !ok {
			break
		}
		if f == nil {
			f = d.addRow()
		}
		if f != nil {
			err = d.reject(f)
		}
	}
	if err == nil && d.records.err != io.EOF {
		err = placed(d.name, d.records.nextLine+1, d.records.err)
	}
	return err
}

// readFirst reads the first row, which is a header or a join.
func (d *dayReader) readFirst() error {
	ok, f := d.records.next()
	if !ok {
		if d.records.err == io.EOF {
			return &Error{d.name, 1, 1, "the file is empty: expected a header or rows of HH:MM:SS,lat,long"}
		}
		return nil
	}
	if f == nil && isHeader(d.records.cells) {
		if d.header, f = newHeader(d.records.cells, d.records.columns, d.o); f != nil {
			return d.at(f)
		}
		d.day.Columns, d.day.Datacenters = d.header.columns, d.header.datacenters
		return nil
	}
	d.header = articleHeader()
	d.day.Datacenters = d.o.Datacenters
	if f == nil {
		f = d.addRow()
	}
	if f == nil {
		return nil
	}
	if message := notCSV(d.records.text); message != "" {
		return d.at(&fault{1, message})
	}
	return d.reject(f)
}

// finish turns what was read into a Day.
func (d *dayReader) finish() (*Day, error) {
	day := d.day
	if d.joins.rows == 0 {
		message := "no joins: expected at least one row after the header"
		if d.firstBad != nil {
			message = fmt.Sprintf("no joins but %s, the first in line %d: %s", counted(day.BadRows, "malformed row"), d.firstBad.Line, d.firstBad.Message)
		}
		return nil, &Error{d.name, d.records.nextLine, 1, message}
	}
	if message := d.header.checkDeclared(d.o.Columns); message != "" {
		return nil, &Error{d.name, 1, 1, message}
	}
	day.joins = d.joins.take()
	if d.unsorted != nil {
		sortByTime(day.joins)
		day.Warnings = append(day.Warnings, d.unsorted.Error())
	}
	if d.firstBad != nil {
		day.Warnings = append(day.Warnings, fmt.Sprintf("%s (%s left out, this is the first)", d.firstBad, counted(day.BadRows, "malformed row")))
	}
	for _, c := range day.Columns {
		c.finish(len(day.joins))
	}
	if d.header.party >= 0 {
		day.findParties(day.Columns[d.header.others[d.header.party].index])
	}
	day.measured.known = nil
	day.Places = d.places.places
	day.neighbours = newNeighbours(day.Places)
	return day, nil
}

// reject counts a malformed row; it is an error when there are too many. A
// record of several lines counts as so many rows: a quote that is opened by
// mistake swallows all rows up to the next one.
func (d *dayReader) reject(f *fault) error {
	err := d.at(f)
	if d.firstBad == nil {
		d.firstBad = err
	}
	d.day.BadRows += d.records.nextLine - d.records.line + 1
	if d.day.BadRows <= d.o.MaxBadRows {
		return nil
	}
	if d.o.MaxBadRows > 0 {
		err.Message += fmt.Sprintf(" (%s, dataset.max_bad_rows is %d; the first is in line %d)", counted(d.day.BadRows, "malformed row"), d.o.MaxBadRows, d.firstBad.Line)
	}
	return err
}
