package atlas

import (
	"math"
	"testing"

	"mmsim/datasets/internal/draws"
)

func TestFindCountry(t *testing.T) {
	for name, want := range map[string]string{
		"DE": "DE", "de": "DE", "DEU": "DE", "deu": "DE", "Germany": "DE", "GERMANY": "DE",
		"NA": "NA", "NAM": "NA", "Namibia": "NA",
		"USA": "US", "U.S.A.": "US", "United States of America": "US", "united states": "US",
		"UK": "GB", "United Kingdom": "GB", "GBR": "GB",
		"Türkiye": "TR", "Turkey": "TR", "Côte d'Ivoire": "CI", "Côte d’Ivoire": "CI", "Ivory Coast": "CI",
		"Bosnia & Herzegovina": "BA", "Bosnia and Herzegovina": "BA", "Myanmar (Burma)": "MM", "Congo - Kinshasa": "CD",
		"St. Lucia": "LC", "Saint Lucia": "LC", "Malta": "MT", "Hong Kong SAR China": "HK", "Hong Kong": "HK", "XKX": "XK",
		"Republic of Korea": "KR", "South Korea": "KR", "Czechia": "CZ", "Czech Republic": "CZ", "Viet Nam": "VN", "Vietnam": "VN",
	} {
		if code, ok := FindCountry(name); !ok || code.String() != want {
			t.Errorf("FindCountry(%q): got %s, %v, want %s", name, code, ok, want)
		}
	}
	for _, name := range []string{"", "XX", "ZZ", "T1", "(not set)", "unknown", "Germny", "-"} {
		if code, ok := FindCountry(name); ok {
			t.Errorf("FindCountry(%q): got %s, want none", name, code)
		}
	}
	for name, want := range map[string]string{"Germny": "Germany", "Untied States": "United States", "GER": "Germany", "Deutschland": "", "XX": "", "(not set)": "", "qqqqqqqq": ""} {
		if got := NearestCountry(name); got != want {
			t.Errorf("NearestCountry(%q): got %q, want %q", name, got, want)
		}
	}
}

// Every country of the list of cities has a name, every name has a town, and every name leads to one country.
func TestNamesAreComplete(t *testing.T) {
	x := builtinIndex()
	for _, c := range Countries() {
		if code, ok := FindCountry(c.Code.String()); !ok || code != c.Code {
			t.Errorf("country %s of the cities is not in names.csv", c.Code)
		}
	}
	owner := map[string]string{}
	for _, row := range embedded(namesCSV) {
		code := mustCountry(row[0])
		if len(x.towns[code]) == 0 {
			t.Errorf("country %s has no town", row[0])
		}
		for _, name := range append(append([]string{}, row[:2]...), row[2]) {
			if name != row[2] && owner[name] != "" {
				t.Errorf("code %s is that of %s and of %s", name, owner[name], row[0])
			}
			owner[name] = row[0]
		}
	}
	for _, name := range x.names {
		if fold(name) == "" {
			t.Errorf("name %q has no letters", name)
		}
	}
	for _, c := range Cities() {
		if named := x.regions[c.Country]; c.Region != "" && len(named) == 0 {
			t.Errorf("city %s, %s: region %s is not in regions.csv", c.Name, c.Country, c.Region)
		}
	}
}

// A twin that walks all cities for every area and every draw.
func TestDrawIsByPeople(t *testing.T) {
	for _, test := range []struct {
		country, region, city string
		regions               map[string]bool // codes of the regions of the towns that can be drawn; nil for all
		unknownRegion         bool
		unknownCity           bool
	}{
		{"US", "", "", nil, false, false},
		{"US", "Texas", "", map[string]bool{"TX": true}, false, false},
		{"US", "TX", "", map[string]bool{"TX": true}, false, false},
		{"US", "us-tx", "", map[string]bool{"TX": true}, false, false},
		{"US", "Vermont", "", nil, true, false}, // has no city of 100,000 people
		{"US", "Texas", "Nowhere City", map[string]bool{"TX": true}, false, true},
		{"DE", "Bavaria", "", map[string]bool{"02": true}, false, false},
		{"DE", "02", "", nil, true, false}, // GeoNames' number means nothing to users
		{"DE", "Berlin", "", map[string]bool{"16": true}, false, false},
	} {
		code := mustCountry(test.country)
		want, people := map[Point]float64{}, 0.0
		for _, c := range Cities() {
			if c.Country == code && (test.regions == nil || test.regions[c.Region]) {
				want[Point{c.Lat, c.Lon}] += float64(c.Population)
				people += float64(c.Population)
			}
		}
		area := FindArea(code, test.region, test.city)
		if area.Unknown.Region != test.unknownRegion || area.Unknown.City != test.unknownCity {
			t.Errorf("%+v: got unknown %+v", test, area.Unknown)
		}
		const n = 200_000
		got, draw := map[Point]float64{}, draws.Stream(7)
		for i := range uint64(n) {
			got[area.Draw(draw(i, 0))]++
		}
		for p, weight := range want {
			share := weight / people
			if sd := math.Sqrt(share * (1 - share) / n); math.Abs(got[p]/n-share) > 5*sd+1e-9 {
				t.Errorf("%+v: town at %v: got share %.5f, want %.5f", test, p, got[p]/n, share)
			}
			delete(got, p)
		}
		if len(got) > 0 {
			t.Errorf("%+v: drew towns outside of the area: %v", test, got)
		}
	}
}

func TestFindCity(t *testing.T) {
	us := mustCountry("US")
	for _, test := range []struct {
		country, region, city string
		lat, lon              float64
	}{
		{"DE", "", "Berlin", 52.52, 13.41}, {"DE", "", "berlin", 52.52, 13.41}, {"BR", "", "São Paulo", -23.55, -46.64},
		{"US", "Missouri", "Springfield", 37.2, -93.3}, {"US", "MA", "Springfield", 42.1, -72.6},
		{"US", "", "St. Louis", 38.6, -90.2}, {"MT", "", "Valletta", 35.9, 14.46}, // Malta has only one town
	} {
		area := FindArea(mustCountry(test.country), test.region, test.city)
		if p := area.Draw(1 << 63); math.Abs(p.Lat-test.lat) > 0.1 || math.Abs(p.Lon-test.lon) > 0.1 {
			t.Errorf("%+v: got %v", test, p)
		}
	}
	springfields := map[Point]bool{}
	area, draw := FindArea(us, "", "Springfield"), draws.Stream(1)
	for i := range uint64(1000) {
		springfields[area.Draw(draw(i, 0))] = true
	}
	if len(springfields) < 2 {
		t.Errorf("got %d places called Springfield without a state, want several", len(springfields))
	}
}
