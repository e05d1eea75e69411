package datasets

import (
	"bytes"
	"cmp"
	_ "embed" // of the data
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// MaxDatacenters is the largest number of datacenters: sets of them are kept in
// the bits of one word.
const MaxDatacenters = 64

// MaxDatacenterID is the highest id that a datacenter may have.
const MaxDatacenterID = math.MaxInt32

// Datacenter is one hosting site.
type Datacenter struct {
	ID       int    // from 0 to MaxDatacenterID
	Name     string // also names its latency map: latency_<name>.bin
	Lat, Lon float64
}

//go:embed data/datacenters.csv
var datacentersCSV []byte

// BuiltinDatacenters returns 30 metros on every inhabited continent in which
// large clouds have a region, by ascending id.
func BuiltinDatacenters() []Datacenter {
	list, err := ReadDatacenters(bytes.NewReader(datacentersCSV), "data/datacenters.csv")
	if err != nil {
		panic(err) // embedded and tested
	}
	return list
}

// The columns of a list of datacenters, in the order they have without a header.
const (
	datacenterID = iota
	datacenterName
	datacenterLatitude
	datacenterLongitude
)

var datacenterColumns = []string{"id", "name", ColumnLatitude, ColumnLongitude}

// ReadDatacenters reads a list of datacenters, CSV of id,name,latitude,longitude
// with or without a header that says so, blank lines allowed. It returns them by
// ascending id, so that comparing ids and comparing indices is the same. The
// file name is for messages only; what is wrong with the list is an *Error.
func ReadDatacenters(r io.Reader, name string) ([]Datacenter, error) {
	var datacenters []Datacenter
	err := readList(r, name, "datacenters", datacenterColumns, func(l *list) *fault {
		if len(datacenters) == MaxDatacenters {
			return &fault{1, fmt.Sprintf("more than %d datacenters (MaxDatacenters)", MaxDatacenters)}
		}
		d, f := readDatacenter(l)
		datacenters = append(datacenters, d)
		return f
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(datacenters, func(a, b Datacenter) int { return cmp.Compare(a.ID, b.ID) })
	return datacenters, nil
}

// WriteDatacenters writes a list that ReadDatacenters reads, with a header.
func WriteDatacenters(w io.Writer, list []Datacenter) error {
	text := append([]byte(strings.Join(datacenterColumns, ",")), '\n')
	for _, d := range list {
		text = append(strconv.AppendInt(text, int64(d.ID), 10), ',')
		text = append(appendCell(text, d.Name), ',')
		text = append(strconv.AppendFloat(text, d.Lat, 'f', -1, 64), ',')
		text = append(strconv.AppendFloat(text, d.Lon, 'f', -1, 64), '\n')
	}
	_, err := w.Write(text)
	return err
}

// readDatacenter reads one row.
func readDatacenter(l *list) (d Datacenter, f *fault) {
	id, ok := parseNumber(l.cell(datacenterID))
	if !ok || id != math.Trunc(id) || id < 0 || id > MaxDatacenterID {
		return d, l.bad(datacenterID, fmt.Sprintf("expected a whole number from 0 to %d", MaxDatacenterID))
	}
	d.ID = int(id)
	d.Name = string(l.cell(datacenterName))
	if d.Name == "" || strings.ContainsAny(d.Name, "/\\:\n") {
		return d, l.bad(datacenterName, "expected a name that can be part of a file name")
	}
	if d.Lat, ok = degrees(l.cell(datacenterLatitude), 90); !ok {
		return d, l.bad(datacenterLatitude, latitudeExpected)
	}
	if d.Lon, ok = degrees(l.cell(datacenterLongitude), 180); !ok {
		return d, l.bad(datacenterLongitude, longitudeExpected)
	}
	if f := l.once(datacenterID, strconv.Itoa(d.ID)); f != nil {
		return d, f
	}
	return d, l.once(datacenterName, d.Name)
}

// degrees reads an angle from -limit to +limit.
func degrees(cell []byte, limit float64) (float64, bool) {
	value, ok := parseNumber(cell)
	return value, ok && math.Abs(value) <= limit
}
