package atlas

import "testing"

func TestNearCity(t *testing.T) {
	for _, test := range []struct {
		name     string
		lat, lon float64
		remote   bool // more than 1,000 km from every city
		near     bool // within 100 km of a city
	}{
		{"Berlin", 52.52, 13.4, false, true},
		{"Berlin, swapped", 13.4, 52.52, false, false}, // in the Arabian Sea, 700 km from Sana'a
		{"New York", 40.71, -74, false, true},
		{"New York, swapped", -74, 40.71, true, false},
		{"Auckland", -36.85, 174.76, false, true},
		{"beyond the antimeridian from Auckland", -36.85, -178, false, false},
		{"null island", 0, 0, false, false}, // 600 km from Accra
		{"south pole", -90, 0, true, false},
		{"north pole", 90, 180, true, false},
		{"Point Nemo", -48.88, -123.39, true, false},
	} {
		if got := Remote(test.lat, test.lon, 1000); got != test.remote {
			t.Errorf("Remote(%s): got %v, want %v", test.name, got, test.remote)
		}
		if got := NearCity(test.lat, test.lon, 100); got != test.near {
			t.Errorf("NearCity(%s): got %v, want %v", test.name, got, test.near)
		}
	}
}
