package datasets

import (
	"cmp"
	"math"
	"slices"
)

// Description summarises a day on one page.
type Description struct {
	Rows, BadRows int
	Places        int
	Times         string // see Day.Times
	Parties       int    // parties with at least two players in the data
	First, Last   uint32 // first and last join, in ms since midnight UTC of their day
	WholeSeconds  int    // joins without a fraction of a second
	Measured      int    // joins with a measured RTT
	Hours         [24]int
	Continents    []Count
	Countries     []Count
	Columns       []ColumnDescription
	Warnings      []string
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
	return s
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
