package latencymap

import (
	"bytes"
	"embed"
	"fmt"
	"sync"
)

// AccessMS is the RTT in ms between a player and the first hub: home network, provider, and the
// route to the cable. It is added only for the player, because datacenters are at hubs.
const AccessMS = 13.0

// Up to nearKM, packets follow the great circle. From farKM, they follow the cables. In between,
// the length is a blend of both, so that it changes gradually with the position.
const (
	nearKM = 1500
	farKM  = 2500
)

//go:embed data
var tables embed.FS

// cableModel estimates the RTT between a place and a datacenter:
//
//	AccessMS + 10 ms per 1,000 km x stretch factor x path
type cableModel struct {
	*cables
	stretch                 *Stretch
	nearSquared, farSquared float64 // squared chords of nearKM and farKM
}

// builtinModel returns the model, which is built on first use. A run does not need it if it has a
// map for every place or uses another fallback.
var builtinModel = sync.OnceValue(func() *cableModel {
	cables, err := readCables()
	if err != nil {
		panic(err) // cannot happen: the tables are part of the program
	}
	stretch, err := ParseStretch(table("stretch_areas.csv"), table("stretch_clusters.csv"), table("stretch_factors.csv"))
	if err != nil {
		panic(err)
	}
	return &cableModel{
		cables:      cables,
		stretch:     stretch,
		nearSquared: chordSquaredOf(nearKM),
		farSquared:  chordSquaredOf(farKM),
	}
})

func table(name string) *bytes.Reader {
	raw, err := tables.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return bytes.NewReader(raw)
}

func readCables() (*cables, error) {
	var positions []Position
	numbers := make(map[string]int)
	rec := readRecords(table("cable_hubs.csv"), "cable_hubs.csv", 3)
	for rec.next() {
		numbers[rec.text(0)] = len(positions)
		positions = append(positions, Position{Lat: rec.number(1), Lon: rec.number(2)})
	}
	if rec.err != nil {
		return nil, rec.err
	}
	if len(positions) > hubsMax {
		return nil, fmt.Errorf("cable_hubs.csv: %d hubs, at most %d", len(positions), hubsMax)
	}
	var corridors [][2]int
	rec = readRecords(table("cable_corridors.csv"), "cable_corridors.csv", 2)
	for rec.next() {
		corridors = append(corridors, [2]int{rec.index(0, numbers), rec.index(1, numbers)})
	}
	if rec.err != nil {
		return nil, rec.err
	}
	return newCables(positions, corridors), nil
}

// destination contains what the model needs to know about a datacenter.
type destination struct {
	at      vector
	cluster int
	routes  []float64 // cable length from each hub
}

func (m *cableModel) destination(datacenter Position) destination {
	at := datacenter.vector()
	return destination{at: at, cluster: m.stretch.clusterOf(at), routes: m.routesTo(at)}
}

// needsRoute reports whether the length of a path depends on the cables.
func (m *cableModel) needsRoute(chordSquared float64) bool { return chordSquared > m.nearSquared }

// pathKM returns the length of the path between two points, given the square of their chord and the
// length of the route through the cables. It ignores routeKM if needsRoute is false. The path is
// never shorter than the great circle.
func (m *cableModel) pathKM(chordSquared, routeKM float64) float64 {
	switch {
	case !m.needsRoute(chordSquared):
		return chordKilometres(chordSquared)
	case chordSquared >= m.farSquared:
		return routeKM
	}
	direct := float64(chordKilometres(chordSquared))
	share := min(max((direct-nearKM)/(farKM-nearKM), 0), 1)
	return direct + float64(share*(routeKM-direct))
}

// milliseconds computes an estimate from its parts. No estimate is faster than light, because
// factor is at least 1 and pathKM is at least the great circle.
func milliseconds(pathKM, factor float64) float64 {
	return AccessMS + float64(lightInFibreMSPerKM*float64(factor*pathKM))
}

// estimate computes an estimate without shortcuts: it tries every hub.
func (m *cableModel) estimate(place Position, to *destination) float64 {
	from := place.vector()
	squared := from.chordSquared(to.at)
	route := 0.0
	if m.needsRoute(squared) {
		route = m.routeKM(from, to.routes)
	}
	return milliseconds(m.pathKM(squared, route), m.stretch.at(fieldPointOf(place), to.cluster))
}

// PathKM returns the length of the path between a place and a datacenter without stretch: the great
// circle for short distances, and cables for long ones.
func PathKM(place, datacenter Position) float64 {
	m := builtinModel()
	from, to := place.vector(), datacenter.vector()
	return m.pathKM(from.chordSquared(to), m.routeKM(from, m.routesTo(to)))
}
