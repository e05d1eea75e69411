package latencymap

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// realMaps opens the real latency maps, which are not in the repository.
func realMaps(t testing.TB, options Options) (*Set, []Datacenter) {
	t.Helper()
	root := os.Getenv("MMSIM_TESTDATA")
	if root == "" {
		t.Skip("skipped: set MMSIM_TESTDATA to the folder with the real maps")
	}
	dir := filepath.Join(root, "masbandwidth")
	list, err := os.ReadFile(filepath.Join(dir, "datacenters.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var datacenters []Datacenter
	for line := range strings.Lines(string(list)) {
		if field := strings.Split(strings.TrimSpace(line), ","); len(field) == 4 {
			datacenters = append(datacenters, Datacenter{Name: field[1], Lat: number(t, field[2]), Lon: number(t, field[3])})
		}
	}
	set, err := Open(os.DirFS(dir), "masbandwidth", datacenters, options)
	if err != nil {
		t.Fatal(err)
	}
	return set, datacenters
}

// TestModelOnRealMaps compares the model with the clean cells of 28 real maps. The median error
// must be at most 4.9 ms and the 90th percentile at most 14.9 ms.
func TestModelOnRealMaps(t *testing.T) {
	set, datacenters := realMaps(t, Options{Clean: true})
	var errors []float64
	total := Cleaned{}
	for dc := range datacenters {
		for cell := range Cells {
			place := CellCentre(cell)
			if ms, source := set.Lookup(dc, place.Lat, place.Lon); source == SourceMap {
				errors = append(errors, math.Abs(set.model.estimate(place, &set.destinations[dc])-ms))
			}
		}
		c := set.Cleaned(dc)
		total.NullIsland += c.NullIsland
		total.FasterThanLight += c.FasterThanLight
		total.NaN += c.NaN
	}
	median, p90 := quantile(errors, 0.5), quantile(errors, 0.9)
	t.Logf("%d clean cells, median error %.2f ms, p90 %.2f ms; cleaned %+v", len(errors), median, p90, total)
	if median > 4.9 || p90 > 14.9 {
		t.Errorf("got median error %.2f ms and p90 %.2f ms, want at most 4.9 and 14.9", median, p90)
	}
	if want := (Cleaned{NullIsland: 27, FasterThanLight: 25, NaN: 19954}); len(errors) != 21512 || total != want {
		t.Errorf("got %d clean cells, cleaned %+v, want 21512 and %+v", len(errors), total, want)
	}
	if missing := set.Missing(); len(missing) != 1 || missing[0] != "luxembourg" || set.Stray() != nil {
		t.Errorf("got missing %v and stray files %v, want luxembourg and none", missing, set.Stray())
	}
}

// TestSpotValues checks 100 known cells with and without cleaning. Raw values do not depend on
// cleaning.
func TestSpotValues(t *testing.T) {
	raw, err := os.ReadFile("testdata/spot-values.json")
	if err != nil {
		t.Fatal(err)
	}
	var expect struct {
		Tolerance float64 `json:"tolerance_ms"`
		Spots     []struct {
			Datacenter, Place string
			Lat, Lon          float64
			Row, Col          int
			Map               *float64 `json:"map_ms"`
		}
	}
	if err := json.Unmarshal(raw, &expect); err != nil {
		t.Fatal(err)
	}
	if len(expect.Spots) != 100 {
		t.Fatalf("got %d spots, want 100", len(expect.Spots))
	}
	for _, clean := range []bool{false, true} {
		set, datacenters := realMaps(t, Options{Clean: clean})
		number := make(map[string]int)
		for dc, d := range datacenters {
			number[d.Name] = dc
		}
		for _, spot := range expect.Spots {
			if cell := CellOf(spot.Lat, spot.Lon); cell != spot.Row*Cols+spot.Col {
				t.Errorf("%s: got cell %d, want row %d col %d", spot.Place, cell, spot.Row, spot.Col)
			}
			got, ok := set.Raw(number[spot.Datacenter], spot.Lat, spot.Lon)
			switch {
			case ok != (spot.Map != nil):
				t.Errorf("%s to %s: got sample found %v, want %v", spot.Place, spot.Datacenter, ok, spot.Map != nil)
			case ok && math.Abs(got-*spot.Map) > expect.Tolerance:
				t.Errorf("%s to %s: got %v ms, want %v", spot.Place, spot.Datacenter, got, *spot.Map)
			}
		}
	}
}

func BenchmarkOpenRealMaps(b *testing.B) {
	builtinModel()
	for b.Loop() {
		realMaps(b, Options{Clean: true})
	}
}

func BenchmarkBuiltinModel(b *testing.B) {
	for b.Loop() {
		if _, err := ParseStretch(table("stretch_areas.csv"), table("stretch_clusters.csv"), table("stretch_factors.csv")); err != nil {
			b.Fatal(err)
		}
	}
}
