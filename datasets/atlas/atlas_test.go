package atlas

import (
	"math"
	"testing"

	"mmsim/datasets"
)

func TestBuiltinCities(t *testing.T) {
	cities := Cities()
	if len(cities) != 5830 {
		t.Errorf("got %d cities, want 5830", len(cities))
	}
	seen := make(map[string]bool)
	for i, c := range cities {
		if c.Continent == 0 || c.Name == "" || c.Population < 100_000 || math.Abs(c.Lat) > 90 || math.Abs(c.Lon) > 180 {
			t.Errorf("city %d: got %+v, want a name, a continent, at least 100,000 people and a valid position", i, c)
		}
		if i > 0 && cities[i-1].Population < c.Population {
			t.Errorf("%s comes after %s, which is smaller; want the largest city first", c.Name, cities[i-1].Name)
		}
		if seen[c.Zone] {
			continue
		}
		seen[c.Zone] = true
		if zone := Zone(c.Zone); zone.String() != c.Zone {
			t.Errorf("%s: got zone %v, want %s", c.Name, zone, c.Zone)
		}
	}
	if embedded := len(zones().File); embedded != len(seen) {
		t.Errorf("got %d embedded time zones, want the %d that cities use; run scripts/data zones", embedded, len(seen))
	}
}

func TestCountries(t *testing.T) {
	countries := Countries()
	if len(countries) != 171 {
		t.Errorf("got %d countries, want 171", len(countries))
	}
	online := make(map[string]float64)
	for i, c := range countries {
		if !(c.Online >= 0 && c.Online <= 1) || c.Population <= 0 || i > 0 && countries[i-1].Code >= c.Code {
			t.Errorf("got country %+v, want a share online from 0 to 1, a population, and codes in ascending order", c)
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
			t.Errorf("%s: got estimated share online %v, want the median of its continent, but %d countries have less and %d have more", code, online[code], below, above)
		}
	}
}

func TestCoastline(t *testing.T) {
	rings := Coastline()
	if len(rings) != 128 {
		t.Errorf("got %d rings, want 128", len(rings))
	}
	crossings := 0
	for i, ring := range rings {
		if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
			t.Errorf("ring %d with %d points is not closed", i, len(ring))
		}
		for k, p := range ring {
			if math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180 {
				t.Errorf("ring %d: got point %v, want a valid position", i, p)
			}
			if k > 0 && math.Abs(p.Lon-ring[k-1].Lon) > 180 {
				crossings++
			}
		}
	}
	if crossings != 1 {
		t.Errorf("got %d lines across the antimeridian, want 1", crossings)
	}
}

func TestCredits(t *testing.T) {
	for _, c := range Credits() {
		if c.Data == "" || c.Source == "" || c.Licence == "" {
			t.Errorf("got credit %+v, want data, source and licence", c)
		}
	}
}
