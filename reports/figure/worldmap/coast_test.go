package worldmap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// area returns the area of a ring in square degrees, by the shoelace formula.
func area(ring [][2]float64) float64 {
	sum := 0.0
	for i, b := range ring {
		a := ring[(i+len(ring)-1)%len(ring)]
		sum += a[0]*b[1] - b[0]*a[1]
	}
	return math.Abs(sum) / 2
}

func TestVisibleParts(t *testing.T) {
	box := func(west, south, east, north float64) [][2]float64 {
		return [][2]float64{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
	}
	for _, c := range []struct {
		name  string
		ring  [][2]float64
		parts int
		area  float64
	}{
		{"inland", box(0, 0, 10, 10), 1, 100},
		{"across the antimeridian eastwards", box(170, 0, -170, 10), 2, 200},
		{"touching the antimeridian", box(170, 0, 180, 10), 1, 100},
		{"beyond the southern edge", box(0, South-20, 10, South-10), 0, 0},
		{"across the southern edge", box(0, South-10, 10, South+10), 1, 100},
		{"across the northern edge", box(0, North-10, 10, 90), 1, 100},
		{"around the pole", [][2]float64{{-180, -90}, {-180, -70}, {0, -65}, {180, -70}, {180, -90}, {-180, -90}}, 0, 0},
		{"nothing", nil, 0, 0},
		{"a point", [][2]float64{{1, 1}}, 0, 0},
	} {
		got := 0.0
		parts := VisibleParts(c.ring)
		for _, part := range parts {
			got += area(part)
		}
		if len(parts) != c.parts || math.Abs(got-c.area) > 1e-9 {
			t.Errorf("%s: got %d parts with an area of %g, want %d with %g", c.name, len(parts), got, c.parts, c.area)
		}
	}
}

// A convex island keeps its area wherever it is, and does not leave the map.
func TestVisiblePartsKeepArea(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		n, radius := 3+rng.IntN(20), 1+rng.Float64()*15
		lon, lat := rng.Float64()*360-180, rng.Float64()*80-30
		var flat, ring [][2]float64
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			x, y := lon+radius*cos, lat+radius*sin
			flat = append(flat, [2]float64{x, y})
			ring = append(ring, [2]float64{math.Mod(x+540, 360) - 180, y})
		}
		got := 0.0
		for _, part := range VisibleParts(ring) {
			got += area(part)
			for _, at := range part {
				if at[0] < -180 || at[0] > 180 {
					t.Fatalf("got a point at longitude %g, want -180 to 180", at[0])
				}
			}
		}
		if want := area(flat); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("island at %g, %g with radius %g: got area %g, want %g", lon, lat, radius, got, want)
		}
	}
}
