package joinfile

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// realDay returns the bytes of the full-size test day.
func realDay(tb testing.TB) []byte {
	tb.Helper()
	folder := os.Getenv("MMSIM_TESTDATA")
	if folder == "" {
		tb.Skip("skipped: set MMSIM_TESTDATA to the folder with the full day")
	}
	content, err := os.ReadFile(filepath.Join(folder, "day.csv.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	return content
}

// Counts of the full day match those in its description.
func TestReadRealDay(t *testing.T) {
	day, err := Read(bytes.NewReader(realDay(t)), "day.csv.gz", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if day.Rows() != 1_370_662 || len(day.Places) != 8857 || len(day.Warnings) != 0 {
		t.Errorf("got %d rows, %d places and warnings %q, want 1370662 rows, 8857 places and no warnings", day.Rows(), len(day.Places), day.Warnings)
	}
	last := uint32(0)
	for j := range day.Joins() {
		if j.MS() < last || !j.WholeSecond() {
			t.Fatalf("got join %+v after one at %d ms, want ascending whole seconds", j, last)
		}
		last = j.MS()
	}
}

func BenchmarkReadDay(b *testing.B) {
	content := realDay(b)
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		day, err := Read(bytes.NewReader(content), "day.csv.gz", Options{})
		if err != nil {
			b.Fatal(err)
		}
		rows += day.Rows()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}

func TestPartySizes(t *testing.T) {
	const header = "time,latitude,longitude,party_id\n"
	for rows, want := range map[string][]int{
		"1,1,1,a\n2,1,1,a\n3,1,1,b\n4,1,1,b\n5,1,1,b\n": {2, 3},
		"1,1,1,a\n2,1,1,a\n3,1,1,\n":                    {1, 2}, // a player without a party plays alone
		"1,1,1,a\n2,1,1,a\n3,1,1,b\n":                   {1, 2}, // so does a player in a party of one
		"1,1,1,a\n2,1,1,b\n":                            nil,
	} {
		if got := read(t, header+rows, Options{}).PartySizes(); !slices.Equal(got, want) {
			t.Errorf("%q: got party sizes %v, want %v", rows, got, want)
		}
	}
}
