package atlas

import (
	"math"
	"testing"

	"mmsim/datasets"
)

func TestBuiltinCities(t *testing.T) {
	cities := Cities()
	if len(cities) != 5830 {
		t.Errorf("%d cities, want 5830", len(cities))
	}
	seen := make(map[string]bool)
	for i, c := range cities {
		if c.Continent == 0 || c.Name == "" || c.Population < 100_000 || math.Abs(c.Lat) > 90 || math.Abs(c.Lon) > 180 {
			t.Errorf("city %d: %+v", i, c)
		}
		if i > 0 && cities[i-1].Population < c.Population {
			t.Errorf("%s stands behind the smaller %s", c.Name, cities[i-1].Name)
		}
		if seen[c.Zone] {
			continue
		}
		seen[c.Zone] = true
		if zone := Zone(c.Zone); zone.String() != c.Zone {
			t.Errorf("%s: zone %v, want %s", c.Name, zone, c.Zone)
		}
	}
	if embedded := len(zones().File); embedded != len(seen) {
		t.Errorf("%d zones are embedded, the cities use %d: run scripts/data/zones", embedded, len(seen))
	}
}

func TestCountries(t *testing.T) {
	countries := Countries()
	if len(countries) != 171 {
		t.Errorf("%d countries, want 171", len(countries))
	}
	online := make(map[string]float64)
	for i, c := range countries {
		if !(c.Online >= 0 && c.Online <= 1) || c.Population <= 0 || i > 0 && countries[i-1].Code >= c.Code {
			t.Errorf("country %+v", c)
		}
		online[c.Code.String()] = c.Online
	}
	// Countries without data have the median of their continent.
	for code, c := range map[string]datasets.Continent{"TW": datasets.Asia, "XK": datasets.Europe, "EH": datasets.Africa, "RE": datasets.Africa} {
		below, above := 0, 0
		for _, other := range countries {
			if other.Continent == c && other.Online < online[code] {
				below++
			} else if other.Continent == c && other.Online > online[code] {
				above++
			}
		}
		if below-above > 2 || above-below > 2 {
			t.Errorf("%s has %v online: %d countries of its continent have less, %d more", code, online[code], below, above)
		}
	}
}

func TestCoastline(t *testing.T) {
	rings := Coastline()
	if len(rings) != 128 {
		t.Errorf("%d rings, want 128", len(rings))
	}
	crossings := 0
	for i, ring := range rings {
		if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
			t.Errorf("ring %d of %d points is not closed", i, len(ring))
		}
		for k, p := range ring {
			if math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180 {
				t.Errorf("ring %d: %v", i, p)
			}
			if k > 0 && math.Abs(p.Lon-ring[k-1].Lon) > 180 {
				crossings++
			}
		}
	}
	if crossings != 1 {
		t.Errorf("%d lines cross the antimeridian, want 1", crossings)
	}
}

func TestCredits(t *testing.T) {
	for _, c := range Credits() {
		if c.Data == "" || c.Source == "" || c.Licence == "" {
			t.Errorf("%+v", c)
		}
	}
}
