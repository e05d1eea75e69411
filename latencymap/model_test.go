package latencymap

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// readTable reads a CSV file in testdata and leaves out its header.
func readTable(t testing.TB, name string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// modelMS returns the model's estimate. The name of the datacenter does not matter.
func modelMS(t testing.TB, player, datacenter Position) float64 {
	t.Helper()
	m := builtinModel()
	to := m.destination(datacenter)
	return m.estimate(player, &to)
}

// quantile returns a nearest-rank quantile.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(int(math.Ceil(share*float64(len(sorted))))-1, 0)]
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// TestModelOnReference compares the model with 201 pairs of cloud regions all over the world. Cloud
// regions have no access network, so the test fits one constant. The model treats player and
// datacenter differently. Whichever region is the player, the mean error must be at most 11 ms.
func TestModelOnReference(t *testing.T) {
	regions := make(map[string]Position)
	for _, row := range readTable(t, "rtt_regions.csv") {
		regions[row[0]] = Position{number(t, row[3]), number(t, row[4])}
	}
	var forth, back, both []float64 // measured RTT minus estimate
	for _, row := range readTable(t, "rtt_reference.csv") {
		a, b, rtt := regions[row[0]], regions[row[1]], number(t, row[2])
		ab, ba := modelMS(t, a, b), modelMS(t, b, a)
		forth, back, both = append(forth, rtt-ab), append(back, rtt-ba), append(both, rtt-(ab+ba)/2)
	}
	for _, c := range []struct {
		name  string
		error []float64
	}{{"forth", forth}, {"back", back}, {"both", both}} {
		constant := quantile(c.error, 0.5)
		for i := range c.error {
			c.error[i] = math.Abs(c.error[i] - constant)
		}
		t.Logf("%s: %d pairs, constant %.1f ms, mean error %.2f ms, p90 %.1f ms", c.name, len(c.error), constant, mean(c.error), quantile(c.error, 0.9))
		if len(c.error) != 201 || mean(c.error) > 11 {
			t.Errorf("%s: got mean error %.2f ms of %d pairs, want at most 11 ms of 201", c.name, mean(c.error), len(c.error))
		}
	}
}

// cityPairs calls yield with all pairs of rtt_cities.csv.
func cityPairs(t *testing.T, yield func(city, datacenter string, player, at Position, km, rtt float64)) {
	cities := make(map[string]Position)
	for _, row := range readTable(t, "rtt_city_positions.csv") {
		cities[row[0]] = Position{number(t, row[1]), number(t, row[2])}
	}
	datacenters := map[string]Position{
		"saopaulo": {-23.533773, -46.625290}, "santiago": {-33.447487, -70.673676}, "miami": {25.793449, -80.139198},
		"sydney": {-33.865143, 151.209900}, "losangeles": {34.052235, -118.243683}, "sanjose": {37.335480, -121.893028},
	}
	for _, row := range readTable(t, "rtt_cities.csv") {
		yield(row[0], row[1], cities[row[0]], datacenters[row[1]], number(t, row[2]), number(t, row[3]))
	}
}

func TestModelOnCities(t *testing.T) {
	pairs, missed := 0, 0
	cityPairs(t, func(city, datacenter string, player, at Position, km, rtt float64) {
		if d := greatCircleKM(player, at); math.Abs(d-km) > 25 {
			t.Errorf("%s-%s: got distance %.0f km, want %.0f as in the table; the positions may be of another city", city, datacenter, d, km)
		}
		pairs++
		got := modelMS(t, player, at)
		if math.Abs(got-rtt) > max(15, rtt/4) {
			missed++
			t.Logf("%s-%s: %.0f ms, measured %.0f", city, datacenter, got, rtt)
		}
	})
	t.Logf("%d of %d pairs outside the tolerance", missed, pairs)
	if pairs != 120 || missed > 6 {
		t.Errorf("got %d of %d pairs outside the tolerance, want at most 6 of 120", missed, pairs)
	}
}

// TestModelExamples checks that some estimates are within 15 ms or 25 % of the measured RTT.
func TestModelExamples(t *testing.T) {
	cities := map[string]Position{
		"Lima": {-12.043, -77.028}, "Quito": {-0.230, -78.525}, "Bogota": {4.610, -74.082}, "Manaus": {-3.102, -60.025},
		"Buenos Aires": {-34.613, -58.377}, "Fortaleza": {-3.717, -38.543}, "Perth": {-31.952, 115.861}, "Auckland": {-36.849, 174.763},
		"London": {51.509, -0.126}, "Santiago": {-33.447, -70.674}, "Miami": {25.793, -80.139}, "Sao Paulo": {-23.534, -46.625},
		"Sydney": {-33.865, 151.210}, "Los Angeles": {34.052, -118.244}, "New York": {40.731, -73.935},
	}
	for _, c := range []struct {
		player, datacenter string
		want               float64
	}{
		{"Lima", "Santiago", 48}, {"Lima", "Miami", 74}, {"Lima", "Sao Paulo", 99},
		{"Quito", "Miami", 68}, {"Quito", "Sao Paulo", 147}, {"Quito", "Santiago", 159},
		{"Bogota", "Miami", 63}, {"Bogota", "Sao Paulo", 155},
		{"Manaus", "Sao Paulo", 74}, {"Manaus", "Miami", 158},
		{"Buenos Aires", "Santiago", 28}, {"Buenos Aires", "Sao Paulo", 37},
		{"Fortaleza", "Sao Paulo", 48}, {"Fortaleza", "Miami", 75},
		{"Perth", "Sydney", 57}, {"Auckland", "Sydney", 35}, {"Auckland", "Los Angeles", 157},
		{"London", "New York", 83},
	} {
		got := modelMS(t, cities[c.player], cities[c.datacenter])
		t.Logf("%s-%s: %.0f ms, measured %.0f", c.player, c.datacenter, got, c.want)
		if math.Abs(got-c.want) > max(15, c.want/4) {
			t.Errorf("%s-%s: got %.0f ms, want %.0f within max(15 ms, 25 %%)", c.player, c.datacenter, got, c.want)
		}
	}
}

// TestModelNeverBeatsLight checks every seventh cell with datacenters all over the world.
func TestModelNeverBeatsLight(t *testing.T) {
	set := mustOpen(t, nil, worldwide, Options{})
	for cell := 0; cell < Cells; cell += 7 {
		place := CellCentre(cell)
		for dc, d := range worldwide {
			km := greatCircleKM(place, Position{d.Lat, d.Lon})
			ms, source := set.Lookup(dc, place.Lat, place.Lon)
			if ms < km/100 || math.IsInf(ms, 0) || source != SourceModel {
				t.Fatalf("%v to %s: got %v ms over %.0f km from source %v, want a finite RTT, not faster than light in fibre, from the model", place, d.Name, ms, km, source)
			}
		}
	}
}

// TestModelIsSmooth walks around the world along parallels and meridians in steps of 0.05 degrees
// (5.6 km). The steepest slope on the way to a hub, 4.3 km of cable per km, gives 0.24 ms per step
// at factor 1. Larger factors and their gradients increase that. No step may change the estimate by
// more than 4 ms. Without smoothing, an edge between two areas would cause jumps of tens of
// milliseconds.
func TestModelIsSmooth(t *testing.T) {
	set := mustOpen(t, nil, worldwide, Options{})
	steepest := 0.0
	walk := func(at func(step int) Position, steps int) {
		way := make([]Position, steps)
		for step := range way {
			way[step] = at(step)
		}
		table := set.Table(way, nil) // rounded to 1/16 ms, and much faster than Lookup
		for dc, d := range worldwide {
			for step := 1; step < steps; step++ {
				before, ms := Milliseconds(table.Row(step - 1)[dc]), Milliseconds(table.Row(step)[dc])
				steepest = max(steepest, math.Abs(ms-before))
				if math.Abs(ms-before) > 4 {
					t.Errorf("%v to %s: got %.1f ms after %.1f ms one step before, want at most 4 ms of difference", way[step], d.Name, ms, before)
				}
			}
		}
	}
	for lat := -50.0; lat <= 65; lat += 23 {
		walk(func(step int) Position { return Position{lat, float64(step)*0.05 - 180} }, 7201)
	}
	for lon := -175.0; lon < 180; lon += 70 {
		walk(func(step int) Position { return Position{float64(step)*0.05 - 60, lon} }, 2601)
	}
	t.Logf("steepest step %.2f ms", steepest)
}

// TestCables compares the lengths of routes with sums along the corridors.
func TestCables(t *testing.T) {
	hubs := []Position{{0, 0}, {0, 10}, {0, 20}, {10, 10}, {40, 40}}
	c := newCables(hubs, [][2]int{{0, 1}, {1, 2}, {0, 3}, {3, 2}})
	degree := earthRadiusKM * math.Pi / 180
	if got, want := c.lengthKM[0][2], 20*degree; math.Abs(got-want) > 1e-6 {
		t.Errorf("length along the equator: got %v km, want %v", got, want)
	}
	if got := c.lengthKM[0][4]; !math.IsInf(got, 1) {
		t.Errorf("length to a hub without corridors: got %v km, want +Inf", got)
	}
	// From 5 degrees west of the first hub to 5 degrees east of the third, there are two legs of 5
	// degrees, each stretched by 1.3.
	routes := c.routesTo(Position{0, 25}.vector())
	if got, want := c.routeKM(Position{0, -5}.vector(), routes), (20+2*5*1.3)*degree; math.Abs(got-want) > 1e-6 {
		t.Errorf("route: got %v km, want %v", got, want)
	}
	if got, want := legKM(2500), 1.3*2500+3*1000.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("legKM(2500): got %v km, want %v", got, want)
	}
}

func TestDistance(t *testing.T) {
	quarter := earthRadiusKM * math.Pi / 2
	for _, c := range []struct {
		a, b Position
		want float64
	}{
		{Position{51.5074, -0.1278}, Position{40.7128, -74.0060}, 5570.2},
		{Position{0, 0}, Position{0, 0}, 0},
		{Position{90, 17}, Position{90, -120}, 0},
		{Position{0, 180}, Position{0, -180}, 0},
		{Position{0, 0}, Position{0, 90}, quarter},
		{Position{0, 0}, Position{90, 0}, quarter},
		{Position{-90, 0}, Position{90, 0}, 2 * quarter},
		{Position{30, 40}, Position{-30, -140}, 2 * quarter},
	} {
		if got := greatCircleKM(c.a, c.b); math.Abs(got-c.want) > 0.05 {
			t.Errorf("%v to %v: got %v km, want %v", c.a, c.b, got, c.want)
		}
	}
	for cell := 0; cell < Cells; cell += 97 {
		radius, centre := cellRadiusKM(cell), CellCentre(cell)
		for i := range 9 {
			edge := Position{centre.Lat + float64(i/3-1)*0.5, centre.Lon + float64(i%3-1)*0.5}
			if km := greatCircleKM(centre, edge); km > radius+1e-9 {
				t.Fatalf("corner %v: got %v km from the centre %v, want at most the radius %v", edge, km, centre, radius)
			}
		}
	}
	if got := chordKilometres(chordSquaredOf(1234)); math.Abs(got-1234) > 1e-6 {
		t.Errorf("chordKilometres of 1234 km: got %v km", got)
	}
}

func ExampleSet_Lookup() {
	set, err := Open(nil, "", []Datacenter{{Name: "miami", Lat: 25.79, Lon: -80.14}}, Options{Fallback: Line})
	if err != nil {
		fmt.Println(err)
		return
	}
	ms, source := set.Lookup(0, -12.04, -77.03) // Lima
	fmt.Printf("%.1f ms (%v)\n", ms, source)
	// Output: 85.2 ms (line)
}

func ExampleSet_Table() {
	set, err := Open(nil, "", []Datacenter{{"london", 51.51, -0.13}, {"tokyo", 35.68, 139.77}}, Options{Fallback: Fibre, Fudge: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	table := set.Table([]Position{{48.86, 2.35}, {37.57, 126.98}}, nil) // Paris, Seoul
	for place, near := range table.Within(Quantise(50)) {
		fmt.Printf("best %.4f ms, datacenters within 50 ms %02b\n", Milliseconds(table.Best[place]), near)
	}
	// Output:
	// best 3.4375 ms, datacenters within 50 ms 01
	// best 11.6250 ms, datacenters within 50 ms 10
}
