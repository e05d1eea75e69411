package figure

import (
	"math"

	"mmsim/reports/chart"
)

// coast fills the land. All land is one path, which is fast to draw and takes few bytes.
func (m worldMap) coast(coast Coast) { m.Polygons(chart.Land, m.shapes(coast)...) }

// outline draws the outline of the land.
func (m worldMap) outline(coast Coast) {
	for _, shape := range m.shapes(coast) {
		m.Polyline(chart.Rule, 0.7, append(shape, shape[0]))
	}
}

// shapes returns the land as polygons on the canvas.
func (m worldMap) shapes(coast Coast) [][]chart.Point {
	var shapes [][]chart.Point
	for _, ring := range coast {
		for _, part := range VisibleParts(ring) {
			points := make([]chart.Point, 0, len(part))
			for _, at := range part {
				p := m.position(at[0], at[1])
				if n := len(points); n > 0 && math.Abs(p.X-points[n-1].X)+math.Abs(p.Y-points[n-1].Y) < coastDetail {
					continue
				}
				points = append(points, p)
			}
			shapes = append(shapes, points)
		}
	}
	return shapes
}

// coastDetail is the distance on the canvas below which a point of the coast is skipped.
const coastDetail = 0.9

// VisibleParts clips a ring of the coast to the frame of the map. A ring that crosses the
// antimeridian becomes two parts, one at each edge: the function follows the ring beyond the
// edge, and then moves the part outside the frame to the opposite edge.
func VisibleParts(ring [][2]float64) [][][2]float64 {
	unwrapped := make([][2]float64, len(ring))
	turn, west, east := 0.0, math.Inf(1), math.Inf(-1)
	for i, at := range ring {
		if i > 0 {
			switch step := at[0] - ring[i-1][0]; {
			case step > 180:
				turn -= 360
			case step < -180:
				turn += 360
			}
		}
		unwrapped[i] = [2]float64{at[0] + turn, at[1]}
		west, east = min(west, unwrapped[i][0]), max(east, unwrapped[i][0])
	}
	unwrapped = clip(clip(unwrapped, 1, mapSouth, 1), 1, mapNorth, -1)
	var parts [][][2]float64
	for _, shift := range [...]float64{-360, 0, 360} {
		if east+shift <= -180 || west+shift >= 180 {
			continue
		}
		moved := make([][2]float64, len(unwrapped))
		for i, at := range unwrapped {
			moved[i] = [2]float64{at[0] + shift, at[1]}
		}
		if part := clip(clip(moved, 0, -180, 1), 0, 180, -1); len(part) > 2 {
			parts = append(parts, part)
		}
	}
	return parts
}

// clip returns the part of a ring on one side of a line, by the Sutherland–Hodgman algorithm: the
// part where sign*coordinate >= sign*limit. The coordinate is the longitude if axis is 0, and the
// latitude if axis is 1.
func clip(ring [][2]float64, axis int, limit, sign float64) [][2]float64 {
	var kept [][2]float64
	for i, b := range ring {
		a := ring[(i+len(ring)-1)%len(ring)]
		aIn, bIn := sign*a[axis] >= sign*limit, sign*b[axis] >= sign*limit
		if aIn != bIn {
			f := (limit - a[axis]) / (b[axis] - a[axis])
			kept = append(kept, [2]float64{a[0] + float64(f*(b[0]-a[0])), a[1] + float64(f*(b[1]-a[1]))})
		}
		if bIn {
			kept = append(kept, b)
		}
	}
	return kept
}

// Coast is the outline of land as rings of longitudes and latitudes in degrees.
type Coast = [][][2]float64
