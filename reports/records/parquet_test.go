package records

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"mmsim/reports/internal/resulttest"
	"mmsim/sim"
)

// parquetFile sends the events to a Writer and returns the file.
func parquetFile(t testing.TB, f *resulttest.Facts, attributes []Attribute) []byte {
	t.Helper()
	var file bytes.Buffer
	r := NewParquet(&file, f.Setup, attributes)
	f.Report(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// parquetRows reads a file and returns its values as CSV would have them, header first.
func parquetRows(t testing.TB, file []byte) (rows [][]string) {
	t.Helper()
	opened, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	for _, field := range opened.Schema().Fields() {
		header = append(header, field.Name())
	}
	rows = append(rows, header)
	for _, group := range opened.RowGroups() {
		reader := group.Rows()
		buffer := make([]parquet.Row, 100)
		for err == nil {
			var n int
			n, err = reader.ReadRows(buffer)
			for _, row := range buffer[:n] {
				cells := make([]string, len(header))
				for _, v := range row {
					cells[v.Column()] = parquetCell(header[v.Column()], v)
				}
				rows = append(rows, cells)
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		err = reader.Close()
	}
	return rows
}

// parquetCell formats a value as in CSV. The name of the column determines the digits.
func parquetCell(column string, v parquet.Value) string {
	digits := -1
	switch {
	case v.IsNull():
		return ""
	case strings.HasSuffix(column, "_s"):
		digits = 3
	case strings.HasSuffix(column, "_ms") || column == "latitude" || column == "longitude":
		digits = 2
	}
	switch v.Kind() {
	case parquet.Boolean:
		return map[bool]string{false: "0", true: "1"}[v.Boolean()]
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', digits, 64)
	case parquet.ByteArray:
		return string(v.ByteArray())
	}
	return strconv.FormatInt(v.Int64(), 10)
}

// Parquet files have the same values as CSV files of the same events. The events are those of
// recordFacts, whose values are hard to write, and those of random runs.
func TestParquetRecords(t *testing.T) {
	check := func(name string, f *resulttest.Facts, attributes []Attribute) {
		t.Helper()
		want, err := csv.NewReader(strings.NewReader(unzipped(t, f, attributes))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		file := parquetFile(t, f, attributes)
		if diff := cmp.Diff(want, parquetRows(t, file)); diff != "" {
			t.Errorf("%s: rows (-want +got): %s", name, diff)
		}
		if !bytes.Equal(file, parquetFile(t, f, attributes)) {
			t.Errorf("%s: two writes give different files, want equal bytes", name)
		}
	}
	f, attributes := recordFacts()
	check("hard", f, attributes)
	f.Setup.Jitter = true
	check("jitter", f, attributes)
	taken := append(attributes, attributes[0], Attribute{Name: "row", Append: attributes[1].Append})
	check("names taken", f, taken)
	if header := parquetRows(t, parquetFile(t, f, taken))[0]; !strings.HasSuffix(strings.Join(header, " "), " mmr maps attribute_mmr attribute_row") {
		t.Errorf("got columns %v, want prefixes for attributes whose names are taken", header)
	}
	for seed := range uint64(40) {
		check(strconv.FormatUint(seed, 10), randomFacts(seed), nil)
	}
	none := &resulttest.Facts{Setup: f.Setup}
	check("no match", none, attributes)
}

// A missing number is null, but infinity is not.
func TestParquetMissingNumbers(t *testing.T) {
	f, _ := recordFacts()
	f.Ended, f.Unfinished = nil, nil
	numbers := []Attribute{{
		Name:   "mmr",
		Append: func(to []byte, _ *sim.Player) []byte { return to },
		Number: func(p *sim.Player) float64 { return map[uint32]float64{0: math.NaN(), 3: -0.5}[p.Row] },
	}}
	var got []string
	for _, row := range parquetRows(t, parquetFile(t, f, numbers)) {
		got = append(got, row[len(row)-1])
	}
	if diff := cmp.Diff([]string{"mmr", "-0.5", "", "-0.5"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestParquetRecordsReportErrors(t *testing.T) {
	full := errors.New("no space left")
	var open int
	r := NewParquet(&resulttest.Faulty{Fail: true, Err: full, Open: &open}, randomFacts(3).Setup, nil)
	for range 500 {
		randomFacts(3).Report(r)
	}
	if err := r.Close(); !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
}

// BenchmarkParquetRecords measures the time per match.
func BenchmarkParquetRecords(b *testing.B) {
	setup, stream := resulttest.Day(rand.New(rand.NewPCG(1, 2))), resulttest.DayMatches(rand.New(rand.NewPCG(3, 4)), 10_000)
	r := NewParquet(io.Discard, setup, nil)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r.Matched(&stream[n%len(stream)])
		n++
	}
}
