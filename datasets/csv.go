package datasets

import (
	"fmt"
	"io"
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
// to read it is returned wrapped. Nothing is read after the first error. Cost: about 0.1 µs a row, and some more for
// every further column; 12 bytes a row, some 30 a place, and 4 or 8 for each
// cell of an attribute column.
func Read(r io.Reader, name string, o ReadOptions) (*Day, error) {
	d := &dayReader{name: name, o: o, day: &Day{}}
	src, err := openSource(r, o.Progress)
	if err != nil {
		return nil, placed(name, 1, err)
	}
	defer src.Close()
	d.records = newRecordReader(src)
	if err := d.readAll(); err != nil {
		return nil, err
	}
	if d.day.SHA256, err = src.rest(); err != nil {
		return nil, placed(name, d.records.nextLine, err)
	}
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

// Limits of a file of joins, whose size is not limited: it may be a pipe, and a large
// day is one of the things to simulate. See also MaxRecordBytes and MaxBlankLines.
const (
	// MaxRows is the largest number of joins of one day: 2.4 GB of memory, and twice
	// the day of 100 million joins that a run is made for.
	MaxRows = 200_000_000

	// MaxColumns is the largest number of columns of a file: one for each datacenter
	// and many more attributes than any rules look at.
	MaxColumns = 1024

	// MaxCells is the largest number of cells of all attribute columns together, 4 or 8
	// bytes each: ten attributes for each of 100 million joins.
	MaxCells = 1_000_000_000

	// MaxTextBytes is the largest size of the distinct texts of all attribute columns
	// together, an item of a list counted as its text and 16 bytes: an id of 20
	// characters for each of 100 million joins.
	MaxTextBytes = 2 << 30

	// MaxMeasuredRTTs is the largest number of measured RTTs in distinct sets of them,
	// 13 bytes each: 30 datacenters for each of 6 million places.
	MaxMeasuredRTTs = 200_000_000
)

// readAll reads the file to its end.
func (d *dayReader) readAll() error {
	if err := d.readFirst(); err != nil {
		return err
	}
	return d.readRows()
}

// readRows reads the rows behind the first one.
func (d *dayReader) readRows() error {
	for {
		ok, f := d.records.next()
		if !ok {
			break
		}
		if message := d.full(); message != "" {
			return d.at(&fault{1, message})
		}
		if f == nil {
			f = d.addRow()
		}
		if f == nil {
			continue
		}
		if err := d.reject(f); err != nil {
			return err
		}
	}
	if d.records.err != io.EOF {
		return placed(d.name, d.records.nextLine+1, d.records.err)
	}
	return nil
}

// full says which limit leaves no room for another row, "" if none does. That is no
// malformed row, which could be left out: it ends the reading.
func (d *dayReader) full() string {
	switch h := d.header; {
	case d.joins.rows >= MaxRows:
		return fmt.Sprintf("more than %d joins (MaxRows): expected fewer rows", MaxRows)
	case d.joins.rows*len(h.columns) > MaxCells:
		return fmt.Sprintf("more than %d cells of attributes (MaxCells): expected fewer rows or columns", MaxCells)
	case h.textBytes > MaxTextBytes:
		return fmt.Sprintf("more than %d bytes of different texts (MaxTextBytes): expected shorter or fewer ones", MaxTextBytes)
	case len(d.day.measured.values) > MaxMeasuredRTTs:
		return fmt.Sprintf("more than %d measured RTTs in different sets (MaxMeasuredRTTs): expected fewer", MaxMeasuredRTTs)
	}
	return ""
}

// readFirst reads the first row, which is a header or a join.
func (d *dayReader) readFirst() error {
	ok, f := d.records.next()
	if !ok {
		if d.records.err == io.EOF {
			return &Error{d.name, 1, 1, "the file is empty: expected a header or rows of HH:MM:SS,lat,long"}
		}
		return placed(d.name, d.records.nextLine+1, d.records.err)
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
