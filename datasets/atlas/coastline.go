package atlas

import (
	_ "embed" // of the data
	"encoding/json"
	"sync"
)

// Point is a position in degrees.
type Point struct{ Lat, Lon float64 }

//go:embed data/land-110m.geojson
var landJSON []byte

// Coastline returns the outlines of land, each a closed ring; one of them (the
// Caspian Sea) is a hole. For drawing maps of the world: the line between two
// points more than 180° of longitude apart (one, along the south pole) must not
// be drawn across the map. The list is shared: do not change it.
func Coastline() [][]Point { return coastline() }

var coastline = sync.OnceValue(func() [][]Point {
	var file struct {
		Features []struct {
			Geometry struct {
				Coordinates [][][][2]float64 // polygons of rings of (longitude, latitude)
			}
		}
	}
	if err := json.Unmarshal(landJSON, &file); err != nil {
		panic(err) // embedded and tested
	}
	var rings [][]Point
	for _, feature := range file.Features {
		for _, polygon := range feature.Geometry.Coordinates {
			for _, ring := range polygon {
				points := make([]Point, len(ring))
				for i, p := range ring {
					points[i] = Point{Lat: p[1], Lon: p[0]}
				}
				rings = append(rings, points)
			}
		}
	}
	return rings
})
