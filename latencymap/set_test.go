package latencymap

import (
	"image"
	"image/color"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var (
	london  = Datacenter{Name: "london", Lat: 51.5072, Lon: 0.1276}
	newYork = Datacenter{Name: "newyork", Lat: 40.7306, Lon: -73.9352}
	sydney  = Datacenter{Name: "sydney", Lat: -33.8651, Lon: 151.2099}
	tokyo   = Datacenter{Name: "tokyo", Lat: 35.68, Lon: 139.77}
)

func mustOpen(t testing.TB, maps fstest.MapFS, datacenters []Datacenter, options Options) *Set {
	t.Helper()
	var set *Set
	var err error
	if maps == nil {
		set, err = Open(nil, "", datacenters, options)
	} else {
		set, err = Open(maps, "maps", datacenters, options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestSet reads a folder that contains one good map in each format, a map without a datacenter and
// an unrelated file. One datacenter has no map.
func TestSet(t *testing.T) {
	paris := CellOf(48.86, 2.35)
	picture := image.NewGray(image.Rect(0, 0, Cols, Rows))
	picture.SetGray(paris%Cols, paris/Cols, color.Gray{Y: 90})
	maps := fstest.MapFS{
		"latency_london.bin": {Data: binOf(t, map[int]float32{
			paris:                12.25,
			CellOf(0, 0):         80,                  // null island
			CellOf(40.7, -74):    40,                  // light in fibre takes 55.8 ms
			CellOf(-33.9, 151.2): 170,                 // light in fibre takes 170 ms, and the limit is 15 % above that
			CellOf(52, 0):        float32(math.NaN()), // no sample, with or without cleaning
			CellOf(53, 0):        -5,
		})},
		"latency_newyork.png": {Data: pngOf(t, picture)},
		"latency_berlin.bin":  {Data: binOf(t, nil)},
		"latency_berlin.jpg":  {}, // unsupported formats
		"latency_london.BIN":  {},
		"notes_london.bin":    {},
		"datacenters.csv":     {},
	}
	datacenters := []Datacenter{london, newYork, sydney}
	for _, clean := range []bool{true, false} {
		set := mustOpen(t, maps, datacenters, Options{Clean: clean, Fallback: Line})
		if diff := cmp.Diff([]string{"sydney"}, set.Missing()); diff != "" {
			t.Errorf("Missing (-want +got): %s", diff)
		}
		if diff := cmp.Diff([]string{"latency_berlin.bin", "latency_berlin.jpg", "latency_london.BIN"}, set.Stray()); diff != "" {
			t.Errorf("Stray (-want +got): %s", diff)
		}
		want := Cleaned{NaN: 2}
		if clean {
			want = Cleaned{NullIsland: 1, FasterThanLight: 2, NaN: 2}
		}
		if diff := cmp.Diff(want, set.Cleaned(0)); diff != "" {
			t.Errorf("Cleaned with clean %v (-want +got): %s", clean, diff)
		}
		for _, c := range []struct {
			dc       int
			lat, lon float64
			raw      float64 // 0 if there is none
			dropped  bool    // dropped by cleaning
		}{
			{0, 48.1, 2.9, 12.25, false},
			{0, 0.5, 0.5, 80, true},
			{0, 40.2, -73.5, 40, true},
			{0, -33.5, 151.5, 170, true},
			{0, 52.5, 0.5, 0, false},
			{0, 53.5, 0.5, 0, false},
			{1, 48.1, 2.9, 90, false},
			{1, 50, 50, 0, false},
			{2, 48.1, 2.9, 0, false},
		} {
			if raw, ok := set.Raw(c.dc, c.lat, c.lon); raw != c.raw || ok != (c.raw > 0) {
				t.Errorf("Raw(%d, %v, %v): got %v, %v, want %v", c.dc, c.lat, c.lon, raw, ok, c.raw)
			}
			d := datacenters[c.dc]
			wantMS, wantSource := c.raw, SourceMap
			if c.raw == 0 || clean && c.dropped {
				km := greatCircleKM(Position{c.lat, c.lon}, Position{d.Lat, d.Lon})
				wantMS, wantSource = 18.5+15.8*km/1000, SourceLine
			}
			if ms, source := set.Lookup(c.dc, c.lat, c.lon); math.Abs(ms-wantMS) > 1e-9 || source != wantSource {
				t.Errorf("Lookup(%d, %v, %v): got %v from %v, want %v from %v", c.dc, c.lat, c.lon, ms, source, wantMS, wantSource)
			}
		}
	}
}

// A map without usable samples is not missing. It is reported with counts.
func TestEmptyMaps(t *testing.T) {
	maps := fstest.MapFS{
		"latency_london.bin":  {Data: binOf(t, map[int]float32{CellOf(52, 0): float32(math.NaN()), CellOf(53, 0): -5, CellOf(0, 0): 80})},
		"latency_newyork.bin": {Data: binOf(t, map[int]float32{CellOf(40, -74): 5, CellOf(53, 0): -5})},
	}
	want := []string{"the map of london has no sample that can be used: of 64800 cells 2 are NaN, infinite or negative, 1 at null island, 0 faster than light"}
	set := mustOpen(t, maps, []Datacenter{london, newYork, sydney}, Options{Clean: true, Fallback: Line})
	if diff := cmp.Diff(want, set.Empty()); diff != "" {
		t.Error(diff)
	}
	set = mustOpen(t, maps, []Datacenter{london, newYork}, Options{Fallback: Line})
	if len(set.Empty()) > 0 {
		t.Errorf("without cleaning: got empty maps %q, want none, because the sample at 0, 0 counts", set.Empty())
	}
}

// TestFasterThanLight checks the limit itself: 15 % above the RTT of light in fibre, measured from
// the centre of the cell.
func TestFasterThanLight(t *testing.T) {
	cell := CellOf(40.7, -74)
	limit := 1.15 * greatCircleKM(CellCentre(cell), Position{london.Lat, london.Lon}) / 100
	for ms, want := range map[float64]int{limit - 0.01: 1, limit + 0.01: 0} {
		maps := fstest.MapFS{"latency_london.bin": {Data: binOf(t, map[int]float32{cell: float32(ms)})}}
		set := mustOpen(t, maps, []Datacenter{london}, Options{Clean: true, Fallback: Line})
		if got := set.Cleaned(0).FasterThanLight; got != want {
			t.Errorf("%v ms where light needs %v ms: got %d samples dropped, want %d", ms, limit, got, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	both := fstest.MapFS{
		"latency_london.bin": {Data: binOf(t, nil)},
		"latency_london.png": {Data: pngOf(t, image.NewGray(image.Rect(0, 0, Cols, Rows)))},
	}
	for name, c := range map[string]struct {
		maps        fstest.MapFS
		datacenters []Datacenter
		options     Options
		want        string
	}{
		"both forms": {both, []Datacenter{london}, Options{}, `maps/latency_london.png: datacenter "london" has a .bin map too`},
		"wrong size": {fstest.MapFS{"latency_london.bin": {Data: []byte("x")}}, []Datacenter{london}, Options{}, "maps/latency_london.bin: 1 bytes, expected exactly 259200"},
		"a folder":   {fstest.MapFS{"latency_london.bin/x": {}}, []Datacenter{london}, Options{}, "maps/latency_london.bin: "},
		"none":       {nil, nil, Options{}, "0 datacenters, expected 1 to 64 (MaxDatacenters)"},
		"too many":   {nil, make([]Datacenter, 65), Options{}, "65 datacenters, expected 1 to 64 (MaxDatacenters)"},
		"fudge 0.09": {nil, []Datacenter{london}, Options{Fallback: Fibre, Fudge: 0.09}, "fudge 0.09, expected a factor from 0.1 to 10"},
		"fudge 10.1": {nil, []Datacenter{london}, Options{Fallback: Line, Fudge: 10.1}, "fudge 10.1, "},
		"fudge NaN":  {nil, []Datacenter{london}, Options{Fallback: Fibre, Fudge: math.NaN()}, "fudge NaN, "},
	} {
		_, err := Open(c.maps, "maps", c.datacenters, c.options)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want prefix %q", name, err, c.want)
		}
	}
	if _, err := Open(missingFolder{}, "maps", []Datacenter{london}, Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), "maps: cannot list the folder of latency maps: ") {
		t.Errorf("missing folder: got error %v, want that it cannot be listed", err)
	}
}

type missingFolder struct{ fstest.MapFS }

func (missingFolder) ReadDir(string) ([]fs.DirEntry, error) { return nil, errBroken }

func TestFallbacks(t *testing.T) {
	lon, lat := london.Lon, london.Lat
	for _, c := range []struct {
		options Options
		want    float64
		source  Source
	}{
		// The distance between the city centres, 51.5074 N 0.1278 W and 40.7128 N 74.0060 W, is
		// 5,570.2 km.
		{Options{Fallback: Fibre, Fudge: 1}, 55.74, SourceFibre},
		{Options{Fallback: Fibre, Fudge: 1.5}, 83.61, SourceFibre},
		{Options{Fallback: Fibre}, 55.74, SourceFibre},
		{Options{Fallback: Line}, 18.5 + 15.8*5.5702, SourceLine},
		{Options{Fallback: Line, Fudge: 1}, 18.5 + 15.8*5.5702, SourceLine},
		{Options{Fallback: Line, Fudge: 2}, 2 * (18.5 + 15.8*5.5702), SourceLine},
	} {
		set := mustOpen(t, nil, []Datacenter{{Name: "newyork", Lat: 40.7128, Lon: -74.0060}}, c.options)
		if ms, source := set.Lookup(0, 51.5074, -0.1278); math.Abs(ms-c.want) > 0.01 || source != c.source {
			t.Errorf("%+v: got %v ms from %v, want %v ms from %v", c.options, ms, source, c.want, c.source)
		}
		if _, ok := set.Raw(0, lat, lon); ok {
			t.Error("Raw without maps: got a sample, want none")
		}
		if set.Missing() != nil {
			t.Error("Missing without a folder: got some, want nil")
		}
	}
}

// The fudge factor multiplies all estimates, but neither samples of maps nor measured RTTs.
func TestFudge(t *testing.T) {
	here, there := Position{48.86, 2.35}, Position{40.7, -74}
	maps := fstest.MapFS{"latency_london.bin": {Data: binOf(t, map[int]float32{CellOf(here.Lat, here.Lon): 12})}}
	for _, fallback := range []Fallback{Model, Line, Fibre} {
		plain := mustOpen(t, maps, []Datacenter{london, tokyo}, Options{Fallback: fallback})
		set := mustOpen(t, maps, []Datacenter{london, tokyo}, Options{Fallback: fallback, Fudge: 1.5})
		if ms, source := set.Lookup(0, here.Lat, here.Lon); ms != 12 || source != SourceMap {
			t.Errorf("%v: got %v ms from %v in the map, want 12 ms", fallback, ms, source)
		}
		for dc := range 2 {
			want, _ := plain.Lookup(dc, there.Lat, there.Lon)
			if got, _ := set.Lookup(dc, there.Lat, there.Lon); math.Abs(got-1.5*want) > 1e-9 {
				t.Errorf("%v: got %v ms, want 1.5 times %v", fallback, got, want)
			}
		}
		table := set.Table([]Position{here, there}, func(place int) []Measured { return []Measured{{Datacenter: 1, MS: float32(30 + place)}} })
		if got := table.Row(1)[1]; got != 31*StepsPerMS {
			t.Errorf("%v: got %d steps for a measured RTT of 31 ms, want it unchanged", fallback, got)
		}
	}
}
