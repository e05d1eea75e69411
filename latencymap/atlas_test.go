package latencymap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// nearestOfAll is a simple search over all cities. Atlas must agree with it.
func nearestOfAll(cities []Position, lat, lon float64) int {
	place := Position{lat, lon}.vector()
	nearest, best := -1, math.Inf(1)
	for i, city := range cities {
		if squared := place.chordSquared(city.vector()); squared < best {
			nearest, best = i, squared
		}
	}
	return nearest
}

// someCities draws cities in clusters, like real cities.
func someCities(n int) []Position {
	draw := rand.New(rand.NewPCG(7, 8))
	cities := []Position{{90, 0}, {-90, 0}, {0, 180}, {0, -180}}
	for len(cities) < n {
		town := Position{Lat: 140*draw.Float64() - 60, Lon: 360*draw.Float64() - 180}
		for range 1 + draw.IntN(8) {
			lat, lon := town.Lat+2*draw.NormFloat64(), town.Lon+2*draw.NormFloat64()
			cities = append(cities, Position{min(max(lat, -90), 90), min(max(lon, -180), 180)})
		}
	}
	return cities[:n]
}

func TestAtlas(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 60, 2000} {
		cities := someCities(max(n, 4))[:n]
		if n == 60 {
			cities = append(cities, cities[:20]...) // duplicates, of which the first must win
		}
		atlas := NewAtlas(cities)
		for _, p := range places(1500) {
			if got, want := atlas.Nearest(p.Lat, p.Lon), nearestOfAll(cities, p.Lat, p.Lon); got != want {
				t.Fatalf("%d cities: nearest to %v: got city %d, want %d", n, p, got, want)
			}
		}
		for i, c := range cities {
			if got, want := atlas.Nearest(c.Lat, c.Lon), nearestOfAll(cities, c.Lat, c.Lon); got != want {
				t.Fatalf("%d cities: nearest to city %d: got city %d, want %d", n, i, got, want)
			}
		}
	}
}

func BenchmarkAtlas(b *testing.B) {
	cities, somewhere := someCities(5830), benchmarkPlaces()
	sum := 0
	for b.Loop() {
		atlas := NewAtlas(cities)
		for _, p := range somewhere {
			sum += atlas.Nearest(p.Lat, p.Lon)
		}
	}
	if sum == 0 {
		b.Fatal("the benchmark found no city")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(somewhere)), "ns/place")
}
