package ticketlog

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
	"mmsim/datasets/joinfile"
)

// rows has the places and attributes of the rows of all files of tickets, or of the file of players.
type rows struct {
	position    int       // see Options.Position
	hasQueues   bool      // whether the day has the queues of the log in the column ColumnQueue
	places      []uint32  // by row: number of the place from 1, or 0; see also areas
	rtt         []float32 // by row: RTT in the match in ms, or 0; it may be shorter than places
	known       datasets.Builder
	list        []datasets.Place
	measured    [][]datasets.Measured // by place
	columns     []*datasets.Column
	columnRows  int      // rows of the files that were added to columns
	datacenters []string // Options.Datacenters
	unknown     []string // names of columns of measured RTTs that are not in datacenters
	set         []datasets.Measured
	dropped     []string // names of columns that are left out
	areas       []area   // of rows that name only a country; places has their index plus inArea
}

// area is what a row without a position tells.
type area struct {
	country  datasets.CountryCode
	measured []datasets.Measured
}

// inArea marks a row that names only a country. Log.walk gives it a position.
const inArea = 1 << 31

func newRows(o *Options) *rows {
	return &rows{position: o.Position, hasQueues: o.Queues != nil, datacenters: o.Datacenters}
}

// count returns the number of rows that were kept.
func (r *rows) count() int { return len(r.places) }

// keep adds a row. rtt is 0 if the row has none.
func (r *rows) keep(place uint32, rtt float32) {
	r.places = append(r.places, place)
	if rtt > 0 {
		r.rtt = append(append(r.rtt, make([]float32, len(r.places)-1-len(r.rtt))...), rtt)
	}
}

// place returns the number of the place of the current row, from 1, or 0 if it has none.
func (r *rows) place(s *joinfile.Sheet) (uint32, error) {
	p, has, err := readPlace(s)
	if err != nil {
		return 0, err
	}
	if err := r.readMeasured(s); err != nil {
		return 0, err
	}
	switch {
	case has:
		return r.number(p, r.set), nil
	case p.Country == 0:
		return 0, nil
	}
	i := slices.IndexFunc(r.areas, func(a area) bool { return a.country == p.Country && slices.Equal(a.measured, r.set) })
	if i < 0 {
		i = len(r.areas)
		r.areas = append(r.areas, area{p.Country, slices.Clone(r.set)})
	}
	return inArea | uint32(i), nil
}

// number returns the number of a place, from 1.
func (r *rows) number(p datasets.Place, measured []datasets.Measured) uint32 {
	p = rounded(p, r.position)
	number := r.known.Place(p, measured)
	if int(number) == len(r.list) {
		r.list = append(r.list, p)
		r.measured = append(r.measured, slices.Clone(measured))
	}
	return number + 1
}

// settle gives a row that names only a country a town of that country, as joins get one. The draw is
// keyed by the first search of the player, so that names and the order of lines do not matter.
func (r *rows) settle(row uint32, first int64) {
	place := r.places[row]
	if place&inArea == 0 {
		return
	}
	a := &r.areas[place&^inArea]
	towns := atlas.FindArea(a.country, "", "")
	key := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint64(nil, uint64(first)), uint16(a.country))
	town := towns.Draw(mixed(hash(key)))
	p := datasets.Place{LatHundredths: int16(math.Floor(town.Lat * 100)), LonHundredths: int16(math.Floor(town.Lon * 100)), Country: a.country}
	r.places[row] = r.number(p, a.measured)
}

// rttMS returns the RTT of the current row in its match, or 0 if it has none.
func rttMS(s *joinfile.Sheet) (float32, error) {
	cell := s.Decimal(columnRTT)
	if len(cell) == 0 {
		return 0, nil
	}
	ms, ok := tables.ParseNumber(cell)
	if !ok || float32(ms) <= 0 || ms > datasets.MaxMeasuredMS {
		return 0, s.At(fmt.Sprintf("rtt_ms: expected milliseconds above 0 and at most %d, or nothing", datasets.MaxMeasuredMS))
	}
	return float32(ms), nil
}

// readPlace returns the place of the current row. has is false if the row has no coordinates.
func readPlace(s *joinfile.Sheet) (p datasets.Place, has bool, err error) {
	if country := s.Cell(datasets.ColumnCountry); len(country) > 0 {
		var ok bool
		if p.Country, ok = atlas.FindCountry(string(country)); !ok {
			return p, false, s.At("country: expected an ISO 3166 code or the English name of a country")
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
			if !slices.Contains(r.unknown, name) {
				r.unknown = append(r.unknown, name)
			}
			continue
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
		if slices.Contains(unwanted, joinfile.UsualName(c.Name)) || r.hasQueues && c.Name == ColumnQueue {
			if !slices.Contains(r.dropped, c.Name) {
				r.dropped = append(r.dropped, c.Name)
			}
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
