package experiment

import (
	"cmp"
	"math/bits"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/latencymap"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// placeRTTs has a day's places and, for each place, the datacenters that a configuration's
// states allow.
type placeRTTs struct {
	*locatedPlaces
	places  *sim.Places
	latency outcome.Latency
}

// locatedPlaces are a day's places with their positions and their RTTs to the datacenters.
type locatedPlaces struct {
	table     *latencymap.Table
	located   []setup.Place
	countries []string // indexed by setup.Place.Country
	joins     []int    // number of joins from each place
}

// continents is indexed by datasets.Continent minus one.
var continents = []string{"AF", "AN", "AS", "EU", "NA", "OC", "SA"}

// locate looks up the RTTs from every place of a day to every datacenter, and the place's
// country. It takes about 0.3 µs per place, and 3 bytes for each pair of a place and a
// datacenter.
func locate(day *datasets.Day, rtts *latencymap.Set) *locatedPlaces {
	p := &locatedPlaces{table: tableOf(day, rtts), joins: make([]int, len(day.Places))}
	p.located, p.countries = locatePlaces(day)
	for join := range day.Joins() {
		p.joins[join.Place]++
	}
	return p
}

// under determines which datacenters a configuration's states allow for each place, and where the RTTs
// to those that take part come from.
func (p *locatedPlaces) under(s *config.States, use uint64, rtts *latencymap.Set, fallback latencymap.Fallback) *placeRTTs {
	return &placeRTTs{p, &sim.Places{
		Datacenters: p.table.Datacenters, RTT: p.table.RTT, Best: p.table.Best,
		Reach: reach(p.table, config.RTTUnits(s.IdealRTT), config.RTTUnits(s.ExpandRTT)),
	}, p.latencyShares(use, rtts, fallback)}
}

// reach returns, for each place, the datacenters whose RTTs the states IDEAL and EXPAND allow.
func reach(table *latencymap.Table, ideal, expand sim.RTT) []sim.Reach {
	withinIdeal, withinExpand := table.Within(ideal), table.Within(expand)
	list := make([]sim.Reach, len(table.Best))
	for place := range list {
		list[place] = sim.Reach{Ideal: withinIdeal[place], Expand: withinExpand[place]}
	}
	return list
}

func tableOf(day *datasets.Day, rtts *latencymap.Set) *latencymap.Table {
	positions := make([]latencymap.Position, len(day.Places))
	for i, p := range day.Places {
		positions[i] = latencymap.Position{Lat: p.Lat(), Lon: p.Lon()}
	}
	if !day.HasMeasured() {
		return rtts.Table(positions, nil)
	}
	var buffer []latencymap.Measured
	return rtts.Table(positions, func(place int) []latencymap.Measured {
		buffer = buffer[:0]
		for _, m := range day.Measured(uint32(place)) {
			buffer = append(buffer, latencymap.Measured{Datacenter: int(m.Datacenter), MS: m.MS})
		}
		return buffer
	})
}

// latencyShares counts where the RTTs between joins and the datacenters in use come from. It also
// counts the map samples that cleaning dropped.
func (p *locatedPlaces) latencyShares(use uint64, rtts *latencymap.Set, fallback latencymap.Fallback) outcome.Latency {
	var joins, fromMap, measured int
	for place, n := range p.joins {
		joins += n
		fromMap += n * bits.OnesCount64(p.table.FromMap[place]&use)
		measured += n * bits.OnesCount64(p.table.Measured[place]&use)
	}
	all := max(1, joins*bits.OnesCount64(use))
	l := outcome.Latency{
		ShareMeasured: outcome.ShareOf(measured, all),
		ShareMap:      outcome.ShareOf(fromMap, all),
	}
	rest := outcome.ShareOf(all-fromMap-measured, all)
	switch fallback {
	case latencymap.Model:
		l.ShareModel = rest
	case latencymap.Line:
		l.ShareLine = rest
	case latencymap.Fibre:
		l.ShareFibre = rest
	}
	for dc := range sim.DatacentersIn(use) {
		cleaned := rtts.Cleaned(dc)
		l.Cleaned.NullIsland += cleaned.NullIsland
		l.Cleaned.FasterThanLight += cleaned.FasterThanLight
		l.Cleaned.NaN += cleaned.NaN
	}
	return l
}

// locatePlaces converts the places of a day to the type that reports use, and lists their
// countries. If the data does not have a place's continent or country, the nearest city in
// package atlas determines it.
func locatePlaces(day *datasets.Day) (places []setup.Place, countries []string) {
	nearest := NewLocator()
	number := make(map[datasets.CountryCode]uint16) // numbers of countries, in the order of their first occurrence
	places = make([]setup.Place, len(day.Places))
	for i, p := range day.Places {
		continent, country := p.Continent, p.Country
		if continent == 0 || country == 0 {
			city := nearest.City(p.Lat(), p.Lon())
			continent, country = cmp.Or(continent, city.Continent), cmp.Or(country, city.Country)
		}
		n, known := number[country]
		if !known {
			n = uint16(len(countries)) // fits: two-letter codes give at most 676 countries
			number[country] = n
			countries = append(countries, country.String())
		}
		places[i] = setup.Place{Latitude: p.LatHundredths, Longitude: p.LonHundredths, Continent: uint8(continent - 1), Country: n}
	}
	return places, countries
}

// locator finds the nearest city in package atlas.
type locator struct {
	cities []atlas.City
	atlas  *latencymap.Atlas
}

// NewLocator returns a locator of all cities in package atlas.
func NewLocator() locator {
	cities := atlas.Cities()
	positions := make([]latencymap.Position, len(cities))
	for i, city := range cities {
		positions[i] = latencymap.Position{Lat: city.Lat, Lon: city.Lon}
	}
	return locator{cities, latencymap.NewAtlas(positions)}
}

// City returns the city nearest to a position.
func (l locator) City(lat, lon float64) *atlas.City { return &l.cities[l.atlas.Nearest(lat, lon)] }

// Of returns a function that returns the continent and country of a place in day.
func (l locator) Of(day *datasets.Day) func(place uint32) (datasets.Continent, datasets.CountryCode) {
	return func(place uint32) (datasets.Continent, datasets.CountryCode) {
		p := day.Places[place]
		city := l.City(p.Lat(), p.Lon())
		return city.Continent, city.Country
	}
}
