package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
)

// noLatency returns a map of datacenters without any RTT.
func noLatency(datacenters int) *LatencyMap {
	l := &LatencyMap{
		Name: "latency", RTT: make([]float32, worldmap.Rows*worldmap.Columns), Measured: make([]bool, worldmap.Rows*worldmap.Columns),
		Limits: grade.RTTsOf(outcome.Thresholds{Ideal: 50, Expand: 100}, nil),
	}
	for i := range datacenters {
		l.Datacenters = append(l.Datacenters, outcome.Datacenter{Name: fmt.Sprintf("datacenter %d <&>", i), Latitude: outcome.Degrees(30 - i), Longitude: outcome.Degrees(3 * i)})
	}
	if datacenters > 1 {
		l.Best = make([]int, worldmap.Rows*worldmap.Columns)
	}
	return l
}

// latencyPictures returns maps that must be drawable.
func latencyPictures() map[string]chart.Plot {
	r := rand.New(rand.NewPCG(3, 4))
	full, sparse, one := noLatency(12), noLatency(64), noLatency(1)
	for cell := range full.RTT {
		full.RTT[cell] = float32(cell%worldmap.Columns) + 1
		full.Best[cell] = cell % worldmap.Columns / 30
		sparse.RTT[cell] = r.Float32() * 300
		sparse.Measured[cell] = r.IntN(20) == 0
		sparse.Best[cell] = r.IntN(64)
		one.RTT[cell] = 40
		one.Measured[cell] = true
	}
	equal := noLatency(1)
	equal.Limits = grade.RTTsOf(outcome.Thresholds{Ideal: 50, Expand: 50}, nil)
	difference := &LatencyDifference{
		Name: "difference", Of: "mean of 28 datacenters", A: strings.Repeat("a long name/", 20), B: "new", Limit: 2.5,
		Delta: make([]float32, worldmap.Rows*worldmap.Columns), OnlyA: make([]bool, worldmap.Rows*worldmap.Columns), OnlyB: make([]bool, worldmap.Rows*worldmap.Columns),
	}
	none := *difference
	none.Delta = slices.Repeat([]float32{float32(math.NaN())}, worldmap.Rows*worldmap.Columns)
	for cell := range difference.Delta {
		difference.Delta[cell] = r.Float32()*40 - 20
		if r.IntN(10) == 0 {
			difference.Delta[cell] = float32(math.NaN())
			difference.OnlyA[cell], difference.OnlyB[cell] = cell%2 == 0, cell%2 == 1
		}
		if cell/worldmap.Columns%2 == 0 {
			difference.Delta[cell] = 0 // a picture of pure noise would be larger than any real one
		}
	}
	return map[string]chart.Plot{
		"full": PlotLatency(full, resulttest.Square), "sparse": PlotLatency(sparse, resulttest.Square), "one": PlotLatency(one, nil),
		"nothing": PlotLatency(noLatency(3), resulttest.Square), "nothing of one": PlotLatency(equal, resulttest.Square),
		"difference": PlotLatencyDifference(difference, resulttest.Square), "no difference": PlotLatencyDifference(&none, nil),
	}
}

func TestLatencyPictures(t *testing.T) {
	for name, p := range latencyPictures() {
		if p.Title == "" || p.Note == "" || strings.Contains(p.Title, "NaN") {
			t.Errorf("%s: got title %q and note %q, want both, without NaN", name, p.Title, p.Note)
		}
		checkPNG(t, &p)
		if name != "difference" && name != "sparse" { // these two are noise
			checkSVG(t, &p)
		}
		for _, fault := range resulttest.TextFaults(&p) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// The expected shares are computed by hand. The islands of Square are 40 by 50 and 20 by 10
// cells. The southern cells are nearer to the equator, so they have a larger area.
func TestLatencyTitles(t *testing.T) {
	l := noLatency(2)
	var land, west float64
	for cell := range l.RTT {
		l.RTT[cell] = 150
		row, col := cell/worldmap.Columns, cell%worldmap.Columns
		isIsland := row >= 50 && row < 100 && col >= 170 && col < 210
		isSplit := row >= 30 && row < 40 && (col >= 350 || col < 10)
		if !isIsland && !isSplit {
			continue
		}
		area := math.Cos((89.5 - float64(row)) * math.Pi / 180)
		land += area
		if isIsland && col < 190 {
			west += area
			l.RTT[cell] = 50 // exactly the threshold
		}
	}
	p := PlotLatency(l, split(resulttest.Square))
	want := fmt.Sprintf("The best of 2 datacenters is within 50 ms of %.1f %% of the land, within 100 ms of %.1f %%", 100*west/land, 100*west/land)
	if p.Title != want {
		t.Errorf("got title %s\nwant %s", p.Title, want)
	}
	if title := PlotLatency(noLatency(1), resulttest.Square).Title; title != "datacenter 0 <&>: no RTT is known" {
		t.Errorf("got title %q, want that no RTT is known", title)
	}
}

// split divides the island that crosses the antimeridian in two, as real coastlines do.
func split(coast Coast) Coast {
	return Coast{coast[0],
		{{170, 50}, {180, 50}, {180, 60}, {170, 60}, {170, 50}},
		{{-180, 50}, {-170, 50}, {-170, 60}, {-180, 60}, {-180, 50}},
	}
}

// The coast has a lake and a ring with a corner in every cell. There is no land at sea.
func TestLandCells(t *testing.T) {
	land := worldmap.LandCells(Coast{
		{{0.5, 0.5}, {9.5, 0.5}, {9.5, 9.5}, {0.5, 9.5}, {0.5, 0.5}},
		{{3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}}, // a lake
	})
	for cell, is := range land {
		latitude, longitude := 89-cell/worldmap.Columns, cell%worldmap.Columns-180
		inside := latitude >= 0 && latitude < 10 && longitude >= 0 && longitude < 10
		inLake := latitude >= 3 && latitude < 6 && longitude >= 3 && longitude < 6
		if is != (inside && !inLake) {
			t.Errorf("%d,%d: got land %v, want it true inside the coast and outside the lake", latitude, longitude, is)
		}
	}
}

func TestDifferenceClasses(t *testing.T) {
	d := &LatencyDifference{Limit: 5, Delta: make([]float32, 1), OnlyA: make([]bool, 1), OnlyB: make([]bool, 1)}
	for delta, want := range map[float32]int{-20.5: 0, -20: 1, -5.5: 1, -5: 2, 0: 2, 5: 2, 5.5: 3, 20: 3, 20.5: 4} {
		d.Delta[0] = delta
		if got := d.class(0); got != want {
			t.Errorf("%v ms: got class %d, want %d", delta, got, want)
		}
	}
	d.Delta[0] = float32(math.NaN())
	if d.class(0) != -1 {
		t.Error("a cell without a sample: got a class, want -1")
	}
}
