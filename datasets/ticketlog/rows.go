package ticketlog

import (
	"fmt"
	"math"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
	"mmsim/datasets/joinfile"
)

// rows has the places and attributes of the rows of all files of tickets, or of the file of players.
type rows struct {
	position    int      // see Options.Position
	places      []uint32 // by row: number of the place from 1, or 0
	known       datasets.Builder
	list        []datasets.Place
	measured    [][]datasets.Measured // by place
	columns     []*datasets.Column
	columnRows  int // rows of the files that were added to columns
	datacenters []string
	set         []datasets.Measured
}

func newRows(position int) *rows { return &rows{position: position} }

// count returns the number of rows that were kept.
func (r *rows) count() int { return len(r.places) }

// keep adds a row.
func (r *rows) keep(place uint32) { r.places = append(r.places, place) }

// place returns the number of the place of the current row, from 1, or 0 if it has none.
func (r *rows) place(s *joinfile.Sheet) (uint32, error) {
	p, has, err := readPlace(s)
	if err != nil {
		return 0, err
	}
	if err := r.readMeasured(s); err != nil || !has {
		return 0, err
	}
	p = rounded(p, r.position)
	number := r.known.Place(p, r.set)
	if int(number) == len(r.list) {
		r.list = append(r.list, p)
		r.measured = append(r.measured, slices.Clone(r.set))
	}
	return number + 1, nil
}

// readPlace returns the place of the current row. has is false if the row has no coordinates.
func readPlace(s *joinfile.Sheet) (p datasets.Place, has bool, err error) {
	if country := s.Cell(datasets.ColumnCountry); len(country) > 0 {
		var ok bool
		if p.Country, ok = datasets.ParseCountry(string(country)); !ok {
			return p, false, s.At("country: expected a code of ISO 3166 with two letters")
		}
	}
	if len(s.Cell(datasets.ColumnLatitude)) == 0 && len(s.Cell(datasets.ColumnLongitude)) == 0 {
		return p, false, nil
	}
	var ok bool
	if p.LatHundredths, ok = tables.FloorHundredths(s.Decimal(datasets.ColumnLatitude), 90); !ok {
		return p, false, s.At("latitude: " + tables.LatitudeExpected)
	}
	if p.LonHundredths, ok = tables.FloorHundredths(s.Decimal(datasets.ColumnLongitude), 180); !ok {
		return p, false, s.At("longitude: " + tables.LongitudeExpected)
	}
	return p, true, nil
}

// rounded returns a place whose position is rounded: to the nearest tenth of a degree, or to the
// middle of a cell of 1°.
func rounded(p datasets.Place, hundredths int) datasets.Place {
	one := func(v int16, limit int) int16 {
		n := int(v)
		switch hundredths {
		case 10:
			n = floorDiv(n+5, 10) * 10
		case 100:
			n = min(floorDiv(n, 100)*100, limit-100) + 50 // the last cell ends at the limit
		}
		return int16(n)
	}
	p.LatHundredths, p.LonHundredths = one(p.LatHundredths, 9000), one(p.LonHundredths, 18000)
	return p
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// readMeasured reads the measured RTTs of the current row.
func (r *rows) readMeasured(s *joinfile.Sheet) error {
	r.set = r.set[:0]
	for _, name := range s.Datacenters {
		cell := s.Decimal(datasets.ColumnMeasured + name)
		if len(cell) == 0 {
			continue
		}
		ms, ok := tables.ParseNumber(cell)
		if !ok || float32(ms) <= 0 || ms > datasets.MaxMeasuredMS {
			return s.At(fmt.Sprintf("%s%s: expected milliseconds above 0 and at most %d, or nothing", datasets.ColumnMeasured, name, datasets.MaxMeasuredMS))
		}
		i := slices.Index(r.datacenters, name)
		if i < 0 {
			if i = len(r.datacenters); i == datasets.MaxDatacenters {
				return s.At(fmt.Sprintf("more than %d datacenters in columns of measured RTTs (MaxDatacenters)", datasets.MaxDatacenters))
			}
			r.datacenters = append(r.datacenters, name)
		}
		r.set = append(r.set, datasets.Measured{Datacenter: int32(i), MS: float32(ms)})
	}
	slices.SortFunc(r.set, func(a, b datasets.Measured) int { return int(a.Datacenter - b.Datacenter) })
	return nil
}

// unwanted are columns that name people, or that mmsim would take for something else.
var unwanted = []string{datasets.ColumnIP, datasets.ColumnFriends, datasets.ColumnParty, datasets.ColumnPlayer, datasets.ColumnTime, datasets.ColumnContinent, datasets.ColumnSessionLength}

// add adds the attributes of a file, whose rows were kept.
func (r *rows) add(s *joinfile.Sheet) {
	before := r.columnRows
	r.columnRows = r.count()
	for _, c := range s.Attributes() {
		if slices.Contains(unwanted, joinfile.UsualName(c.Name)) {
			continue
		}
		i := slices.IndexFunc(r.columns, func(known *datasets.Column) bool { return known.Name == c.Name && known.Kind == c.Kind })
		if i < 0 {
			r.columns = append(r.columns, extended(&datasets.Column{Name: c.Name, Kind: c.Kind}, before))
			i = len(r.columns) - 1
		}
		join(r.columns[i], c)
	}
	for _, c := range r.columns {
		extended(c, r.columnRows)
	}
}

// extended adds missing values to a column until it has a number of rows.
func extended(c *datasets.Column, count int) *datasets.Column {
	if c.Kind == datasets.Number {
		for len(c.Numbers) < count {
			c.Numbers = append(c.Numbers, math.NaN())
		}
		return c
	}
	if c.Dictionary == nil {
		c.Dictionary, c.Lists = []string{""}, [][]string{nil}
	}
	for len(c.Texts) < count {
		c.Texts = append(c.Texts, 0)
	}
	return c
}

// join appends the values of a column of another file.
func join(to, c *datasets.Column) {
	if c.Kind == datasets.Number {
		to.Numbers = append(to.Numbers, c.Numbers...)
		return
	}
	known := make(map[string]uint32, len(to.Dictionary))
	for i, text := range to.Dictionary {
		known[text] = uint32(i)
	}
	number := make([]uint32, len(c.Dictionary))
	for i, text := range c.Dictionary {
		n, ok := known[text]
		if !ok {
			n = uint32(len(to.Dictionary))
			to.Dictionary = append(to.Dictionary, text)
			if c.Kind == datasets.List {
				to.Lists = append(to.Lists, c.Lists[i])
			}
		}
		number[i] = n
	}
	for _, text := range c.Texts {
		to.Texts = append(to.Texts, number[text])
	}
}
