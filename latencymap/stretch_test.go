package latencymap

import (
	"math"
	"strings"
	"testing"
)

const (
	someAreas = "area,lat_min,lat_max,lon_min,lon_max\n" +
		"island,10,12,-20,-18\nland,0,40,-30,30\n"
	someClusters = "city,lat,lon,cluster\nA,10,0,north\nB,-10,0,south\n"
	someFactors  = "cluster,area,factor,cells\nnorth,land,2,100\nnorth,island,4,20\n"
)

func parse(areas, clusters, factors string) (*Stretch, error) {
	return ParseStretch(strings.NewReader(areas), strings.NewReader(clusters), strings.NewReader(factors))
}

func TestStretch(t *testing.T) {
	s, err := parse(someAreas, someClusters, someFactors)
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[Position]string{
		{10, -20}: "island", {11.99, -18.01}: "island", {12, -20}: "land", {10, -18}: "land", {0, -30}: "land", {-0.01, 0}: "", {0, 30}: "",
	} {
		if got := s.Area(place); got != want {
			t.Errorf("Area(%v): got %q, want %q", place, got, want)
		}
	}
	north, south, nowhere := Position{12, 3}, Position{-9, 1}, Position{50, 100}
	for datacenter, want := range map[Position]string{north: "north", south: "south", nowhere: "", {17.1, 0}: "north", {17.2, 0}: ""} {
		if got := s.Cluster(datacenter); got != want {
			t.Errorf("Cluster(%v): got %q, want %q", datacenter, got, want)
		}
	}
	for _, c := range []struct {
		place, datacenter Position
		want              float64
	}{
		{Position{25, 10}, north, 2},              // well inside
		{Position{-20, 10}, north, SilentStretch}, // in no area
		{Position{25, 10}, south, SilentStretch},  // no factor is listed for this pair
		{Position{25, 10}, nowhere, SilentStretch},
		{Position{0, 10}, north, (2 + SilentStretch) / 2},       // on an edge: the mean of both sides
		{Position{0.5, 10}, north, (2*6 + SilentStretch*3) / 9}, // half a degree inside
		{Position{90, 180}, north, SilentStretch},
		{Position{-90, -180}, north, SilentStretch},
	} {
		if got := s.Factor(c.place, c.datacenter); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("Factor(%v, %v): got %v, want %v", c.place, c.datacenter, got, c.want)
		}
	}
}

// TestFieldPoint checks that the interpolation is an average of the right cells.
func TestFieldPoint(t *testing.T) {
	for _, p := range places(3000) {
		point := fieldPointOf(p)
		weight, lat := 0.0, 0.0
		for i, cell := range point.cells {
			if cell < 0 || cell >= Cells || point.weights[i] < 0 {
				t.Fatalf("%v: got cell %d with weight %v, want a valid cell and a weight of 0 or more", p, cell, point.weights[i])
			}
			weight += point.weights[i]
			lat += point.weights[i] * CellCentre(cell).Lat
		}
		if want := min(max(p.Lat, -89.5), 89.5); math.Abs(weight-1) > 1e-9 || math.Abs(lat-want) > 1e-9 {
			t.Fatalf("%v: got weights that add up to %v around latitude %v, want 1 and %v", p, weight, lat, want)
		}
	}
}

func TestParseStretchErrors(t *testing.T) {
	for name, c := range map[string]struct{ areas, clusters, factors, want string }{
		"number":  {"area,a,b,c,d\nx,0,1,two,3\n", someClusters, someFactors, `stretch_areas.csv:2:7: "two" is not a number`},
		"columns": {someAreas, "city,lat,lon,cluster\nA,1,2\n", someFactors, "stretch_clusters.csv: record on line 2: wrong number of fields"},
		"cluster": {someAreas, someClusters, "h,h,h,h\nwest,land,2,9\n", `stretch_factors.csv:2:1: "west" is not known`},
		"area":    {someAreas, someClusters, "h,h,h,h\nnorth,sea,2,9\n", `stretch_factors.csv:2:7: "sea" is not known`},
		"light":   {someAreas, someClusters, "h,h,h,h\nnorth,land,0.99,9\n", "stretch_factors.csv:2:12: 0.99 is no stretch factor, expected 1 to 20"},
		"nan":     {someAreas, someClusters, "h,h,h,h\nnorth,land,NaN,9\n", "stretch_factors.csv:2:12: NaN is no stretch factor, expected 1 to 20"},
		"quote":   {someAreas, someClusters, "h,h,h,h\n\"", "stretch_factors.csv: "},
	} {
		_, err := parse(c.areas, c.clusters, c.factors)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want prefix %q", name, err, c.want)
		}
	}
}

func FuzzParseStretch(f *testing.F) {
	f.Add(someAreas, someClusters, someFactors)
	f.Add("", "", "")
	f.Add("a,b,c,d,e\nx,-1e400,inf,NaN,0\n", someClusters, someFactors)
	f.Fuzz(func(t *testing.T, areas, clusters, factors string) {
		s, err := parse(areas, clusters, factors)
		if (s == nil) == (err == nil) {
			t.Fatalf("got a stretch: %v, with error %v, want exactly one of them", s != nil, err)
		}
		if err != nil {
			return
		}
		for _, p := range []Position{{10, -20}, {90, 180}, {-90, -180}} {
			if factor := s.Factor(p, p); !(factor >= 0.999 && factor <= 20.001) {
				t.Fatalf("got factor %v, want 1 to 20", factor)
			}
		}
	})
}
