package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/outcome"
)

// repeated is a text over and over, as long as somebody reads.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.text) < 1<<12 { // copied by the page
		r.text = strings.Repeat(r.text, 1<<12)
	}
	n := 0
	for n < len(p) {
		c := copy(p[n:], r.text[r.at:])
		r.at = (r.at + c) % len(r.text)
		n += c
	}
	return n, nil
}

// Tables without an end are refused at a limit that the error names.
func TestTableIsBounded(t *testing.T) {
	for name, test := range map[string]struct{ head, tail, want string }{
		"blank lines": {mapTable.columns + "\n", "\n", "map.csv:1000002:1: more than 1000000 rows (limit MaxTableRows), expected a table of a run"},
		"no line":     {"", "x", "map.csv:1:1: the row is longer than 4096 bytes (limit MaxRowBytes), expected a table"},
		"zeros":       {mapTable.columns + "\n", "\x00", "map.csv:2:1: the row is longer than 4096 bytes (limit MaxRowBytes), expected a table"},
		"open quote":  {mapTable.columns + "\n\"", strings.Repeat("x", 4000) + "\n", "map.csv:2:1: a quote is not closed in its row, expected a table"},
	} {
		_, err := mapTable.read(io.MultiReader(strings.NewReader(test.head), &repeated{text: test.tail}))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
	rows := mapTable.columns + "\n" + strings.Repeat("1,2,3,4.00,5.000\n", 3)
	if got, err := mapTable.read(iotest.OneByteReader(strings.NewReader(rows))); err != nil || len(got) != 3 {
		t.Errorf("got %d rows, %v", len(got), err)
	}
}

// A time-lapse of a few kB holds as many blank lines as it likes; they are not all read.
func TestLapseIsBounded(t *testing.T) {
	files := written(t, worlds()[3].Result).fs()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	fmt.Fprintln(w, lapseTable.columns)
	if _, err := io.CopyN(w, &repeated{text: strings.Repeat("\n", 1<<16)}, 8<<20); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files[lapseFile] = &fstest.MapFile{Data: zipped.Bytes()}
	_, err := Load(files)
	if want := "timelapse.csv.gz:1000002:1: more than 1000000 rows (limit MaxTableRows), expected a table of a run"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// More instants than a run draws are not those of a run.
func TestFramesAreBounded(t *testing.T) {
	s := &outcome.Summary{ByDatacenter: outcome.Datacenters{{Name: "a"}}, Run: outcome.Run{Reached: 86400}}
	var rows []loadRow
	for i := range framesMax + 1 {
		rows = append(rows, loadRow{60 * (i + 1), "a", 1})
	}
	if _, err := framesOf(rows[:framesMax], s); err != nil {
		t.Error(err)
	}
	if _, err := framesOf(rows, s); err == nil || err.Error() != "load.csv:152:1: more than 150 instants, expected at most that" {
		t.Errorf("got %v", err)
	}
}

func TestSummaryIsBounded(t *testing.T) {
	files := fstest.MapFS{outcome.SummaryFile: {Data: bytes.Repeat([]byte{' '}, outcome.MaxSummaryBytes+1)}}
	_, err := outcome.LoadSummary(files)
	if want := "summary.json: larger than 16 MiB (limit MaxSummaryBytes), expected the summary of a result"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A number of a table that no run has is refused, as in summary.json.
func TestTableRefusesNegativeNumbers(t *testing.T) {
	good := written(t, worlds()[3].Result).fs()
	for _, test := range []struct{ file, row, want string }{
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,-10,0.095,48.80,91.69", `timeseries.csv:2:21: failed is "-10", want a number from 0`},
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,10,-0.095,48.80,91.69", `timeseries.csv:2:24: wait_mean_s is "-0.095", want a number from 0`},
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,10,,48.80,91.69", `timeseries.csv:2:24: wait_mean_s is "", want a number`},
		{"map.csv", "-1,-2,5,-3,1", `map.csv:2:9: rtt_mean_ms is "-3", want a number from 0`},
	} {
		columns := map[string]string{"map.csv": mapTable.columns, "timeseries.csv": strings.TrimSuffix(seriesTable.columns, ",waiting")}[test.file]
		wantLoadError(t, good, test.file, columns+"\n"+test.row+"\n", test.want)
	}
}
