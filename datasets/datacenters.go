package datasets

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// MaxDatacenters is the largest number of datacenters: sets of them are kept in
// the bits of one word.
const MaxDatacenters = 64

// MaxDatacenterID is the highest id that a datacenter may have.
const MaxDatacenterID = math.MaxInt32

// Datacenter is one hosting site.
type Datacenter struct {
	ID       int    // from 0
	Name     string // also names its latency map: latency_<name>.bin
	Lat, Lon float64
}

// ReadDatacenters reads a list of datacenters, CSV of id,name,latitude,longitude
// with or without a header that says so, blank lines allowed. It returns them by
// ascending id, so that comparing ids and comparing indices is the same. The
// file name is for messages only; what is wrong with the list is an *Error.
func ReadDatacenters(r io.Reader, name string) ([]Datacenter, error) {
	src, err := openSource(r, nil)
	if err != nil {
		return nil, placed(name, 1, err)
	}
	l := datacenterList{records: newRecordReader(src), lineOf: make(map[string]int)}
	for {
		ok, f := l.records.next()
		if !ok {
			break
		}
		if f == nil {
			f = l.add()
		}
		if f != nil {
			return nil, &Error{name, l.records.line, f.column, f.message}
		}
	}
	if l.records.err != io.EOF {
		return nil, placed(name, l.records.nextLine+1, l.records.err)
	}
	if _, err := src.close(); err != nil {
		return nil, placed(name, l.records.nextLine, err)
	}
	if len(l.list) == 0 {
		return nil, &Error{name, max(1, l.records.nextLine), 1, "no datacenters: expected rows of id,name,latitude,longitude"}
	}
	slices.SortFunc(l.list, func(a, b Datacenter) int { return cmp.Compare(a.ID, b.ID) })
	return l.list, nil
}

// datacenterColumns is the order of the columns where no header says otherwise.
var datacenterColumns = [...]string{"id", "name", ColumnLatitude, ColumnLongitude}

// datacenterList is what ReadDatacenters has read so far.
type datacenterList struct {
	records  *recordReader
	list     []Datacenter
	lineOf   map[string]int // where every id and name was first seen
	position [4]int         // of the columns
	begun    bool           // position is settled
}

// add adds the record just read, or takes it as the header.
func (l *datacenterList) add() *fault {
	cells, columns := l.records.cells, l.records.columns
	if len(cells) == 1 && len(trim(cells[0])) == 0 {
		return nil // a blank line that is not empty
	}
	if message := unreadable(l.records.text); message != "" {
		return &fault{1, message}
	}
	if len(cells) != len(datacenterColumns) {
		if message := wrongSeparator(l.records.text); message != "" {
			return &fault{1, message}
		}
		message := fmt.Sprintf("%d columns in %s: expected 4 (id,name,latitude,longitude)", len(cells), quoted(l.records.text))
		return &fault{columns[min(len(cells)-1, 4)], message}
	}
	if !l.begun {
		l.begun = true
		l.position = [4]int{0, 1, 2, 3}
		if isHeader, f := l.header(); isHeader || f != nil {
			return f
		}
	}
	if len(l.list) == MaxDatacenters {
		return &fault{1, fmt.Sprintf("more than %d datacenters (MaxDatacenters)", MaxDatacenters)}
	}
	dc, f := l.parse()
	if f != nil {
		return f
	}
	if f := l.once(fmt.Sprintf("id %d", dc.ID), 0); f != nil {
		return f
	}
	if f := l.once("name "+quoted(dc.Name), 1); f != nil {
		return f
	}
	l.list = append(l.list, dc)
	return nil
}

// header takes the first row as the header if it holds a column name.
func (l *datacenterList) header() (isHeader bool, f *fault) {
	var names [4]string
	for i, cell := range l.records.cells {
		names[i] = string(trim(cell))
	}
	// A datacenter may well be called "name": only the others tell.
	if !slices.Contains(names[:], "id") && !slices.Contains(names[:], ColumnLatitude) && !slices.Contains(names[:], ColumnLongitude) {
		return false, nil
	}
	for i, name := range datacenterColumns {
		if l.position[i] = slices.Index(names[:], name); l.position[i] < 0 {
			return true, &fault{1, fmt.Sprintf("column %q is missing: expected a header of id, name, latitude and longitude", name)}
		}
	}
	return true, nil
}

// parse reads one row.
func (l *datacenterList) parse() (dc Datacenter, f *fault) {
	id, ok := parseNumber(trim(l.records.cells[l.position[0]]))
	if !ok || id != math.Trunc(id) || id < 0 || id > MaxDatacenterID {
		return dc, l.bad(0, "expected a whole number from 0")
	}
	dc.ID = int(id)
	dc.Name = string(trim(l.records.cells[l.position[1]]))
	if dc.Name == "" || strings.ContainsAny(dc.Name, "/\\:\n") {
		return dc, l.bad(1, "expected a name that can be part of a file name")
	}
	if dc.Lat, ok = l.degrees(2, 90); !ok {
		return dc, l.bad(2, "expected degrees from -90 to 90")
	}
	if dc.Lon, ok = l.degrees(3, 180); !ok {
		return dc, l.bad(3, "expected degrees from -180 to 180")
	}
	return dc, nil
}

func (l *datacenterList) degrees(column int, limit float64) (float64, bool) {
	degrees, ok := parseNumber(trim(l.records.cells[l.position[column]]))
	return degrees, ok && math.Abs(degrees) <= limit
}

func (l *datacenterList) bad(column int, expected string) *fault {
	position := l.position[column]
	return &fault{l.records.columns[position], fmt.Sprintf("%s %s: %s", datacenterColumns[column], quoted(l.records.cells[position]), expected)}
}

// once makes sure that an id or a name is used only once.
func (l *datacenterList) once(key string, column int) *fault {
	if line, ok := l.lineOf[key]; ok {
		return &fault{l.records.columns[l.position[column]], fmt.Sprintf("%s is used in line %d already, and again in line %d: expected it once", key, line, l.records.line)}
	}
	l.lineOf[key] = l.records.line
	return nil
}
