package joinfile

import (
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
	"mmsim/datasets/placing"
)

// Options control how a file of joins is read. The zero value reads any correct file.
type Options struct {
	// Columns declares the kinds of attribute columns by name. The file must contain these columns.
	// The kinds of all other columns are inferred from their first value.
	Columns map[string]datasets.Kind

	// Expected has the kinds of columns that a rule or an option uses. The file need not contain
	// them.
	Expected map[string]datasets.Kind

	// Checks has additional checks of values by column name.
	Checks map[string]Check

	// MaxBadRows is the maximum number of malformed rows, which are skipped with a warning. If
	// there are more, Read returns an error. A row with several lines counts once per line.
	MaxBadRows int

	// MaxBadShare, if not 0, is the maximum share of malformed rows, in place of MaxBadRows. Read
	// then reads the whole file before it returns an error.
	MaxBadShare float64

	// Names maps mmsim's column names to names in the file that are not recognised, for example
	// "latitude": "y".
	Names map[string]string

	// Zone is the time zone of midnights, and of times without an offset. nil means UTC.
	Zone *time.Location

	// TimeFormat says what times mean that have no meaning by themselves. The zero value is
	// TimesAuto.
	TimeFormat TimeFormat

	// Date selects a date in a file whose times have dates: the 24 hours from its midnight. The
	// zero time selects all days, at most datasets.MaxDays.
	Date time.Time

	// Merge merges all days of the file into one.
	Merge bool

	// AllBadRows makes Read continue to the end of a file with malformed rows. The error is then a
	// *BadRows. If the rows are within MaxBadRows, warnings list them.
	AllBadRows bool

	// Datacenters are the allowed names in rtt:<datacenter> columns, in the order of the indices in
	// Measured.Datacenter. nil means that the names in the file are used.
	Datacenters []string
	// UnusedDatacenters are names in rtt:<datacenter> columns that are read over.
	UnusedDatacenters []string

	// Draw draws the towns of players whose rows have no coordinates. If it is nil, every row must
	// have coordinates.
	Draw datasets.Draw

	// Addresses finds the positions of IP addresses. nil means that addresses are not used.
	Addresses *placing.Addresses

	// Households keeps which players have the same IP address, as a number in the column ip. The
	// addresses themselves are never kept.
	Households bool

	// Progress, if not nil, is called with the number of bytes read so far, about 16 times per
	// megabyte.
	Progress func(bytes int64)
}

// Read reads joins from CSV, JSON lines or a JSON array, plain or compressed with gzip or zstd, or from Parquet.
// See the package comment. name is used only in messages. Read checks the whole file. If the file
// is invalid, the error is an *Error or a *BadRows. An error of r is returned wrapped.
//
// If the first times leave open what they mean, Read keeps the text in memory until a later one
// decides it, see survey.
//
// A CSV row takes about 0.1 µs, plus some time for each additional column. The memory is 12 bytes
// per row, about 30 per distinct place, and 4 or 8 per cell of an attribute column.
func Read(r io.Reader, name string, o Options) (*datasets.Day, error) {
	file, text, err := tables.OpenParquet(r)
	switch {
	case err != nil:
		return nil, tables.Placed(name, 1, err)
	case file != nil:
		return readParquet(file, name, &o)
	}
	src, err := tables.Open(text, o.Progress)
	if err != nil {
		return nil, tables.Placed(name, 1, err)
	}
	defer src.Close()
	again := newRereader(src)
	found, err := surveyed(name, &o, func(d *dayReader) error { d.open(tables.NewCSV(again)); return nil })
	if err != nil {
		return nil, err
	}
	again.rewind()
	d := newDayReader(name, &o)
	d.clock.reading = found
	d.open(tables.NewCSV(again))
	return d.read(src.Rest)
}

// readParquet reads a Parquet file.
func readParquet(file *tables.ParquetFile, name string, o *Options) (*datasets.Day, error) {
	open := func(d *dayReader) error {
		t, err := tables.NewParquet(file)
		if err == nil {
			d.table, d.row, d.clock.exactMS = t, t.Current(), true
		}
		return err
	}
	d := newDayReader(name, o)
	if err := open(d); err != nil {
		return nil, tables.Placed(name, 1, err)
	}
	defer d.table.(*tables.Parquet).Close()
	var err error
	d.clock.reading, err = surveyed(name, o, open)
	if err != nil {
		return nil, err
	}
	return d.read(func() ([sha256.Size]byte, error) { return file.SHA256(o.Progress) })
}

// read reads the table to its end. It then calls sum, which must return the hash of the file.
func (d *dayReader) read(sum func() ([sha256.Size]byte, error)) (*datasets.Day, error) {
	if err := d.tooManyBad(d.readAll()); err != nil {
		return nil, err
	}
	hash, err := sum()
	if err != nil {
		lines, _ := d.table.State()
		return nil, tables.Placed(d.name, lines, err)
	}
	day, err := d.finish()
	if err == nil {
		day.SHA256 = hash
	}
	return day, err
}

// dayReader builds a Day from the rows of a table.
type dayReader struct {
	name              string
	o                 *Options
	table             tables.Table
	row               *tables.Row // current row of table
	csv               *tables.CSV
	header            *header
	clock             *clock
	maxRows, maxCells int // MaxRows and MaxCells, or less in tests

	placer    *placing.Placer
	cells     placing.Cells // of the current row
	addresses placing.AddressColumn

	rows      datasets.Builder
	set       []datasets.Measured             // measured RTTs of the current row
	partySize [2*datasets.MaxDays + 1][]uint8 // members of each party so far, by day of the clock and index into the dictionary of the party column
	previous  int64                           // time of the last row
	sort      bool                            // some row is earlier than the row before it
	unsorted  *tables.Error                   // first row that is out of order, if that needs a warning
	badFirst  []*tables.Error                 // first malformed rows
	badRows   int
}

func newDayReader(name string, o *Options) *dayReader {
	return &dayReader{
		name: name, o: o, clock: newClock(o), placer: placing.New(o.Draw, o.Addresses),
		addresses: placing.AddressColumn{Households: o.Households}, maxRows: MaxRows, maxCells: MaxCells,
	}
}

// open prepares for reading the text of a file.
func (d *dayReader) open(text *tables.CSV) {
	if table := tables.NewJSON(text); table != nil {
		d.table = table
	} else {
		d.csv, d.table = text, text
		text.Separator = 0
		text.Choose = func(line []byte) byte {
			return separatorOf(line, func(cells []string) bool { return isHeader(cells, d.o.Names) })
		}
	}
	d.row = d.table.Current()
}

// Limits of a file of joins. The size of the file is not limited, because it may be a pipe and
// mmsim is meant for large days. See also MaxRecordBytes and MaxBlankLines.
const (
	// MaxRows is the maximum number of rows in a file. This is twice the 100 million joins that
	// runs are designed for, and takes 2.4 GB of memory.
	MaxRows = 200_000_000

	// MaxColumns is the maximum number of columns in a file.
	MaxColumns = tables.MaxColumns

	// MaxCells is the maximum number of cells in all attribute columns together, with 4 or 8 bytes
	// each. This is enough for ten attributes of 100 million joins.
	MaxCells = 1_000_000_000

	// MaxTextBytes is the maximum size of the distinct texts in all attribute columns together. A
	// list item counts as its text and 16 bytes. This is enough for an ID of 20 characters for each
	// of 100 million joins.
	MaxTextBytes = 2 << 30

	// MaxMeasuredRTTs is the maximum number of RTTs in all distinct sets of measured RTTs together.
	// Each takes 13 bytes. This is enough for 30 datacenters at 6 million places.
	MaxMeasuredRTTs = 200_000_000
)

// readAll reads the file to its end.
func (d *dayReader) readAll() error {
	if err := d.readFirst(); err != nil {
		return err
	}
	return d.readRows()
}

// readRows reads the rows after the first one.
func (d *dayReader) readRows() error {
	for {
		ok, f := d.table.Next()
		if !ok {
			break
		}
		if message := d.full(); message != "" {
			return d.at(&tables.Fault{Column: 1, Message: message})
		}
		if f == nil && d.csv == nil {
			f = d.widen()
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
	if lines, err := d.table.State(); err != io.EOF {
		return tables.Placed(d.name, lines+1, err)
	}
	return nil
}

// full returns a message about the exceeded limit if there is no room for another row, and ""
// otherwise. An exceeded limit ends the reading, unlike a malformed row, which can be skipped.
func (d *dayReader) full() string {
	switch h := d.header; {
	case d.rows.Rows()+d.badRows >= d.maxRows:
		return fmt.Sprintf("more than %d joins (MaxRows): expected fewer rows", d.maxRows)
	case d.rows.Rows()*len(h.columns) > d.maxCells:
		return fmt.Sprintf("more than %d cells of attributes (MaxCells): expected fewer rows or columns", d.maxCells)
	case h.textBytes > MaxTextBytes:
		return fmt.Sprintf("more than %d bytes of different texts (MaxTextBytes): expected shorter or fewer ones", MaxTextBytes)
	case d.rows.MeasuredRTTs() > MaxMeasuredRTTs:
		return fmt.Sprintf("more than %d measured RTTs in different sets (MaxMeasuredRTTs): expected fewer", MaxMeasuredRTTs)
	}
	return ""
}

// readFirst reads the first row, which is a header or a join.
func (d *dayReader) readFirst() error {
	ok, f := d.table.Next()
	if !ok {
		lines, err := d.table.State()
		if err == io.EOF {
			return &tables.Error{File: d.name, Line: 1, Column: 1, Message: "the file is empty: expected a header or rows of HH:MM:SS,lat,long"}
		}
		return tables.Placed(d.name, lines+1, err)
	}
	if table, ok := d.table.(tables.Named); ok {
		return d.readFirstNamed(table, f)
	}
	form := formOf(d.csv.Separator)
	names := make([]string, len(d.row.Cells))
	for i, cell := range d.row.Cells {
		names[i] = string(tables.Trim(cell))
	}
	if f == nil && isHeader(names, d.o.Names) {
		if d.header, f = newHeader(names, d.row.Columns, form, d.o, false); f != nil {
			return d.at(f)
		}
		return nil
	}
	d.header = articleHeader(form)
	d.header.datacenters = d.o.Datacenters
	if f == nil {
		f = d.addRow()
	}
	if f == nil && len(d.o.Names) == 0 {
		return nil
	}
	if message := notJoins(d.row.Text); message != "" {
		return d.at(&tables.Fault{Column: 1, Message: message})
	}
	if f == nil {
		_, message := newNaming(names, d.o.Names)
		return d.at(&tables.Fault{Column: 1, Message: message})
	}
	return d.reject(f)
}

// readFirstNamed reads the first row of a table with named columns. It skips malformed rows. The
// row is a join, and its columns define the header.
func (d *dayReader) readFirstNamed(table tables.Named, f *tables.Fault) error {
	for f != nil {
		if err := d.reject(f); err != nil {
			return err
		}
		ok := false
		if ok, f = table.Next(); !ok {
			d.header = articleHeader(&cellForm{}) // an empty header
			return nil
		}
	}
	if d.header, f = newHeader(table.Names(), d.row.Columns, &cellForm{listSeparator: ';'}, d.o, true); f != nil {
		return d.at(f)
	}
	if f = d.addRow(); f != nil {
		return d.reject(f)
	}
	return nil
}

// widen adds the columns that first appear in the current row.
func (d *dayReader) widen() *tables.Fault {
	table, ok := d.table.(tables.Named)
	if !ok {
		return nil
	}
	names := table.Names()
	d.header.rows = d.rows.Rows()
	for d.header.width < len(names) {
		at := d.row.Columns[d.header.width]
		if message := d.header.add(names[d.header.width], d.o); message != "" {
			return &tables.Fault{Column: at, Message: message}
		}
	}
	return nil
}

// finish builds the Day from the rows read.
func (d *dayReader) finish() (*datasets.Day, error) {
	lines, _ := d.table.State()
	if d.rows.Rows() == 0 {
		message := "no joins: expected at least one row after the header"
		if d.badFirst != nil {
			message = fmt.Sprintf("no joins but %s, the first in line %d: %s", tables.Counted(d.badRows, "malformed row"), d.badFirst[0].Line, d.badFirst[0].Message)
		} else if other := d.clock.nothingLeft(); other != "" {
			message = other
		}
		return nil, &tables.Error{File: d.name, Line: lines, Column: 1, Message: message}
	}
	if message := d.header.checkDeclared(d.o.Columns); message != "" {
		return nil, &tables.Error{File: d.name, Line: 1, Column: 1, Message: message}
	}
	if message := d.clock.tooLong(); message != "" {
		return nil, &tables.Error{File: d.name, Line: lines, Column: 1, Message: message}
	}
	midnight, behind := d.clock.firstMidnight()
	finishing := datasets.Finishing{Sort: d.sort, Midnight: uint32(behind), WholeSeconds: d.clock.wholeSeconds()}
	if d.header.party >= 0 {
		finishing.Parties = d.header.columns[d.header.others[d.header.party].index].Column
	}
	for _, c := range d.header.columns {
		c.finish(d.rows.Rows())
	}
	day := d.rows.Day(finishing)
	day.Datacenters, day.BadRows, day.Midnight, day.Times = d.header.datacenters, d.badRows, midnight, d.clock.form
	day.Placed = d.placer.Counts
	day.Form = d.fileForm()
	for _, c := range d.header.columns {
		if c.Name != datasets.ColumnIP || !d.addresses.Dropped() {
			day.Columns = append(day.Columns, c.Column)
		}
	}
	day.Warnings = d.warnings(day.Rows())
	for _, message := range placing.Suspects(day, placing.Cures{Swap: d.header.swap()}) {
		day.Warnings = append(day.Warnings, datasets.Warning{Place: d.name, Message: message, Misread: true})
	}
	return day, nil
}

// fileForm tells how the file was read.
func (d *dayReader) fileForm() datasets.Form {
	switch d.table.(type) {
	case *tables.Parquet:
		return d.header.fileForm("Parquet", 0)
	case *tables.JSON:
		return d.header.fileForm("JSON", 0)
	}
	return d.header.fileForm("CSV", d.csv.Separator)
}

// warnings returns the warnings about the file, which has the given number of joins.
func (d *dayReader) warnings(rows int) (list []datasets.Warning) {
	at := func(place, message string) { list = append(list, datasets.Warning{Place: place, Message: message}) }
	if d.unsorted != nil {
		at(d.unsorted.Place(), d.unsorted.Message)
	}
	for _, remark := range d.header.remarks {
		at(d.name, remark)
	}
	if remark := d.clock.coarse(); remark != "" {
		at(d.name, remark)
	}
	for _, message := range d.placer.Warnings(rows) {
		at(d.name, message)
	}
	if message := d.addresses.Unused(); message != "" && d.o.Addresses == nil {
		at(d.name, message)
	}
	switch {
	case d.badRows == 0:
	case d.o.AllBadRows:
		for _, bad := range d.badFirst {
			at(bad.Place(), bad.Message+" (left out)")
		}
		at(d.name, d.badRowsOf().count()+": left out")
	default:
		first := d.badFirst[0]
		at(first.Place(), fmt.Sprintf("%s (%s left out, this is the first)", first.Message, tables.Counted(d.badRows, "malformed row")))
	}
	return list
}
