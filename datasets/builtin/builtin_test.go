package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/draws"
)

// ordinary returns the options of the default built-in day.
func ordinary() Options {
	return Options{Preset: defaultPreset, Joins: 1_000_000, Date: time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)}
}

func testDraws(seed uint64) datasets.Draws {
	return datasets.Draws{Arrivals: draws.Stream(draws.Mix(seed) + 6)}
}

func builtin(tb testing.TB, change func(*Options), seed uint64) *datasets.Day {
	tb.Helper()
	o := ordinary()
	if change != nil {
		change(&o)
	}
	day, err := Generate(o, testDraws(seed))
	if err != nil {
		tb.Fatal(err)
	}
	return day
}

// lines formats joins for comparison.
func lines(d *datasets.Day) []string {
	var all []string
	for j := range d.Joins() {
		p := d.Places[j.Place]
		all = append(all, fmt.Sprintf("row %d at %d ms, whole %v, %d %d", j.Row, j.MS(), j.WholeSecond(), p.LatHundredths, p.LonHundredths))
	}
	return all
}

// cityFor returns the city of a place. It takes the nearest one on a flat map, which is accurate
// enough for continent and local time.
func cityFor(p datasets.Place) atlas.City {
	var nearest atlas.City
	best := math.Inf(1)
	width := math.Cos(p.Lat() * math.Pi / 180)
	for _, c := range atlas.Cities() {
		dlat, dlon := c.Lat-p.Lat(), math.Abs(c.Lon-p.Lon())
		if dlat*dlat >= best {
			continue // skips most cities, because the rest of the loop costs more
		}
		dlon = min(dlon, 360-dlon) * width
		if d := dlat*dlat + dlon*dlon; d < best {
			best, nearest = d, c
		}
	}
	return nearest
}

// Every continent plays most in its own evening and least before its morning.
func TestBuiltinEvenings(t *testing.T) {
	crowded := make(map[datasets.CountryCode]float64)
	for _, c := range atlas.Countries() {
		if c.Continent == datasets.Oceania {
			crowded[c.Code] = 40 // enough joins to show a curve
		}
	}
	day := builtin(t, func(o *Options) { o.Preset, o.Joins, o.Countries = "world", 60_000, crowded }, 1)
	var byHour [datasets.SouthAmerica + 1][24]int
	cities := make([]atlas.City, len(day.Places))
	zones := make(map[string]*time.Location)
	midnight := ordinary().Date
	for j := range day.Joins() {
		city := &cities[j.Place]
		if city.Name == "" {
			*city = cityFor(day.Places[j.Place])
		}
		if zones[city.Zone] == nil {
			zones[city.Zone] = atlas.Zone(city.Zone)
		}
		local := midnight.Add(time.Duration(j.MS()) * time.Millisecond).In(zones[city.Zone])
		byHour[city.Continent][local.Hour()]++
	}
	for _, c := range []datasets.Continent{datasets.Africa, datasets.Asia, datasets.Europe, datasets.NorthAmerica, datasets.Oceania, datasets.SouthAmerica} {
		hours := byHour[c][:]
		peak := slices.Index(hours, slices.Max(hours))
		quiet := slices.Index(hours, slices.Min(hours))
		if peak < 18 || peak > 22 || quiet < 2 || quiet > 6 {
			t.Errorf("%s: got most joins at %d h and fewest at %d h local time, want 18 to 22 h and 2 to 6 h: %v", c, peak, quiet, hours)
		}
	}
}

func TestBuiltinTotal(t *testing.T) {
	within := func(name string, got int, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 4*math.Sqrt(want) {
			t.Errorf("%s: got %d joins, want %.0f ± %.0f", name, got, want, 4*math.Sqrt(want))
		}
	}
	for _, p := range Presets() {
		want := 20_000.0
		if p.Name == "low-density" {
			want /= 10
		}
		within(p.Name, builtin(t, func(o *Options) { o.Preset, o.Joins = p.Name, 20_000 }, 2).Rows(), want)
	}
	day := func(change func(*Options)) *datasets.Day {
		return builtin(t, func(o *Options) { o.Joins = 20_000; change(o) }, 2)
	}
	// A Saturday in UTC begins on Friday in the west and ends on Sunday in the east.
	saturday := day(func(o *Options) { o.Weekend = 3 }).Rows()
	if saturday <= 40_000 || saturday >= 60_000 {
		t.Errorf("weekend factor 3 with joins 20000: got %d joins on a Saturday, want 40000 to 60000", saturday)
	}
	within("a Wednesday", day(func(o *Options) { o.Weekend = 3; o.Date = o.Date.AddDate(0, 0, 4) }).Rows(), 20_000)

	quiet, spike := day(func(*Options) {}), day(func(o *Options) { o.Spike = Spike{17, 5} })
	before, after := datasets.Describe(quiet, nil).Hours, datasets.Describe(spike, nil).Hours
	within("the hour of the launch", after[17], 5*float64(before[17]))
	within("the hour before it", after[16], float64(before[16]))
}

func TestBuiltinIsKeyed(t *testing.T) {
	small := func(o *Options) { o.Joins = 5000 }
	first, second := builtin(t, small, 1), builtin(t, small, 1)
	if diff := gocmp.Diff(lines(first), lines(second)); diff != "" || first.SHA256 != second.SHA256 {
		t.Errorf("equal draws give different days: %s", diff)
	}
	other := builtin(t, small, 2)
	if slices.Equal(lines(first), lines(other)) || first.SHA256 == other.SHA256 {
		t.Error("different seeds give equal days, want different ones")
	}
	for i, j := range slices.Collect(first.Joins()) {
		if j.Row != uint32(i) || j.WholeSecond() {
			t.Fatalf("join %d: got %+v, want its index as the row and a fraction of a second", i, j)
		}
	}
}

// There are at most about townsMax places per city. All of them are on the globe, and nearly all
// are in Europe.
func TestBuiltinPlaces(t *testing.T) {
	day := builtin(t, func(o *Options) { o.Preset, o.Joins = "eu", 300_000 }, 3)
	if towns := townsMax * len(atlas.Cities()) / 8; len(day.Places) > towns {
		t.Errorf("got %d places, want at most %d", len(day.Places), towns)
	}
	far := 0
	for i := 0; i < len(day.Places); i += 97 {
		p := day.Places[i]
		if math.Abs(p.Lat()) > 90 || math.Abs(p.Lon()) > 180 {
			t.Fatalf("got place %v, want a valid position", p)
		}
		if cityFor(p).Continent != datasets.Europe {
			far++
		}
	}
	if share := float64(far) / float64(len(day.Places)/97); share > 0.05 {
		t.Errorf("%.0f %% of the places of Europe's cities are on another continent, want at most 5 %%", 100*share)
	}
}

func TestPresetShares(t *testing.T) {
	cities := atlas.Cities()
	shareOf := func(shares []float64, in func(atlas.City) bool) float64 {
		sum := 0.0
		for i, c := range cities {
			if in(c) {
				sum += shares[i]
			}
		}
		return sum
	}
	for _, p := range Presets() {
		shares, err := p.cityShares(nil)
		if err != nil {
			t.Fatal(err)
		}
		all := shareOf(shares, func(atlas.City) bool { return true })
		china := shareOf(shares, func(c atlas.City) bool { return c.Country.String() == "CN" })
		if math.Abs(all-1) > 1e-9 || (china > 0) != (p.Name == "world") {
			t.Errorf("preset %s: got shares that add up to %v and a share of %v for China, want 1, and players in China only in preset world", p.Name, all, china)
		}
	}
	shooter, _ := findPreset("western-shooter")
	shares, _ := shooter.cityShares(nil)
	for continent, want := range map[datasets.Continent]float64{
		datasets.Europe: 0.25, datasets.Oceania: 0.045, datasets.Africa: 0.02, datasets.Asia: 0.095, datasets.NorthAmerica: 0.44,
	} {
		got := shareOf(shares, func(c atlas.City) bool {
			return c.Continent == continent && (continent != datasets.NorthAmerica || slices.Contains(unitedStatesAndCanada, c.Country.String()))
		})
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("preset western-shooter: %v: got share %v, want %v", continent, got, want)
		}
	}
	// If Germany has factor 2, its share s of the joins becomes 2s/(1+s).
	de, _ := datasets.ParseCountry("DE")
	world, _ := findPreset("world")
	once, _ := world.cityShares(nil)
	twice, err := world.cityShares(map[datasets.CountryCode]float64{de: 2})
	if err != nil {
		t.Fatal(err)
	}
	germany := func(c atlas.City) bool { return c.Country == de }
	before := shareOf(once, germany)
	if got, want := shareOf(twice, germany), 2*before/(1+before); math.Abs(got-want) > 1e-9 {
		t.Errorf("Germany with weight 2: got share %v, want %v", got, want)
	}
}

func TestBuiltinOptionsErrors(t *testing.T) {
	for want, change := range map[string]func(*Options){
		`preset "mars": expected one of world-without-cn, world,`: func(o *Options) { o.Preset = "mars" },
		"joins 0:":          func(o *Options) { o.Joins = 0 },
		"joins 100000001:":  func(o *Options) { o.Joins = MaxJoins + 1 },
		"date 0001-01-01:":  func(o *Options) { o.Date = time.Time{} },
		"weekend -1:":       func(o *Options) { o.Weekend = -1 },
		"weekend NaN:":      func(o *Options) { o.Weekend = math.NaN() },
		"spike factor +Inf": func(o *Options) { o.Spike.Factor = math.Inf(1) },
		"spike hour 24":     func(o *Options) { o.Spike.Hour = 24 },
		"weight -1 of country FR": func(o *Options) {
			fr, _ := datasets.ParseCountry("FR")
			o.Countries = map[datasets.CountryCode]float64{fr: -1}
		},
		"without players": func(o *Options) {
			o.Countries = make(map[datasets.CountryCode]float64)
			for _, c := range atlas.Countries() {
				o.Countries[c.Code] = 0
			}
		},
	} {
		o := ordinary()
		change(&o)
		if _, err := Generate(o, testDraws(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that contains %s", err, want)
		}
	}
}

func TestReadCountryWeights(t *testing.T) {
	de, _ := datasets.ParseCountry("DE")
	us, _ := datasets.ParseCountry("US")
	for _, content := range []string{"country,weight\nDE,2\nus,0.5\n", "weight, country\n2,DE\n0.5,US\n", "DE,2\n\nUS,0.5"} {
		got, err := ReadCountryWeights(strings.NewReader(content), "w.csv")
		if diff := gocmp.Diff(map[datasets.CountryCode]float64{de: 2, us: 0.5}, got); diff != "" || err != nil {
			t.Errorf("got error %v; weights (-want +got): %s", err, diff)
		}
	}
	for content, want := range map[string]string{
		"":             "w.csv:1:1: no countries: expected rows of country,weight",
		"DE;2":         `w.csv:1:1: the columns of "DE;2" are separated by ";"`,
		"DE":           "w.csv:1:1: 1 column in",
		"country,w\n":  `w.csv:1:1: column "weight" is missing`,
		"DE,2\nDE,3\n": `w.csv:2:1: country "DE": used in line 1 already`,
		"QQ,1\n":       `w.csv:1:1: country "QQ"`,
		"DE,-1\n":      `w.csv:1:4: weight "-1"`,
		"DE,many\n":    `w.csv:1:4: weight "many"`,
	} {
		if _, err := ReadCountryWeights(strings.NewReader(content), "w.csv"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got error %v, want prefix %s", content, err, want)
		}
	}
}

func FuzzReadCountryWeights(f *testing.F) {
	f.Add("country,weight\nDE,2\nUS,0\n")
	f.Add("de,1e3\n\"FR\",.5")
	f.Fuzz(func(t *testing.T, content string) {
		weights, err := ReadCountryWeights(strings.NewReader(content), "w.csv")
		if err != nil && !strings.HasPrefix(err.Error(), "w.csv:") {
			t.Fatalf("got error %v, want prefix w.csv:", err)
		}
		for code, weight := range weights {
			if !atlas.ValidWeight(weight) || len(code.String()) != 2 {
				t.Fatalf("got weight %[2]v of country %[1]s, want a valid weight and a code of two letters", code, weight)
			}
		}
	})
}

func BenchmarkBuiltin(b *testing.B) {
	b.ReportAllocs()
	rows := 0
	var sum byte
	for b.Loop() {
		day := builtin(b, nil, 1)
		rows += day.Rows()
		sum = day.SHA256[0]
		b.ReportMetric(float64(len(day.Places)), "places")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/join")
	b.ReportMetric(float64(sum), "hash")
}

func ExampleGenerate() {
	o := ordinary()
	o.Preset = "low-density"
	day, err := Generate(o, datasets.Draws{Arrivals: draws.Stream(1)})
	if err != nil {
		panic(err)
	}
	fmt.Println(day.Rows() > 99_000, day.Rows() < 101_000)
	// Output: true true
}

func TestBuiltinDatacenters(t *testing.T) {
	list := datasets.BuiltinDatacenters()
	if len(list) != 30 {
		t.Errorf("got %d datacenters, want 30", len(list))
	}
	continents := make(map[datasets.Continent]int)
	for _, dc := range list {
		city := cityFor(datasets.Place{LatHundredths: int16(dc.Lat * 100), LonHundredths: int16(dc.Lon * 100)})
		if math.Abs(city.Lat-dc.Lat) > 1 || math.Abs(math.Remainder(city.Lon-dc.Lon, 360)) > 1 {
			t.Errorf("%s is more than 1 degree from its city %+v", dc.Name, city)
		}
		continents[city.Continent]++
	}
	for _, c := range []datasets.Continent{datasets.Africa, datasets.Asia, datasets.Europe, datasets.NorthAmerica, datasets.Oceania, datasets.SouthAmerica} {
		if continents[c] == 0 {
			t.Errorf("got no datacenter on %s, want at least one", c)
		}
	}
}
