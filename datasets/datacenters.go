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

	"mmsim/datasets/internal/csvfile"
	"mmsim/datasets/internal/wording"
)

// MaxDatacenters is the largest number of datacenters, because a set of datacenters is a
// 64-bit mask.
const MaxDatacenters = 64

// MaxDatacenterID is the highest id that a datacenter may have.
const MaxDatacenterID = math.MaxInt32

// Datacenter is one hosting location.
type Datacenter struct {
	ID       int    // from 0 to MaxDatacenterID
	Name     string // also names its latency map: latency_<name>.bin
	Lat, Lon float64
}

//go:embed data/datacenters.csv
var datacentersCSV []byte

// BuiltinDatacenters returns 30 metropolitan areas on all inhabited continents in which
// large cloud providers have a region, by ascending ID.
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

// ReadDatacenters reads a list of datacenters: CSV of id,name,latitude,longitude with an
// optional header; blank lines are allowed. It returns them by ascending ID, so that the
// order of indices is the order of IDs. The file name is for messages only; a fault of the
// list is an *Error.
func ReadDatacenters(r io.Reader, name string) ([]Datacenter, error) {
	var datacenters []Datacenter
	err := csvfile.ReadList(r, name, "datacenters", datacenterColumns, func(l *csvfile.List) *csvfile.Fault {
		if len(datacenters) == MaxDatacenters {
			return &csvfile.Fault{Column: 1, Message: fmt.Sprintf("more than %d datacenters (MaxDatacenters)", MaxDatacenters)}
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

// LooksLikeDatacenters distinguishes a list of datacenters from a day of joins by its first
// line. The first line of a list is a header with a cell "id", or with a cell "name" and no
// time; or it is a row with an ID before three cells or a name before two.
func LooksLikeDatacenters(r io.Reader) bool {
	head := make([]byte, 4096)
	n, _ := io.ReadFull(r, head) // reading the whole file later reports the error
	line, _, _ := strings.Cut(strings.TrimLeft(string(head[:n]), "\r\n\ufeff "), "\n")
	cells := strings.Split(strings.ToLower(line), ",")
	for i, cell := range cells {
		cells[i] = strings.TrimSpace(cell)
	}
	first, digits := cells[0], "0123456789"
	switch {
	case first == "id":
		return true
	case slices.Contains(cells, "id"), len(cells) <= len(datacenterColumns) && slices.Contains(cells, "name"):
		return !slices.ContainsFunc(cells, isTimeName)
	case len(cells) == 4:
		return first != "" && strings.Trim(first, digits) == ""
	case len(cells) == 3:
		return first != "" && !strings.ContainsAny(first[:1], digits) && isNumber(cells[1]) && isNumber(cells[2])
	}
	return false
}

// isTimeName reports whether a column of that name holds times.
func isTimeName(name string) bool {
	return slices.ContainsFunc([]string{"time", "date", "_at", "ts"}, func(part string) bool { return strings.Contains(name, part) })
}

func isNumber(cell string) bool {
	_, ok := csvfile.ParseNumber([]byte(cell))
	return ok
}

// WriteDatacenters writes a list that ReadDatacenters reads, with a header.
func WriteDatacenters(w io.Writer, list []Datacenter) error {
	text := append([]byte(strings.Join(datacenterColumns, ",")), '\n')
	for _, d := range list {
		text = append(strconv.AppendInt(text, int64(d.ID), 10), ',')
		text = append(csvfile.AppendCell(text, d.Name), ',')
		text = append(strconv.AppendFloat(text, d.Lat, 'f', -1, 64), ',')
		text = append(strconv.AppendFloat(text, d.Lon, 'f', -1, 64), '\n')
	}
	_, err := w.Write(text)
	return err
}

// readDatacenter reads one row.
func readDatacenter(l *csvfile.List) (d Datacenter, f *csvfile.Fault) {
	id, ok := csvfile.ParseNumber(l.Cell(datacenterID))
	if !ok || id != math.Trunc(id) || id < 0 || id > MaxDatacenterID {
		return d, l.Bad(datacenterID, fmt.Sprintf("expected a whole number from 0 to %d", MaxDatacenterID))
	}
	d.ID = int(id)
	d.Name = string(l.Cell(datacenterName))
	if d.Name == "" || strings.ContainsAny(d.Name, "/\\:\n") {
		return d, l.Bad(datacenterName, "expected a name that can be part of a file name")
	}
	if d.Lat, ok = degrees(l.Cell(datacenterLatitude), 90); !ok {
		return d, l.Bad(datacenterLatitude, wording.LatitudeExpected)
	}
	if d.Lon, ok = degrees(l.Cell(datacenterLongitude), 180); !ok {
		return d, l.Bad(datacenterLongitude, wording.LongitudeExpected)
	}
	if f := l.Once(datacenterID, strconv.Itoa(d.ID)); f != nil {
		return d, f
	}
	return d, l.Once(datacenterName, d.Name)
}

// degrees reads an angle from -limit to +limit.
func degrees(cell []byte, limit float64) (float64, bool) {
	value, ok := csvfile.ParseNumber(cell)
	return value, ok && math.Abs(value) <= limit
}
