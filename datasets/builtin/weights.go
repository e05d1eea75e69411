package builtin

import (
	"fmt"
	"io"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/csvfile"
)

// ReadCountryWeights reads factors on the number of players per country, from CSV of
// country,weight with an optional header. 0 excludes a country, 2 doubles it, and countries
// not listed keep 1. The name is for messages only; a fault of the file is an *Error.
func ReadCountryWeights(r io.Reader, name string) (map[datasets.CountryCode]float64, error) {
	const countryColumn, weightColumn = 0, 1
	weights := make(map[datasets.CountryCode]float64)
	err := csvfile.ReadList(r, name, "countries", []string{"country", "weight"}, func(l *csvfile.List) *csvfile.Fault {
		code, ok := datasets.ParseCountry(string(l.Cell(countryColumn)))
		if !ok || !slices.ContainsFunc(atlas.Countries(), func(c atlas.Country) bool { return c.Code == code }) {
			return l.Bad(countryColumn, "expected the two letters of a country with a city of 100,000")
		}
		factor, ok := csvfile.ParseNumber(l.Cell(weightColumn))
		if !ok || !atlas.ValidWeight(factor) {
			return l.Bad(weightColumn, fmt.Sprintf("expected a number from 0 to %d (MaxWeight)", atlas.MaxWeight))
		}
		weights[code] = factor
		return l.Once(countryColumn, code.String())
	})
	if err != nil {
		return nil, err
	}
	return weights, nil
}
