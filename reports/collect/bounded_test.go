package collect

import (
	"bytes"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// A compressed time-lapse of a few kB can contain millions of blank lines. Load stops at its
// limit.
func TestLapseIsBounded(t *testing.T) {
	files := resulttest.Written(t, randomRuns()[3].Result).FS()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	fmt.Fprintln(w, "t_s,latitude,longitude,players,rtt_mean_ms")
	if _, err := w.Write(bytes.Repeat([]byte{'\n'}, 8<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files["timelapse.csv.gz"] = &fstest.MapFile{Data: zipped.Bytes()}
	_, err := result.Load(files)
	if want := "timelapse.csv.gz:1000002:1: more than 1000000 rows (limit MaxTableRows), expected a table of a run"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSummaryIsBounded(t *testing.T) {
	files := fstest.MapFS{outcome.SummaryFile: {Data: bytes.Repeat([]byte{' '}, outcome.MaxSummaryBytes+1)}}
	_, err := outcome.LoadSummary(files)
	if want := "summary.json: larger than 16 MiB (limit MaxSummaryBytes), expected the summary of a result"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Load rejects numbers that no run can have in tables, as it does in summary.json.
func TestTableRefusesNegativeNumbers(t *testing.T) {
	good := resulttest.Written(t, randomRuns()[3].Result).FS()
	for _, test := range []struct{ file, row, want string }{
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,-10,0.095,48.80,91.69", `timeseries.csv:2:21: failed is "-10", want a number from 0`},
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,10,-0.095,48.80,91.69", `timeseries.csv:2:24: wait_mean_s is "-0.095", want a number from 0`},
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,,0.095,48.80,91.69", `timeseries.csv:2:21: failed is "", want a whole number`},
		{"timeseries.csv", "0,1,2,3,4,5,6,7,8,9,10,NaN,48.80,91.69", `timeseries.csv:2:24: wait_mean_s is "NaN", want a number`},
		{"map.csv", "-1,-2,5,-3,1", `map.csv:2:9: rtt_mean_ms is "-3", want a number from 0`},
	} {
		columns := map[string]string{
			"map.csv":        "latitude,longitude,players,rtt_mean_ms,wait_mean_s",
			"timeseries.csv": "t_s,playing,between,ideal,expand,warmbody,bots,joins,returns,matches,failed,wait_mean_s,rtt_mean_ms,rtt_p90_ms",
		}[test.file]
		wantLoadError(t, good, test.file, columns+"\n"+test.row+"\n", test.want)
	}
}
