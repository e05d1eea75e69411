package joinfile

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/builtin"
	"mmsim/datasets/internal/draws"
)

// generate returns a built-in day.
func generate(tb testing.TB, joins int) *datasets.Day {
	tb.Helper()
	day, err := builtin.Generate(builtin.Options{
		Preset: "world-without-cn", Joins: joins, Date: time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC),
	}, datasets.Draws{Arrivals: draws.Stream(1)})
	if err != nil {
		tb.Fatal(err)
	}
	return day
}

func TestWriteCSV(t *testing.T) {
	day := read(t, `maps,time,rtt:paris,latitude,longitude,mmr,name,country,rtt:oslo
a;b,00:00:01,,-0.005,-179.999,1500,"x, ""y""",de,
,3723.045,10.5,0.29,5,,,,
c,23:59:59.5,,90,180,-0.25,z,,20
`, Options{Datacenters: []string{"oslo", "rome", "paris"}})
	for format, want := range map[datasets.DayFormat]string{
		datasets.Article: "00:00:01,-0.01,-180.00\n01:02:03.045,0.29,5.00\n23:59:59.500,90.00,180.00\n",
		datasets.Headed: `time,latitude,longitude,country,rtt:oslo,rtt:paris,maps,mmr,name
00:00:01,-0.01,-180.00,DE,,,a;b,1500,"x, ""y"""
01:02:03.045,0.29,5.00,,,10.5,,,
23:59:59.500,90.00,180.00,,20,,c,-0.25,z
`,
	} {
		var got bytes.Buffer
		if err := datasets.WriteDay(&got, day, format); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Error(diff)
		}
		again := read(t, got.String(), Options{})
		if diff := cmp.Diff(lines(day), lines(again)); diff != "" {
			t.Errorf("the written day read again (-want +got): %s", diff)
		}
	}
}

// fullDisk is a writer with room for the given number of bytes. It fails when they are used up.
type fullDisk int

var errFull = errors.New("no space left")

func (f *fullDisk) Write(p []byte) (int, error) {
	if *f -= fullDisk(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteSeveralDays(t *testing.T) {
	o := Options{Zone: atlas.Zone("Europe/Berlin")}
	day := read(t, threeDays, o)
	var file bytes.Buffer
	if err := datasets.WriteDay(&file, day, datasets.Headed); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything(day), everything(read(t, file.String(), o))); diff != "" {
		t.Error(diff)
	}
	if err := datasets.WriteDay(io.Discard, day, datasets.Article); err == nil {
		t.Error("several days were written in the article's form, want an error")
	}
}

func TestWriteCSVFails(t *testing.T) {
	day := generate(t, 10_000)
	for _, space := range []fullDisk{0, 100_000} {
		if err := datasets.WriteDay(&space, day, datasets.Headed); !errors.Is(err, errFull) {
			t.Errorf("got error %v, want that of the full disk", err)
		}
	}
}

func TestBuiltinSurvivesCSV(t *testing.T) {
	day := generate(t, 5000)
	var file bytes.Buffer
	if err := datasets.WriteDay(&file, day, datasets.Article); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines(day), lines(read(t, file.String(), Options{}))); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	day := generate(b, 200_000)
	for b.Loop() {
		if err := datasets.WriteDay(io.Discard, day, datasets.Headed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(day.Rows()), "ns/join")
}
