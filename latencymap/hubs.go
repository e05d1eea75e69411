package latencymap

import "math"

// cables is a small graph of the world's main cable corridors. Traffic changes cables at hubs. The
// matrix lengthKM has the length of the shortest route between every two hubs.
type cables struct {
	hubs     []vector
	lengthKM [][]float64
}

// hubsMax is the maximum number of hubs, because a set of hubs is a uint64.
const hubsMax = 64

// A route from a place to its hub is not straight. The first 1,500 km of distance count 1.3 times.
// Beyond that, each kilometre counts 4.3 times, because traffic does not cross an ocean outside the
// corridors to save a few kilometres. Without this penalty, routes would take shortcuts over water.
// The cable lengths alone, without stretch factors, would then have an error of 19 ms instead of 11
// ms on the reference pairs.
const (
	legStretch    = 1.3
	legFreeKM     = 1500
	legFarStretch = 3.0
)

// legKM returns the cable length between a place and a hub. It is at least the great-circle
// distance and increases with it.
func legKM(greatCircleKM float64) float64 {
	return float64(legStretch*greatCircleKM) + float64(legFarStretch*max(0, greatCircleKM-legFreeKM))
}

// newCables returns the graph with the given hubs and corridors. A corridor is a pair of indices of
// hubs.
func newCables(hubs []Position, corridors [][2]int) *cables {
	c := &cables{hubs: vectors(hubs), lengthKM: make([][]float64, len(hubs))}
	for i := range hubs {
		c.lengthKM[i] = make([]float64, len(hubs))
		for j := range hubs {
			if i != j {
				c.lengthKM[i][j] = math.Inf(1)
			}
		}
	}
	for _, ends := range corridors {
		a, b := ends[0], ends[1]
		km := c.hubs[a].kilometres(c.hubs[b])
		c.lengthKM[a][b], c.lengthKM[b][a] = km, km
	}
	for via := range hubs {
		for i := range hubs {
			for j := range hubs {
				c.lengthKM[i][j] = min(c.lengthKM[i][j], c.lengthKM[i][via]+c.lengthKM[via][j])
			}
		}
	}
	return c
}

// routesTo returns the cable length from each hub to a datacenter.
func (c *cables) routesTo(datacenter vector) []float64 {
	routes := make([]float64, len(c.hubs))
	for i := range c.hubs {
		routes[i] = math.Inf(1)
		for j, exit := range c.hubs {
			routes[i] = min(routes[i], c.lengthKM[i][j]+legKM(exit.kilometres(datacenter)))
		}
	}
	return routes
}

// routeKM returns the cable length from a place to a datacenter through the best hub.
func (c *cables) routeKM(place vector, routes []float64) float64 {
	best := math.Inf(1)
	for i, entry := range c.hubs {
		best = min(best, legKM(place.kilometres(entry))+routes[i])
	}
	return best
}

func vectors(positions []Position) []vector {
	out := make([]vector, len(positions))
	for i, p := range positions {
		out[i] = p.vector()
	}
	return out
}
