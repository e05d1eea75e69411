package atlas

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Point is a position in degrees.
type Point struct{ Lat, Lon float64 }

//go:embed data/land-110m.geojson
var landJSON string

// Coastline returns the outlines of land for drawing world maps. Each outline is a closed ring. One
// ring, the Caspian Sea, is a hole. If two consecutive points are more than 180° of longitude
// apart, do not draw the line between them across the map. There is one such line, along the South
// Pole. The list is shared and must not be changed.
func Coastline() [][]Point { return coastline() }

var coastline = sync.OnceValue(func() [][]Point {
	var file struct {
		Features []struct {
			Geometry struct {
				Coordinates [][][][2]float64 // polygons, each a list of rings of (longitude, latitude)
			}
		}
	}
	if err := json.Unmarshal([]byte(landJSON), &file); err != nil {
		panic(err) // cannot happen: tests have checked the embedded data
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
