package joinfile

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// SheetOptions control how a Sheet is read.
type SheetOptions struct {
	// Columns has the usual names of the columns with a meaning, in lower case and without _, and
	// mmsim's names of them. Latitude, longitude, country and rtt:<datacenter> are known. Every
	// other column is an attribute.
	Columns map[string]string
	Names   map[string]string        // as Options.Names
	Partial bool                     // whether the file may lack columns of Names: they are in another file
	Kinds   map[string]datasets.Kind // of attributes, as Options.Expected
	Zone    *time.Location           // as Options.Zone
}

// Sheet reads a file of rows with named columns, in every form of a file of joins: CSV with its
// separators, JSON and Parquet, plain or compressed. Times, numbers and positions are read as those
// of joins. A Sheet keeps nothing but the values of attributes. Its errors never quote a cell,
// because cells may hold names of people.
type Sheet struct {
	o          *SheetOptions
	d          *dayReader
	close      func()
	naming     *naming
	form       *cellForm
	position   map[string]int // position of each column, by mmsim's name
	names      []string       // mmsim's names of the columns, by position
	attributes []sheetColumn
	rows       int // rows whose attributes were kept
	textBytes  int

	Datacenters []string // names in rtt:<datacenter> columns
}

// sheetColumn is an attribute.
type sheetColumn struct {
	position int
	*column
}

// OpenSheet reads the names of the columns. r must remain open until Close. name is used only in
// messages.
func OpenSheet(r io.Reader, name string, o *SheetOptions) (*Sheet, error) {
	s := &Sheet{o: o, d: newDayReader(name, &Options{Zone: o.Zone, Names: o.Names}), close: func() {}, position: map[string]int{}, form: &cellForm{listSeparator: ';'}}
	file, text, err := tables.OpenParquet(r)
	if err != nil {
		return nil, tables.Placed(name, 1, err)
	}
	if file != nil {
		t, err := tables.NewParquet(file)
		if err != nil {
			return nil, tables.Placed(name, 1, err)
		}
		s.d.table, s.d.row, s.close = t, t.Current(), func() { t.Close() }
		return s, s.begin()
	}
	src, err := tables.Open(text, nil)
	if err != nil {
		return nil, tables.Placed(name, 1, err)
	}
	s.close = func() { src.Close() }
	s.d.open(tables.NewCSV(src))
	if s.d.csv != nil {
		s.d.csv.Choose = func(line []byte) byte { return separatorOf(line, s.isHeader) }
	}
	return s, s.begin()
}

// Close frees the reader. The columns of Attributes stay.
func (s *Sheet) Close() { s.close() }

// meaning returns mmsim's name of a column with a meaning, or "".
func (s *Sheet) meaning(column string) string {
	plain := plainName(column)
	if name := s.o.Columns[plain]; name != "" {
		return name
	}
	switch name := usual[plain]; name {
	case datasets.ColumnLatitude, datasets.ColumnLongitude, datasets.ColumnCountry:
		return name
	}
	return ""
}

func (s *Sheet) isHeader(cells []string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool {
		for _, inFile := range s.o.Names {
			if cell == inFile {
				return true
			}
		}
		return s.meaning(cell) != ""
	})
}

// begin reads the header of a CSV file. Other forms name their columns in each row.
func (s *Sheet) begin() error {
	s.naming, _ = newNaming(nil, nil)
	if s.d.csv == nil {
		for canonical, inFile := range s.o.Names {
			if s.naming.canonicalOf[inFile] = canonical; !s.o.Partial {
				s.naming.taken[canonical] = inFile
			}
		}
		return nil
	}
	if ok, f := s.d.table.Next(); !ok || f != nil {
		return s.At("expected a header with the names of the columns")
	}
	s.form = formOf(s.d.csv.Separator)
	names := make([]string, len(s.d.row.Cells))
	for i, cell := range s.d.row.Cells {
		names[i] = string(tables.Trim(cell))
	}
	if !s.isHeader(names) {
		return s.At("the first row names no column that mmsim knows: expected a header, or --map")
	}
	for canonical, inFile := range s.o.Names {
		isIn := slices.Contains(names, inFile)
		if isIn {
			s.naming.canonicalOf[inFile], s.naming.taken[canonical] = canonical, inFile
		} else if !s.o.Partial {
			return s.At(fmt.Sprintf("--map says that %s is called %s, but the file has no such column: expected one of %s", canonical, tables.Quoted(inFile), shortList(names)))
		}
	}
	return s.widen(names)
}

// widen adds the columns that are new in the current row.
func (s *Sheet) widen(names []string) error {
	for position := len(s.names); position < len(names); position++ {
		name, mapped := s.naming.canonicalOf[names[position]]
		if !mapped {
			if name = s.meaning(names[position]); name == "" {
				name = names[position]
			}
			if taken := s.naming.taken[name]; taken != "" && taken != names[position] {
				name = "" // --map names another column
			}
		}
		s.names = append(s.names, name)
		if name == "" {
			continue // such as the index that pandas writes
		}
		if first, twice := s.position[name]; twice {
			return s.At(fmt.Sprintf("columns %d and %d could both be %s: expected one, or --map to say which", first+1, position+1, name))
		}
		s.position[name] = position
		if s.meaning(name) != "" {
			continue
		}
		if datacenter, ok := strings.CutPrefix(name, datasets.ColumnMeasured); ok {
			if s.Datacenters = append(s.Datacenters, datacenter); len(s.Datacenters) > datasets.MaxDatacenters {
				return s.At(fmt.Sprintf("more than %d datacenters in rtt: columns (MaxDatacenters)", datasets.MaxDatacenters))
			}
			continue
		}
		c := newColumn(name, s.o.Kinds[name], Check{}, s.rows)
		c.form, c.textBytes = s.form, &s.textBytes
		s.attributes = append(s.attributes, sheetColumn{position, c})
	}
	return nil
}

// Next reads the next row. At the end of the file, it returns io.EOF. An error that is a *Error
// concerns the row only, and the next call reads the row after it.
func (s *Sheet) Next() error {
	ok, f := s.d.table.Next()
	if !ok {
		lines, err := s.d.table.State()
		if err == io.EOF {
			return io.EOF
		}
		return &Damaged{tables.Placed(s.d.name, lines+1, err)}
	}
	if f != nil { // its message may quote the row
		return s.At("the row is malformed: expected a row of CSV, or a JSON object")
	}
	if table, ok := s.d.table.(tables.Named); ok {
		if err := s.widen(table.Names()); err != nil {
			return err
		}
	}
	if got := len(s.d.row.Cells); got != len(s.names) {
		return s.At(fmt.Sprintf("%s: expected %d, as in the header", tables.Counted(got, "column"), len(s.names)))
	}
	return nil
}

// Damaged is the error about a file that cannot be read any further.
type Damaged struct{ err error }

func (d *Damaged) Error() string { return d.err.Error() }
func (d *Damaged) Unwrap() error { return d.err }

// At returns an error about the current row. The message must not quote a cell.
func (s *Sheet) At(message string) error {
	return &Error{File: s.d.name, Line: max(1, s.d.row.Line), Message: message}
}

// Has reports whether the file has a column, up to the current row.
func (s *Sheet) Has(column string) bool { _, ok := s.position[column]; return ok }

// Cell returns the text of the current row in a column, valid until the next call of Next, or nil
// if it is missing.
func (s *Sheet) Cell(column string) []byte {
	position, ok := s.position[column]
	if !ok || position >= len(s.d.row.Cells) {
		return nil
	}
	return s.form.value(s.d.row.Cells[position])
}

// Decimal is like Cell for a number, which has a point in the result.
func (s *Sheet) Decimal(column string) []byte { return s.form.number(s.Cell(column)) }

// Time returns the time of the current row in a column, in milliseconds since 1970. has is false if
// the cell is missing.
func (s *Sheet) Time(column string) (ms int64, has bool, err error) {
	cell := s.Decimal(column)
	if len(cell) == 0 {
		return 0, false, nil
	}
	t, ok := s.d.clock.parse(cell)
	if !ok || !t.dated {
		return 0, true, s.At(column + ": expected a date and a time such as 2026-03-14T15:04:05Z, or seconds, milliseconds, microseconds or nanoseconds since 1970")
	}
	return t.ms, true, nil
}

// Keep keeps the attributes of the current row, as the next row of Attributes.
func (s *Sheet) Keep() error {
	for i, a := range s.attributes {
		if message := a.add(s.d.row.Cells[a.position], s.d.row.IsList(a.position), s.rows, s.d.row.Line); message != "" {
			for _, before := range s.attributes[:i] {
				before.forget(s.rows, s.d.row.Line)
			}
			return s.At(fmt.Sprintf("column %q: the value is no %s, as those before it are: expected one type; dataset.columns can declare it", a.Name, a.Kind))
		}
	}
	s.rows++
	return nil
}

// Attributes returns the attributes of the kept rows, after the last one.
func (s *Sheet) Attributes() (columns []*datasets.Column) {
	for _, a := range s.attributes {
		a.finish(s.rows)
		columns = append(columns, a.Column)
	}
	return columns
}

// UsualName returns mmsim's name of a column of joins that has one of its usual names, or "".
func UsualName(column string) string { return usual[plainName(column)] }
