package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// Preset is a population that the built-in day can have.
type Preset struct {
	Name  string
	About string // one line

	includes func(City) bool
	volume   float64       // multiplies the joins; 0: 1
	shares   []regionShare // fixed shares of regions; nil: people online decide alone
}

// regionShare gives a region a share of all joins; a city belongs to the first
// region that includes it.
type regionShare struct {
	share    float64
	includes func(City) bool
}

// defaultPreset is the population of a day nobody said anything about.
const defaultPreset = "world-without-cn"

// Presets returns all presets, the default first.
func Presets() []Preset { return presets }

var presets = []Preset{
	{Name: defaultPreset, About: "everybody online except China, where games run apart", includes: withoutChina},
	{Name: "world", About: "everybody online", includes: func(City) bool { return true }},
	{Name: "na", About: "North and Central America with the Caribbean", includes: on(NorthAmerica)},
	{Name: "eu", About: "Europe, all of Russia included", includes: on(Europe)},
	{Name: "apac", About: "Asia without China and the Middle East, and Oceania", includes: inAsiaPacific},
	{Name: "sa", About: "South America", includes: on(SouthAmerica)},
	{Name: "western-shooter", About: "a western shooter: North America 44 %, Europe 25 %, Latin America 15 %, Asia 7 %, Oceania 4.5 %, Middle East 2.5 %, Africa 2 %",
		includes: withoutChina,
		shares: []regionShare{
			{44, func(c City) bool { return slices.Contains(unitedStatesAndCanada, c.Country.String()) }},
			{25, on(Europe)},
			{15, func(c City) bool { return c.Continent == NorthAmerica || c.Continent == SouthAmerica }},
			{2.5, func(c City) bool { return slices.Contains(middleEast, c.Country.String()) }},
			{7, on(Asia)},
			{4.5, on(Oceania)},
			{2, on(Africa)},
		}},
	{Name: "low-density", About: "like " + defaultPreset + " with a tenth of the joins", includes: withoutChina, volume: 0.1},
}

var (
	unitedStatesAndCanada = []string{"US", "CA"}
	middleEast            = []string{"AE", "BH", "IL", "IQ", "IR", "JO", "KW", "LB", "OM", "PS", "QA", "SA", "SY", "TR", "YE"}
)

func on(continent Continent) func(City) bool {
	return func(c City) bool { return c.Continent == continent }
}

func withoutChina(c City) bool { return c.Country.String() != "CN" }

func inAsiaPacific(c City) bool {
	return c.Continent == Oceania ||
		c.Continent == Asia && withoutChina(c) && !slices.Contains(middleEast, c.Country.String())
}

// findPreset returns the preset of a name.
func findPreset(name string) (Preset, error) {
	names := make([]string, len(presets))
	for i, p := range presets {
		if names[i] = p.Name; p.Name == name {
			return p, nil
		}
	}
	return Preset{}, fmt.Errorf("preset %s: expected one of %s", quoted(name), strings.Join(names, ", "))
}

// cityShares returns the share of all joins that every built-in city has; the
// sum is 1. A city has its country's people online in proportion to its part of
// the country's listed people, times the country's weight: raw city populations
// would count districts twice, and miss the countries that live in villages.
func (p Preset) cityShares(weights map[CountryCode]float64) ([]float64, error) {
	cities := BuiltinCities()
	online := make(map[CountryCode]float64)
	for _, c := range builtinCountries() {
		online[c.code] = float64(c.population) * c.online
	}
	listed := make(map[CountryCode]float64)
	for _, c := range cities {
		listed[c.Country] += float64(c.Population)
	}
	shares := make([]float64, len(cities))
	for i, c := range cities {
		if p.includes(c) {
			shares[i] = online[c.Country] * float64(c.Population) / listed[c.Country]
		}
	}
	if p.shares != nil {
		p.fixRegions(cities, shares)
	}
	sum := 0.0
	for i, c := range cities {
		if weight, ok := weights[c.Country]; ok {
			shares[i] *= weight
		}
		sum += shares[i]
	}
	if !(sum > 0) {
		return nil, fmt.Errorf("countries: the weights leave preset %s without players", quoted(p.Name))
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares, nil
}

// fixRegions scales the cities of every region to the region's share.
func (p Preset) fixRegions(cities []City, shares []float64) {
	regionOf := make([]int, len(cities))
	sums := make([]float64, len(p.shares))
	for i, c := range cities {
		regionOf[i] = slices.IndexFunc(p.shares, func(r regionShare) bool { return r.includes(c) })
		sums[regionOf[i]] += shares[i]
	}
	for i := range shares {
		shares[i] *= p.shares[regionOf[i]].share / sums[regionOf[i]]
	}
}
