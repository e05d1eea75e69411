package datasets

import (
	"bytes"
	_ "embed" // of the data
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// City is a city of at least 100,000 people.
type City struct {
	Name       string
	Country    CountryCode
	Continent  Continent // of the country
	Lat, Lon   float64
	Population int
	Zone       string // of the IANA time zone database
}

// country is a country that has such a city.
type country struct {
	code       CountryCode
	continent  Continent
	population int
	online     float64 // share of people who use the internet; the continent's median where unknown
}

//go:embed data/cities.csv
var citiesCSV []byte

//go:embed data/countries.csv
var countriesCSV []byte

// BuiltinCities returns the embedded cities, the largest first. The list is
// shared: do not change it. Parsed on first use, in about 2 ms.
func BuiltinCities() []City { return builtinCities() }

// builtinCountries returns the embedded countries by ascending code.
var builtinCountries = sync.OnceValue(func() []country {
	rows := embedded(countriesCSV)
	countries := make([]country, len(rows))
	for i, row := range rows {
		countries[i] = country{
			code:       mustCountry(row[0]),
			continent:  mustContinent(row[2]),
			population: int(mustNumber(row[3])),
			online:     onlineUnknown,
		}
		if row[4] != "" {
			countries[i].online = mustNumber(row[4]) / 100
		}
	}
	estimateOnline(countries)
	return countries
})

// onlineUnknown marks the few countries (Western Sahara, Réunion, Taiwan,
// Kosovo) without a figure until they get the median of their continent: closer
// to the truth than a mean, which a few poor countries pull down.
const onlineUnknown = -1

func estimateOnline(countries []country) {
	var known [SouthAmerica + 1][]float64
	for _, c := range countries {
		if c.online != onlineUnknown {
			known[c.continent] = append(known[c.continent], c.online)
		}
	}
	for i := range countries {
		if c := &countries[i]; c.online == onlineUnknown {
			slices.Sort(known[c.continent])
			c.online = known[c.continent][len(known[c.continent])/2]
		}
	}
}

var builtinCities = sync.OnceValue(func() []City {
	continents := make(map[CountryCode]Continent)
	for _, c := range builtinCountries() {
		continents[c.code] = c.continent
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
		}
	}
	return cities
})

// embedded returns the rows of an embedded file after its header. Embedded data
// is tested, so what follows panics where user data would be an error.
func embedded(content []byte) [][]string {
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
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

func mustCountry(text string) CountryCode {
	code, ok := ParseCountry(text)
	if !ok {
		panic(fmt.Sprintf("datasets: country code %q in embedded data", text))
	}
	return code
}

func mustContinent(text string) Continent {
	continent, ok := ParseContinent(text)
	if !ok {
		panic(fmt.Sprintf("datasets: continent code %q in embedded data", text))
	}
	return continent
}
