package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Description summarises a day on one page.
type Description struct {
	Rows, BadRows int
	Places        int
	Times         string // see Day.Times
	Parties       int    // parties with at least two players in the data
	First, Last   uint32 // first and last join, in ms since midnight of their day
	WholeSeconds  int    // joins without a fraction of a second
	Measured      int    // joins with a measured RTT
	Hours         [24]int
	Continents    []Count
	Countries     []Count
	Columns       []ColumnDescription
	Warnings      []string

	Form     Form
	Placed   Placed
	Players  PlayerRows
	Empty    []HourSpan // hours without joins
	FirstRow []Value    // the first row of the file as it was understood
	RowsAre  string     // set by the caller: what the rows were taken as, and why
	Searches bool       // set by the caller: whether each row is a search
	Zone     string     // set by the caller: the name of the time zone of the days
	Matches  *MatchLife // set by the caller; nil if the file does not tell
}

// Count is the number of joins from a country or continent.
type Count struct {
	Code  string // "" if unknown
	Joins int
}

// ColumnDescription summarises a column.
type ColumnDescription struct {
	Name           string
	Kind           Kind
	Missing        int     // number of rows without a value
	Distinct       int     // number of distinct values, for Text and List
	Min, Mean, Max float64 // for Number; NaN if all values are missing
}

// HourSpan is a span of whole hours, counted from the first midnight. To is not part of it.
type HourSpan struct{ From, To int }

// Value is the value of a column.
type Value struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// Describe summarises a day. locate returns the continent and country of a place for which the file
// has none. If locate is nil, they remain unknown. The continents and countries are sorted by
// descending number of joins and then by code.
func Describe(d *Day, locate func(place uint32) (Continent, CountryCode)) Description {
	s := Description{
		Rows: d.Rows(), BadRows: d.BadRows, Places: len(d.Places), Times: d.Times, Parties: len(d.parties),
		First: d.joins[0].MS(), Last: d.joins[len(d.joins)-1].MS(),
	}
	for _, w := range d.Warnings {
		s.Warnings = append(s.Warnings, w.String())
	}
	byPlace := make([]int, len(d.Places))
	for _, j := range d.joins {
		s.Hours[j.MS()/(MillisPerDay/24)]++
		byPlace[j.Place]++
		if j.WholeSecond() {
			s.WholeSeconds++
		}
	}
	continents, countries := make(map[string]int), make(map[string]int)
	for i, joins := range byPlace {
		continent, country := d.Places[i].Continent, d.Places[i].Country
		if locate != nil && (continent == 0 || country == 0) {
			nearContinent, nearCountry := locate(uint32(i))
			continent, country = cmp.Or(continent, nearContinent), cmp.Or(country, nearCountry)
		}
		continents[continent.String()] += joins
		countries[country.String()] += joins
		if d.Places[i].measured != 0 {
			s.Measured += joins
		}
	}
	s.Continents, s.Countries = descending(continents), descending(countries)
	for _, c := range d.Columns {
		s.Columns = append(s.Columns, c.describe(d.Rows()))
	}
	s.Form, s.Placed, s.Players = d.Form, d.Placed, d.PlayerRows(1)
	s.Empty, s.FirstRow = d.emptyHours(), d.firstRow()
	return s
}

// emptyHours returns the spans of hours without joins.
func (d *Day) emptyHours() (spans []HourSpan) {
	joins := make([]int, 24*d.Days())
	for _, j := range d.joins {
		joins[j.stamp.ms()/(MillisPerDay/24)]++
	}
	for hour, n := range joins {
		switch {
		case n > 0:
		case len(spans) > 0 && spans[len(spans)-1].To == hour:
			spans[len(spans)-1].To++
		default:
			spans = append(spans, HourSpan{hour, hour + 1})
		}
	}
	return spans
}

// firstRow returns the values of the first row of the file.
func (d *Day) firstRow() []Value {
	j := d.joins[slices.IndexFunc(d.joins, func(j Join) bool { return j.Row == 0 })]
	ms := j.MS()
	clock := fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if !j.WholeSecond() {
		clock += fmt.Sprintf(".%03d", ms%1000)
	}
	if !d.Midnight.IsZero() {
		form := "2006-01-02 15:04:05.000 MST"
		if j.WholeSecond() {
			form = "2006-01-02 15:04:05 MST"
		}
		clock = d.Midnight.Add(time.Duration(j.stamp.ms()) * time.Millisecond).Format(form)
	}
	p := d.Places[j.Place]
	row := []Value{
		{ColumnTime, clock},
		{ColumnLatitude, strconv.FormatFloat(p.Lat(), 'f', 2, 64)}, {ColumnLongitude, strconv.FormatFloat(p.Lon(), 'f', 2, 64)},
	}
	if p.Country != 0 {
		row = append(row, Value{ColumnCountry, p.Country.String()})
	}
	if p.Continent != 0 {
		row = append(row, Value{ColumnContinent, p.Continent.String()})
	}
	for _, m := range d.Measured(j.Place) {
		row = append(row, Value{ColumnMeasured + d.Datacenters[m.Datacenter], strconv.FormatFloat(float64(m.MS), 'f', -1, 32) + " ms"})
	}
	for _, c := range d.Columns {
		switch {
		case c.Missing(j.Row):
		case c.Kind == Number:
			row = append(row, Value{c.Name, strconv.FormatFloat(c.Numbers[j.Row], 'g', -1, 64)})
		default:
			row = append(row, Value{c.Name, c.Text(j.Row)})
		}
	}
	return row
}

// descending returns the counts in descending order. Equal counts are sorted by code, so that map
// order does not matter.
func descending(counts map[string]int) []Count {
	list := make([]Count, 0, len(counts))
	for code, joins := range counts {
		list = append(list, Count{code, joins})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Joins, a.Joins), cmp.Compare(a.Code, b.Code))
	})
	return list
}

func (c *Column) describe(rows int) ColumnDescription {
	s := ColumnDescription{Name: c.Name, Kind: c.Kind, Min: math.NaN(), Mean: math.NaN(), Max: math.NaN()}
	if c.Kind != Number {
		rowsOf := make([]int, len(c.Dictionary)) // a malformed row may have left an unused entry
		for _, entry := range c.Texts {
			rowsOf[entry]++
		}
		s.Missing = rowsOf[0]
		for _, n := range rowsOf[1:] {
			s.Distinct += min(n, 1)
		}
		return s
	}
	sum := 0.0
	for _, value := range c.Numbers {
		if math.IsNaN(value) {
			s.Missing++
			continue
		}
		if math.IsNaN(s.Min) {
			s.Min, s.Max = value, value
		}
		s.Min, s.Max = min(s.Min, value), max(s.Max, value)
		sum += value
	}
	if s.Missing < rows {
		s.Mean = sum / float64(rows-s.Missing)
	}
	return s
}
