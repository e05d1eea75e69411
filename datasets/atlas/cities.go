package atlas

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mmsim/datasets"
)

// City is a city with at least 100,000 people.
type City struct {
	Name       string
	Country    datasets.CountryCode
	Continent  datasets.Continent // continent of the country
	Lat, Lon   float64
	Population int
	Zone       string // name in the IANA time zone database
	Region     string // code of the state, province or other first-level region in GeoNames, or ""
}

// Country is a country with at least one City.
type Country struct {
	Code       datasets.CountryCode
	Continent  datasets.Continent
	Population int
	Online     float64 // share of people who use the internet; if unknown, the median of the continent
}

//go:embed data/cities.csv
var citiesCSV string

//go:embed data/countries.csv
var countriesCSV string

// Cities returns the embedded cities, largest first. The list is shared and must not be changed.
// The first call takes about 2 ms to parse it.
func Cities() []City { return builtinCities() }

// Countries returns the embedded countries, sorted by code. The list is shared and must not be
// changed.
func Countries() []Country { return builtinCountries() }

var builtinCountries = sync.OnceValue(func() []Country {
	rows := embedded(countriesCSV)
	countries := make([]Country, len(rows))
	for i, row := range rows {
		countries[i] = Country{
			Code:       mustCountry(row[0]),
			Continent:  mustContinent(row[2]),
			Population: int(mustNumber(row[3])),
			Online:     onlineUnknown,
		}
		if row[4] != "" {
			countries[i].Online = mustNumber(row[4]) / 100
		}
	}
	estimateOnline(countries)
	return countries
})

// onlineUnknown marks the few countries without data (Western Sahara, Réunion, Taiwan, Kosovo)
// until they get the median of their continent. A mean would be pulled down by a few poor
// countries.
const onlineUnknown = -1

func estimateOnline(countries []Country) {
	var known [datasets.SouthAmerica + 1][]float64
	for _, c := range countries {
		if c.Online != onlineUnknown {
			known[c.Continent] = append(known[c.Continent], c.Online)
		}
	}
	for i := range countries {
		if c := &countries[i]; c.Online == onlineUnknown {
			slices.Sort(known[c.Continent])
			c.Online = known[c.Continent][len(known[c.Continent])/2]
		}
	}
}

var builtinCities = sync.OnceValue(func() []City {
	continents := make(map[datasets.CountryCode]datasets.Continent)
	for _, c := range Countries() {
		continents[c.Code] = c.Continent
	}
	rows := embedded(citiesCSV)
	cities := make([]City, len(rows))
	for i, row := range rows {
		code := mustCountry(row[1])
		cities[i] = City{
			Name:       row[0],
			Country:    code,
			Continent:  continents[code],
			Lat:        mustNumber(row[2]),
			Lon:        mustNumber(row[3]),
			Population: int(mustNumber(row[4])),
			Zone:       row[5],
			Region:     row[6],
		}
	}
	return cities
})

// embedded returns the rows of an embedded file without its header. It panics on an error, which
// cannot happen because tests have checked the embedded data.
func embedded(content string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	if err != nil {
		panic(err)
	}
	return rows[1:]
}

func mustNumber(text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return value
}

func mustCountry(text string) datasets.CountryCode {
	code, ok := datasets.ParseCountry(text)
	if !ok {
		panic(fmt.Sprintf("datasets: country code %q in embedded data", text))
	}
	return code
}

func mustContinent(text string) datasets.Continent {
	continent, ok := datasets.ParseContinent(text)
	if !ok {
		panic(fmt.Sprintf("datasets: continent code %q in embedded data", text))
	}
	return continent
}
