package datasets

import (
	"fmt"
	"io"
	"slices"
)

// MaxWeight is the largest weight of a country, and the largest factor of a
// weekend or a launch spike.
const MaxWeight = 1000

// validWeight reports whether a weight is from 0 to MaxWeight; NaN is not.
func validWeight(w float64) bool { return w >= 0 && w <= MaxWeight }

// ReadCountryWeights reads factors on the players of countries, CSV of
// country,weight with or without a header that says so: 0 leaves a country out,
// 2 doubles it, countries not listed keep 1. The name is for messages only; what
// is wrong with the file is an *Error.
func ReadCountryWeights(r io.Reader, name string) (map[CountryCode]float64, error) {
	const countryColumn, weightColumn = 0, 1
	weights := make(map[CountryCode]float64)
	err := readList(r, name, "countries", []string{"country", "weight"}, func(l *list) *fault {
		code, ok := ParseCountry(string(l.cell(countryColumn)))
		if !ok || !slices.ContainsFunc(builtinCountries(), func(c country) bool { return c.code == code }) {
			return l.bad(countryColumn, "expected the two letters of a country with a city of 100,000")
		}
		factor, ok := parseNumber(l.cell(weightColumn))
		if !ok || !validWeight(factor) {
			return l.bad(weightColumn, fmt.Sprintf("expected a number from 0 to %d (MaxWeight)", MaxWeight))
		}
		weights[code] = factor
		return l.once(countryColumn, code.String())
	})
	if err != nil {
		return nil, err
	}
	return weights, nil
}
