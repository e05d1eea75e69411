package builtin

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// Preset is a population for the built-in day.
type Preset struct {
	Name  string
	About string // one line of description

	includes func(atlas.City) bool
	volume   float64       // factor for the number of joins; 0 means 1
	shares   []regionShare // fixed shares of regions, or nil if only people online count
}

// regionShare gives a region a share of all joins. A city belongs to the first region that includes
// it.
type regionShare struct {
	share    float64
	includes func(atlas.City) bool
}

// defaultPreset is the name of the default preset.
const defaultPreset = "world-without-cn"

// Presets returns all presets, starting with the default.
func Presets() []Preset { return presets }

// PresetNames returns the names of all presets, starting with the default.
func PresetNames() []string {
	var names []string
	for _, preset := range presets {
		names = append(names, preset.Name)
	}
	return names
}

var presets = []Preset{
	{Name: defaultPreset, About: "all online players except those in China, where games run on separate servers", includes: withoutChina},
	{Name: "world", About: "all online players", includes: func(atlas.City) bool { return true }},
	{Name: "na", About: "North and Central America with the Caribbean", includes: on(datasets.NorthAmerica)},
	{Name: "eu", About: "Europe, all of Russia included", includes: on(datasets.Europe)},
	{Name: "apac", About: "Asia without China and the Middle East, and Oceania", includes: inAsiaPacific},
	{Name: "sa", About: "South America", includes: on(datasets.SouthAmerica)},
	{Name: "western-shooter", About: "a western shooter: North America 44 %, Europe 25 %, Latin America 15 %, Asia 7 %, Oceania 4.5 %, Middle East 2.5 %, Africa 2 %",
		includes: withoutChina,
		shares: []regionShare{
			{44, func(c atlas.City) bool { return slices.Contains(unitedStatesAndCanada, c.Country.String()) }},
			{25, on(datasets.Europe)},
			{15, func(c atlas.City) bool {
				return c.Continent == datasets.NorthAmerica || c.Continent == datasets.SouthAmerica
			}},
			{2.5, func(c atlas.City) bool { return slices.Contains(middleEast, c.Country.String()) }},
			{7, on(datasets.Asia)},
			{4.5, on(datasets.Oceania)},
			{2, on(datasets.Africa)},
		}},
	{Name: "low-density", About: "like " + defaultPreset + " with a tenth of the joins", includes: withoutChina, volume: 0.1},
}

var (
	unitedStatesAndCanada = []string{"US", "CA"}
	middleEast            = []string{"AE", "BH", "IL", "IQ", "IR", "JO", "KW", "LB", "OM", "PS", "QA", "SA", "SY", "TR", "YE"}
)

func on(continent datasets.Continent) func(atlas.City) bool {
	return func(c atlas.City) bool { return c.Continent == continent }
}

func withoutChina(c atlas.City) bool { return c.Country.String() != "CN" }

func inAsiaPacific(c atlas.City) bool {
	return c.Continent == datasets.Oceania ||
		c.Continent == datasets.Asia && withoutChina(c) && !slices.Contains(middleEast, c.Country.String())
}

// findPreset returns the preset with the given name.
func findPreset(name string) (Preset, error) {
	names := make([]string, len(presets))
	for i, p := range presets {
		if names[i] = p.Name; p.Name == name {
			return p, nil
		}
	}
	return Preset{}, fmt.Errorf("preset %s: expected one of %s", tables.Quoted(name), strings.Join(names, ", "))
}

// cityShares returns the share of all joins for each city. The shares add up to 1. The people
// online in a country, times the weight of the country, are divided among its cities in proportion
// to population. City populations alone would count some districts twice and underestimate
// countries whose people live in villages.
func (p Preset) cityShares(weights map[datasets.CountryCode]float64) ([]float64, error) {
	cities := atlas.Cities()
	online := make(map[datasets.CountryCode]float64)
	for _, c := range atlas.Countries() {
		online[c.Code] = float64(c.Population) * c.Online
	}
	listed := make(map[datasets.CountryCode]float64)
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
		return nil, fmt.Errorf("countries: the weights leave preset %s without players", tables.Quoted(p.Name))
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares, nil
}

// fixRegions scales the shares of the cities in each region to the region's share.
func (p Preset) fixRegions(cities []atlas.City, shares []float64) {
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
