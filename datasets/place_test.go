package datasets

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSizes(t *testing.T) {
	if size := unsafe.Sizeof(Join{}); size != 12 {
		t.Errorf("got Join of %d bytes, want 12", size)
	}
	if size := unsafe.Sizeof(Place{}); size != 12 {
		t.Errorf("got Place of %d bytes, want 12", size)
	}
}

// The table is compared with a map.
func TestPlaceTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table placeTable
		twin := make(map[Place]uint32)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range rapid.IntRange(0, 6000).Draw(t, "rows") {
			p := Place{LatHundredths: int16(random.IntN(60) - 30), LonHundredths: int16(random.IntN(60) - 30)}
			if random.IntN(4) == 0 {
				p.Country = CountryCode(random.IntN(2))
				p.Continent = Continent(random.IntN(3))
				p.measured = uint32(random.IntN(3))
			}
			want, ok := twin[p]
			if !ok {
				want = uint32(len(twin))
				twin[p] = want
			}
			if got := table.number(p); got != want {
				t.Fatalf("number(%v): got %d, want %d", p, got, want)
			}
		}
		if len(table.places) != len(twin) {
			t.Fatalf("got %d places, want %d", len(table.places), len(twin))
		}
	})
}

func TestCell(t *testing.T) {
	for _, test := range []struct {
		lat, lon int16
		want     int
	}{
		{8999, -18000, 179 * 360},
		{9000, -18000, 179 * 360},
		{-9000, -18000, 0},
		{0, 0, 90*360 + 180},
		{-1, -1, 89*360 + 179},
		{4052, -7381, 130*360 + 106},
		{0, 18000, 90 * 360},
	} {
		if got := (Place{LatHundredths: test.lat, LonHundredths: test.lon}).cell(); got != test.want {
			t.Errorf("cell of %d, %d: got %d, want %d", test.lat, test.lon, got, test.want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	places := []Place{
		{LatHundredths: 150, LonHundredths: 250},
		{LatHundredths: 199, LonHundredths: 299},
		{LatHundredths: 200, LonHundredths: 250},
		{LatHundredths: 160, LonHundredths: 260, Country: 1}, // has data of its own
	}
	n := newNeighbours(places)
	if diff := cmp.Diff([]uint32{0, 1}, n.of(places[0])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint32{2}, n.of(places[2])); diff != "" {
		t.Error(diff)
	}
}

func TestSortByTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latest := rapid.SampledFrom([]uint32{3, 1 << 13, MillisPerDay}).Draw(t, "latest")
		stamps := rapid.SliceOf(rapid.Uint32Range(0, latest-1)).Draw(t, "ms")
		joins := make([]Join, len(stamps))
		for i, ms := range stamps {
			joins[i] = Join{stamp: newStamp(ms, i%3 == 0), Row: uint32(i)}
		}
		want := slices.Clone(joins)
		slices.SortStableFunc(want, func(a, b Join) int { return int(a.MS()) - int(b.MS()) })
		sortByTime(joins)
		if !slices.Equal(joins, want) {
			t.Fatalf("got joins %v, want %v", joins, want)
		}
	})
}

func TestCodes(t *testing.T) {
	for _, code := range []string{"AF", "AN", "AS", "EU", "NA", "OC", "SA"} {
		if c, ok := ParseContinent(code); !ok || c.String() != code {
			t.Errorf("ParseContinent(%q): got %v, %v, want the continent of the code", code, c, ok)
		}
	}
	if c, ok := ParseContinent("eu"); !ok || c != Europe {
		t.Errorf("ParseContinent(\"eu\"): got %v, %v, want Europe", c, ok)
	}
	for _, bad := range []string{"", "E", "EUR", "XX", "E1", "É", "[{"} {
		if c, ok := ParseContinent(bad); ok {
			t.Errorf("ParseContinent(%q): got %v, want it refused", bad, c)
		}
	}
	if c, ok := ParseCountry("de"); !ok || c.String() != "DE" {
		t.Errorf("ParseCountry(\"de\"): got %v, %v, want DE", c, ok)
	}
	if got := CountryCode(0).String() + Continent(0).String(); got != "" {
		t.Errorf("zero codes as text: got %q, want nothing", got)
	}
}
