package builtin

import (
	"fmt"
	"io"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// ReadCountryWeights reads a factor for the number of players in each country. The format is CSV
// with the columns country,weight and an optional header. A weight of 0 excludes a country, and a
// weight of 2 doubles its players. Countries that are not listed have weight 1. The parameter name
// is used only in messages. If the file is invalid, the error is a *joinfile.Error.
func ReadCountryWeights(r io.Reader, name string) (map[datasets.CountryCode]float64, error) {
	const countryColumn, weightColumn = 0, 1
	weights := make(map[datasets.CountryCode]float64)
	err := tables.ReadList(r, name, "countries", []string{"country", "weight"}, func(l *tables.List) *tables.Fault {
		code, ok := datasets.ParseCountry(string(l.Cell(countryColumn)))
		if !ok || !slices.ContainsFunc(atlas.Countries(), func(c atlas.Country) bool { return c.Code == code }) {
			return l.Bad(countryColumn, "expected the two letters of a country with a city of 100,000")
		}
		factor, ok := tables.ParseNumber(l.Cell(weightColumn))
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
