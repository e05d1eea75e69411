package latencymap

import (
	"math"
	"math/bits"
)

// entryHubs speeds up the most expensive part of the model: finding the hub at which the shortest
// route from a place to a datacenter begins. The places within a cell are close together, so most
// hubs can be excluded for all of them. A hub is a candidate if the shortest possible route through
// it from any point of the cell is no longer than the longest possible route through every other
// hub. By the triangle inequality, no other hub can be the best, so the result is the same as if
// all hubs were tried.
//
// The candidates of a cell are computed on the first lookup, which takes about 3 µs.
type entryHubs struct {
	model        *cableModel
	destinations []destination
	candidates   [][]uint64 // [cell][datacenter]; nil if not yet computed
}

func newEntryHubs(m *cableModel, destinations []destination) *entryHubs {
	return &entryHubs{model: m, destinations: destinations, candidates: make([][]uint64, Cells)}
}

// of returns the candidate hubs of a cell, as one bit mask per datacenter.
func (e *entryHubs) of(cell int) []uint64 {
	if e.candidates[cell] == nil {
		e.candidates[cell] = e.find(cell)
	}
	return e.candidates[cell]
}

func (e *entryHubs) find(cell int) []uint64 {
	const slackKM = 1e-6 // rounding errors are a thousand times smaller
	centre, radius := CellCentre(cell).vector(), cellRadiusKM(cell)
	var shortest, longest [hubsMax]float64
	for i, hub := range e.model.hubs {
		km := centre.kilometres(hub)
		shortest[i], longest[i] = legKM(max(0, km-radius)), legKM(km+radius)
	}
	found := make([]uint64, len(e.destinations))
	for dc := range e.destinations {
		routes := e.destinations[dc].routes
		bound := math.Inf(1)
		for i, route := range routes {
			bound = min(bound, longest[i]+route)
		}
		for i, route := range routes {
			if shortest[i]+route <= bound+slackKM {
				found[dc] |= 1 << i
			}
		}
	}
	return found
}

// legs caches the cable lengths between a place and the hubs, because most datacenters have the
// same candidate hubs.
type legs struct {
	place vector
	known uint64
	km    [hubsMax]float64
}

// routeKM is like cables.routeKM, but considers only candidates.
func (l *legs) routeKM(c *cables, candidates uint64, routes []float64) float64 {
	best := math.Inf(1)
	for left := candidates; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if l.known&(1<<i) == 0 {
			l.known |= 1 << i
			l.km[i] = legKM(l.place.kilometres(c.hubs[i]))
		}
		best = min(best, l.km[i]+routes[i])
	}
	return best
}
