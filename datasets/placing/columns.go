package placing

import (
	"slices"
	"strings"

	"mmsim/datasets"
)

// Parts of the name of an area.
const (
	partCountry = iota
	partRegion
	partCity
)

// partNames are the usual names of the columns with a part, in lower case and without separators. An
// earlier name takes precedence over a later one.
var partNames = [...][]string{
	partCountry: {datasets.ColumnCountry, "countrycode", "isocountry", "countryiso", "isocountrycode", "countryiso2", "countrycode2",
		"countryiso3", "countrycode3", "geocountry", "geoipcountry", "countryname"},
	partRegion: {"region", "state", "province", "regionname", "statename", "subdivision", "admin1", "georegion", "regioncode", "statecode"},
	partCity:   {"city", "cityname", "town", "geocity"},
}

// Columns are the positions of the columns that place a row without coordinates, or -1.
type Columns struct {
	Country, Region, City int
	Address               int

	ranks [len(partNames)]int // of the names of the columns that were found
}

// NoColumns returns Columns before the first call of Consider.
func NoColumns() Columns { return Columns{Country: -1, Region: -1, City: -1, Address: -1} }

// nestedRank is added to the rank of a member of an object, such as geo.country.
const nestedRank = 100

// Consider takes a column as a part of the area if its name is usual for it. plain must return a
// name in lower case and without separators.
func (c *Columns) Consider(position int, name string, plain func(string) string) {
	_, last, isNested := strings.Cut(name, ".")
	if !isNested {
		last = name
	}
	for part, at := range []*int{partCountry: &c.Country, partRegion: &c.Region, partCity: &c.City} {
		rank := slices.Index(partNames[part], plain(last))
		if rank < 0 {
			continue
		}
		if isNested {
			rank += nestedRank
		}
		if *at < 0 || rank < c.ranks[part] {
			*at, c.ranks[part] = position, rank
		}
	}
}
