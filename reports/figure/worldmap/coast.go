package worldmap

import (
	"math"
	"slices"
)

// The northern and southern edges of maps, in degrees of latitude. All places where people play are
// between them.
const (
	North = 76.0
	South = -56.0
)

// Coast is the outline of land as rings of longitudes and latitudes in degrees.
type Coast = [][][2]float64

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
	unwrapped = clip(clip(unwrapped, 1, South, 1), 1, North, -1)
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

// A cell map has a value for every square degree of the world, row by row from the north-west corner:
// row r has the latitudes from 89-r to 90-r, column c the longitudes from c-180 to c-179.
const (
	Rows    = 180
	Columns = 360
)

// LandCells reports which cells have land. It examines four parallels in each row of cells.
func LandCells(coast Coast) []bool {
	const parallels = 4
	land := make([]bool, Rows*Columns)
	for line := range Rows * parallels {
		latitude := 90 - (float64(line)+0.5)/parallels
		at := crossings(coast, latitude)
		row := land[line/parallels*Columns:][:Columns]
		for i := 0; i+1 < len(at); i += 2 {
			from := int(math.Floor(at[i])) + 180
			to := int(math.Ceil(at[i+1])) + 180
			for col := max(from, 0); col < min(to, Columns); col++ {
				row[col] = true
			}
		}
	}
	return land
}

// crossings returns the longitudes at which a parallel crosses the coast, from west to east.
// There is land between the first and the second, between the third and the fourth, and so on.
func crossings(coast Coast, latitude float64) []float64 {
	var list []float64
	for _, ring := range coast {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a[1] > latitude) == (b[1] > latitude) || math.Abs(a[0]-b[0]) > 180 {
				continue
			}
			f := (latitude - a[1]) / (b[1] - a[1])
			list = append(list, a[0]+float64(f*(b[0]-a[0])))
		}
	}
	slices.Sort(list)
	return list
}
