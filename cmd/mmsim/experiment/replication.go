package experiment

import (
	"cmp"
	"encoding/hex"
	"math/bits"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/capture"
	"mmsim/cmd/mmsim/experiment/servers"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/builtin"
	"mmsim/datasets/population"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/collect"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Replication is what one replication is simulated in. Read-only once made, but for the
// dictionaries of the population, and so for one replication alone.
type Replication struct {
	Config *config.Config
	run    uint64
	Day    *datasets.Day
	*placeRTTs
	population *population.Population
	queues     []*replicationQueue // none: servers
	router     *router             // nil: there is one queue
	placing    *servers.Placing    // nil: players are matched
	captures   []*capture.Request
	sites      []setup.Datacenter
	Warnings   []jsontree.Warning
	hash       string // of the configuration
}

// placeRTTs is the places of a day as the states of a configuration see them.
type placeRTTs struct {
	*locatedPlaces
	places *sim.Places
}

// continents are indexed by datasets.Continent less one.
var continents = []string{"AF", "AN", "AS", "EU", "NA", "OC", "SA"}

// Replication makes a replication. Those of a day from a file differ in their draws only
// and share day and places; a built-in day is another one in each.
func (in *Inputs) Replication(run uint64) (*Replication, error) {
	w := &Replication{Config: in.ConfigOf(run), run: run, Day: in.Day, placeRTTs: in.geography, sites: in.sites()}
	if w.Day == nil {
		var err error
		w.Day, err = in.cache.days.get(in.dayKey(run), func() (*datasets.Day, error) { return in.BuiltinDay(run) })
		if err != nil {
			return nil, input.Bad(err)
		}
		w.placeRTTs = in.locate(w.Day, run)
	}
	w.Warnings = append(w.Warnings, in.warnings...)
	w.warn(in.LatencyWarnings(w.placeRTTs)...)
	w.warn(w.Day.Warnings...)
	w.warn(w.replayOptions().Warnings(w.Day)...)
	var err error
	if w.population, err = w.populate(); err != nil {
		return nil, input.Bad(err)
	}
	w.warn(w.population.Warnings...)
	if unused := w.Config.Differs(config.Default(), "servers"); w.Config.Placement != config.PlacementServers && len(unused) > 0 {
		w.warn(strings.Join(unused, ", ") + ": not used without placement servers")
	}
	if w.Config.Placement == config.PlacementServers {
		if w.placing, err = servers.New(&servers.World{Config: w.Config, Set: in.ruleset, Datacenters: in.Datacenters, Day: w.Day, Population: w.population}); err != nil {
			return nil, input.Bad(err)
		}
		w.warn(w.placing.Warnings...)
	} else if err = w.newQueues(in); err != nil {
		return nil, input.Bad(err)
	}
	w.hash, err = in.JobHash(run)
	return w, err
}

// Run is what reports must know before the run.
func (w *Replication) Setup() setup.Run {
	c := w.Config
	s := setup.Run{
		Datacenters: w.sites,
		Continents:  continents,
		Countries:   w.countries,
		Places:      w.located,
		Duration:    config.SimSpan(c.Clock.Duration),
		Ideal:       config.RTTUnits(c.States.IdealRTT),
		Expand:      config.RTTUnits(c.States.ExpandRTT),
		Jitter:      c.Latency.JitterSD > 0,
	}
	s.Attributes, s.Texts = w.numbers(), w.texts()
	for _, q := range w.queues {
		s.Queues = append(s.Queues, q.setup(c))
	}
	if w.placing != nil {
		w.placing.Setup(&s)
	}
	return s
}

// header is what the results say of the run.
func (w *Replication) header(complete bool) collect.Header {
	return collect.Header{
		Seed: w.Config.Seed, Run: int(w.run), Version: Version(),
		ConfigSHA256: w.hash, DatasetSHA256: hex.EncodeToString(w.Day.SHA256[:]),
		Warmup: config.SimSpan(w.Config.Clock.Warmup), Complete: complete,
		Warnings: resultWarnings(w.Config, w.Warnings), Latency: w.latency,
	}
}

// ConfigOf is the configuration of one replication.
func (in *Inputs) ConfigOf(run uint64) *config.Config {
	c := *in.Config
	c.Run = uint32(run)
	return &c
}

// BuiltinDay generates the built-in day of a replication.
func (in *Inputs) BuiltinDay(run uint64) (*datasets.Day, error) {
	b := &in.Config.Dataset.Builtin
	return builtin.Generate(builtin.Options{
		Preset: b.Preset, Joins: b.Joins, Date: b.Date, Weekend: b.Weekend,
		Spike: builtin.Spike{Hour: b.SpikeHour, Factor: b.SpikeFactor}, Countries: in.countries,
	}, drawsOf(in.Config.Seed, run))
}

// locate looks up the RTT from every place of the day of a replication to every
// datacenter. Cost: some 0.3 µs a place, and 3 bytes a pair of place and datacenter.
func (in *Inputs) locate(day *datasets.Day, run uint64) *placeRTTs {
	// Making them does not fail.
	located, _ := in.cache.places.get(keyOf("places", in.dayKey(run), in.mapsKey()), func() (*locatedPlaces, error) {
		p := &locatedPlaces{table: in.table(day)}
		p.located, p.countries = locatePlaces(day)
		p.latency = in.latencyShares(p.table, day)
		return p, nil
	})
	s, table := &in.Config.States, located.table
	return &placeRTTs{located, &sim.Places{
		Datacenters: table.Datacenters, RTT: table.RTT, Best: table.Best,
		Reach: reach(table, config.RTTUnits(s.IdealRTT), config.RTTUnits(s.ExpandRTT)),
	}}
}

// reach tells the simulator which datacenters are near every place.
func reach(table *latencymap.Table, ideal, expand sim.RTT) []sim.Reach {
	withinIdeal, withinExpand := table.Within(ideal), table.Within(expand)
	list := make([]sim.Reach, len(table.Best))
	for place := range list {
		list[place] = sim.Reach{Ideal: withinIdeal[place], Expand: withinExpand[place]}
	}
	return list
}

func (in *Inputs) table(day *datasets.Day) *latencymap.Table {
	positions := make([]latencymap.Position, len(day.Places))
	for i, p := range day.Places {
		positions[i] = latencymap.Position{Lat: p.Lat(), Lon: p.Lon()}
	}
	if !day.HasMeasured() {
		return in.Latency.Table(positions, nil)
	}
	var buffer []latencymap.Measured
	return in.Latency.Table(positions, func(place int) []latencymap.Measured {
		buffer = buffer[:0]
		for _, m := range day.Measured(uint32(place)) {
			buffer = append(buffer, latencymap.Measured{Datacenter: int(m.Datacenter), MS: m.MS})
		}
		return buffer
	})
}

// latencyShares tells where the RTTs come from, over all pairs of a join and a
// datacenter, and what cleaning dropped.
func (in *Inputs) latencyShares(table *latencymap.Table, day *datasets.Day) outcome.Latency {
	var joins, fromMap, measured int
	for join := range day.Joins() {
		joins++
		fromMap += bits.OnesCount64(table.FromMap[join.Place])
		measured += bits.OnesCount64(table.Measured[join.Place])
	}
	all := max(1, joins*table.Datacenters)
	l := outcome.Latency{
		ShareMeasured: outcome.ShareOf(measured, all),
		ShareMap:      outcome.ShareOf(fromMap, all),
	}
	rest := outcome.ShareOf(all-fromMap-measured, all)
	switch in.Config.Latency.Fallback {
	case "model":
		l.ShareModel = rest
	case "line":
		l.ShareLine = rest
	case "fibre":
		l.ShareFibre = rest
	}
	for dc := range in.Datacenters {
		cleaned := in.Latency.Cleaned(dc)
		l.Cleaned.NullIsland += cleaned.NullIsland
		l.Cleaned.FasterThanLight += cleaned.FasterThanLight
		l.Cleaned.NaN += cleaned.NaN
	}
	return l
}

// locatePlaces adapts the places of a day to what reports asks for, and lists the
// countries that they are in. A place whose file does not name its continent or country
// has that of the nearest listed city.
func locatePlaces(day *datasets.Day) (places []setup.Place, countries []string) {
	nearest := NewLocator()
	number := make(map[datasets.CountryCode]uint16) // of a country, in order of first sight
	places = make([]setup.Place, len(day.Places))
	for i, p := range day.Places {
		continent, country := p.Continent, p.Country
		if continent == 0 || country == 0 {
			city := nearest.City(p.Lat(), p.Lon())
			continent, country = cmp.Or(continent, city.Continent), cmp.Or(country, city.Country)
		}
		n, known := number[country]
		if !known {
			n = uint16(len(countries)) // two letters of 26: far below the limit
			number[country] = n
			countries = append(countries, country.String())
		}
		places[i] = setup.Place{Latitude: p.LatHundredths, Longitude: p.LonHundredths, Continent: uint8(continent - 1), Country: n}
	}
	return places, countries
}

// locator finds the listed city that is nearest to a place.
type locator struct {
	cities []atlas.City
	atlas  *latencymap.Atlas
}

// NewLocator prepares the list of cities.
func NewLocator() locator {
	cities := atlas.Cities()
	positions := make([]latencymap.Position, len(cities))
	for i, city := range cities {
		positions[i] = latencymap.Position{Lat: city.Lat, Lon: city.Lon}
	}
	return locator{cities, latencymap.NewAtlas(positions)}
}

// City returns the listed city that is nearest to a place.
func (l locator) City(lat, lon float64) *atlas.City { return &l.cities[l.atlas.Nearest(lat, lon)] }

// Of returns the function that tells where a place of a day lies.
func (l locator) Of(day *datasets.Day) func(place uint32) (datasets.Continent, datasets.CountryCode) {
	return func(place uint32) (datasets.Continent, datasets.CountryCode) {
		p := day.Places[place]
		city := l.City(p.Lat(), p.Lon())
		return city.Continent, city.Country
	}
}

// simConfig is the configuration in the simulator's terms.
func simConfig(c *config.Config, run uint64) sim.Config {
	s := &c.States
	cfg := sim.Config{
		Seed: c.Seed, Run: run,
		Tick: config.SimSpan(c.Clock.Tick), WarmUp: config.SimSpan(c.Clock.Warmup), Duration: config.SimSpan(c.Clock.Duration),
		Sample:   sim.Minute,
		IdealFor: config.SimSpan(s.IdealFor), ExpandFor: config.SimSpan(s.ExpandFor), WarmBodyFor: config.SimSpan(s.WarmbodyFor),
		Then:     sim.StateFailed,
		IdealRTT: config.RTTUnits(s.IdealRTT), ExpandRTT: config.RTTUnits(s.ExpandRTT),
		PlayAgain: c.Players.PlayAgain, Between: config.SimSpan(c.Players.BetweenMatches),
		LastMileMedian: config.Milliseconds(c.Latency.LastMileMedian), LastMileSigma: c.Latency.LastMileSigma,
		JitterSD: config.Milliseconds(c.Latency.JitterSD),
	}
	if s.WarmbodyThen == "bots" {
		cfg.Then = sim.StateBots
	}
	return cfg
}

// The simulator's unit of RTT and that of the latency tables are the same one.
var _ = [1]struct{}{}[sim.RTTUnit-latencymap.StepsPerMS]
