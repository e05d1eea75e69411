package datasets

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteCSV(t *testing.T) {
	day := read(t, `maps,time,rtt:paris,latitude,longitude,mmr,name,country,rtt:oslo
a;b,00:00:01,,-0.005,-179.999,1500,"x, ""y""",de,
,3723.045,10.5,0.29,5,,,,
c,23:59:59.5,,90,180,-0.25,z,,20
`, ReadOptions{Datacenters: []string{"oslo", "rome", "paris"}})
	for format, want := range map[Format]string{
		Article: "00:00:01,-0.01,-180.00\n01:02:03.045,0.29,5.00\n23:59:59.500,90.00,180.00\n",
		Headed: `time,latitude,longitude,country,rtt:oslo,rtt:paris,maps,mmr,name
00:00:01,-0.01,-180.00,DE,,,a;b,1500,"x, ""y"""
01:02:03.045,0.29,5.00,,,10.5,,,
23:59:59.500,90.00,180.00,,20,,c,-0.25,z
`,
	} {
		var got bytes.Buffer
		if err := WriteCSV(&got, day, format); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Error(diff)
		}
		again := read(t, got.String(), ReadOptions{})
		if diff := cmp.Diff(lines(day), lines(again)); diff != "" {
			t.Errorf("read again: %s", diff)
		}
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk int

var errFull = errors.New("no space left")

func (f *fullDisk) Write(p []byte) (int, error) {
	if *f -= fullDisk(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteCSVFails(t *testing.T) {
	day := builtin(t, func(o *BuiltinOptions) { o.Joins = 10_000 }, 1)
	for _, space := range []fullDisk{0, 100_000} {
		if err := WriteCSV(&space, day, Headed); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	}
}

func TestBuiltinSurvivesCSV(t *testing.T) {
	day := builtin(t, func(o *BuiltinOptions) { o.Joins = 5000 }, 1)
	var file bytes.Buffer
	if err := WriteCSV(&file, day, Article); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines(day), lines(read(t, file.String(), ReadOptions{}))); diff != "" {
		t.Error(diff)
	}
}

func TestDescribe(t *testing.T) {
	day := read(t, `time,latitude,longitude,continent,country,mmr,build,rtt:paris,party_id
0,1,1,EU,DE,1500,a,5,p
3600,2,2,EU,FR,,b,,p
3600.5,2,2,,US,500,a,,q
86399,3,3,,,1000,,7,
`, ReadOptions{})
	got := Describe(day, func(place uint32) (Continent, CountryCode) {
		de, _ := ParseCountry("DE")
		return Asia, de
	})
	hours := [24]int{0: 1, 1: 2, 23: 1}
	want := Description{
		Rows: 4, Places: 4, Parties: 1, First: 0, Last: 86_399_000, WholeSeconds: 3, Measured: 2, Hours: hours,
		Continents: []Count{{"AS", 2}, {"EU", 2}},
		Countries:  []Count{{"DE", 2}, {"FR", 1}, {"US", 1}},
		Columns: []ColumnDescription{
			{Name: "mmr", Kind: Number, Missing: 1, Min: 500, Mean: 1000, Max: 1500},
			{Name: "build", Kind: Text, Missing: 1, Distinct: 2, Min: math.NaN(), Mean: math.NaN(), Max: math.NaN()},
			{Name: "party_id", Kind: Text, Missing: 1, Distinct: 2, Min: math.NaN(), Mean: math.NaN(), Max: math.NaN()},
		},
	}
	equalNaN := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
	if diff := cmp.Diff(want, got, equalNaN); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Count{{"", 2}, {"EU", 2}}, Describe(day, nil).Continents); diff != "" {
		t.Errorf("without a locator: %s", diff)
	}
	day = read(t, "time,latitude,longitude,build,continent\n0,1,1,a,\n0,1,1,b,XX\n0,1,1,a,\n", ReadOptions{MaxBadRows: 1})
	if c := Describe(day, nil).Columns[0]; c.Distinct != 1 || c.Missing != 0 {
		t.Errorf("a malformed row counts: %+v", c)
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	day := builtin(b, func(o *BuiltinOptions) { o.Joins = 200_000 }, 1)
	for b.Loop() {
		if err := WriteCSV(io.Discard, day, Headed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(day.Rows()), "ns/join")
}
