package datasets

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mmsim/datasets/internal/tables"
)

// MaxDatacenters is the maximum number of datacenters. It is 64 because a set of datacenters is a
// 64-bit mask.
const MaxDatacenters = 64

// MaxListed is the maximum number of datacenters in a list, of which a run may use a part.
const MaxListed = 1000

// MaxDatacenterID is the maximum ID of a datacenter.
const MaxDatacenterID = math.MaxInt32

// Datacenter is a hosting location.
type Datacenter struct {
	ID       int    // 0 to MaxDatacenterID; gives the order of a list
	Name     string // also used in the file name of its latency map, see latencymap.MapName
	Lat, Lon float64
}

//go:embed data/datacenters.csv
var datacentersCSV []byte

// BuiltinDatacenters returns 30 datacenters, sorted by ID. Each is a metropolitan area in which
// large cloud providers have a region. They are on all inhabited continents.
func BuiltinDatacenters() []Datacenter { return slices.Clone(builtinDatacenters()) }

// builtinDatacenters reads the list once: each configuration of a sweep asks for it.
var builtinDatacenters = sync.OnceValue(func() []Datacenter {
	list, err := ReadDatacenters(bytes.NewReader(datacentersCSV), "data/datacenters.csv")
	if err != nil {
		panic(err) // cannot happen: tests have checked the embedded data
	}
	return list
})

// Columns of a datacenter list, in the order that applies without a header.
const (
	datacenterID = iota
	datacenterName
	datacenterLatitude
	datacenterLongitude
)

var datacenterColumns = []string{"id", "name", ColumnLatitude, ColumnLongitude}

// ReadDatacenters reads a list of datacenters, which is CSV with the columns
// id,name,latitude,longitude. A header is optional, and blank lines are allowed. The column id may
// be missing: the IDs are then 1, 2, 3 and so on. It returns the datacenters sorted by ID. The list
// may have more of them than one run can use, but at most MaxListed. name is used only in messages.
// If the list is invalid, the error is a *joinfile.Error.
func ReadDatacenters(r io.Reader, name string) ([]Datacenter, error) {
	var datacenters []Datacenter
	list := tables.List{FirstOptional: true}
	err := list.Read(r, name, "datacenters", datacenterColumns, func(l *tables.List) *tables.Fault {
		if len(datacenters) == MaxListed {
			return &tables.Fault{Column: 1, Message: fmt.Sprintf("more than %d datacenters (MaxListed)", MaxListed)}
		}
		d, f := readDatacenter(l, len(datacenters)+1)
		datacenters = append(datacenters, d)
		return f
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(datacenters, func(a, b Datacenter) int { return cmp.Compare(a.ID, b.ID) })
	return datacenters, nil
}

// LooksLikeDatacenters reports whether a file is a list of datacenters rather than a day of joins.
// It looks only at the first line, which in a list is either a header or a datacenter. A header
// begins with "id", or it has a column "id" or "name" but no time column. If it has no column "id",
// it has at most four columns. A datacenter is an ID followed by three cells, or a name followed by
// two numbers.
func LooksLikeDatacenters(r io.Reader) bool {
	head := make([]byte, 4096)
	n, _ := io.ReadFull(r, head) // if reading fails, reading the whole file later reports the error
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

// isTimeName reports whether a column with this name contains times.
func isTimeName(name string) bool {
	return slices.ContainsFunc([]string{"time", "date", "_at", "ts"}, func(part string) bool { return strings.Contains(name, part) })
}

func isNumber(cell string) bool {
	_, ok := tables.ParseNumber([]byte(cell))
	return ok
}

// DatacenterNames returns the names of datacenters, and nil for none.
func DatacenterNames(list []Datacenter) (names []string) {
	for _, dc := range list {
		names = append(names, dc.Name)
	}
	return names
}

// WriteDatacenters writes a list with a header in the format of ReadDatacenters.
func WriteDatacenters(w io.Writer, list []Datacenter) error {
	text := append([]byte(strings.Join(datacenterColumns, ",")), '\n')
	for _, d := range list {
		text = append(strconv.AppendInt(text, int64(d.ID), 10), ',')
		text = append(tables.AppendCell(text, d.Name), ',')
		text = append(strconv.AppendFloat(text, d.Lat, 'f', -1, 64), ',')
		text = append(strconv.AppendFloat(text, d.Lon, 'f', -1, 64), '\n')
	}
	_, err := w.Write(text)
	return err
}

// readDatacenter reads a row. next is the ID of a row without one.
func readDatacenter(l *tables.List, next int) (d Datacenter, f *tables.Fault) {
	d.ID = next
	if l.HasFirst() {
		id, ok := tables.ParseNumber(l.Cell(datacenterID))
		if !ok || id != math.Trunc(id) || id < 0 || id > MaxDatacenterID {
			return d, l.Bad(datacenterID, fmt.Sprintf("expected a whole number from 0 to %d", MaxDatacenterID))
		}
		d.ID = int(id)
		if f := l.Once(datacenterID, strconv.Itoa(d.ID)); f != nil {
			return d, f
		}
	}
	d.Name = string(l.Cell(datacenterName))
	if !isName(d.Name) {
		return d, l.Bad(datacenterName, "expected a name that can be part of a file name, or PROVIDER/NAME")
	}
	var ok bool
	if d.Lat, ok = degrees(l.Cell(datacenterLatitude), 90); !ok {
		expected := tables.LatitudeExpected
		_, isLongitude := degrees(l.Cell(datacenterLatitude), 180)
		if _, isLatitude := degrees(l.Cell(datacenterLongitude), 90); isLongitude && isLatitude {
			expected += tables.Swapped
		}
		return d, l.Bad(datacenterLatitude, expected)
	}
	if d.Lon, ok = degrees(l.Cell(datacenterLongitude), 180); !ok {
		return d, l.Bad(datacenterLongitude, tables.LongitudeExpected)
	}
	return d, l.Once(datacenterName, d.Name)
}

// isName reports whether a datacenter may have this name. It may contain one slash, as in
// aws/us-east-1.
func isName(name string) bool {
	before, after, hasSlash := strings.Cut(name, "/")
	return before != "" && before != ".." && before != "." && !strings.ContainsAny(name, "\\:\n") &&
		(!hasSlash || after != "" && !strings.Contains(after, "/"))
}

// degrees reads an angle between -limit and +limit.
func degrees(cell []byte, limit float64) (float64, bool) {
	value, ok := tables.ParseNumber(cell)
	return value, ok && math.Abs(value) <= limit
}
