package collect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

func TestWrittenResultLoads(t *testing.T) {
	for seed, w := range randomRuns()[:5] {
		back, err := result.Load(resulttest.Written(t, w.Result).FS())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w.Result, back, cmpopts.EquateEmpty(), resulttest.Unmeasured); diff != "" {
			t.Fatalf("seed %d (-written +loaded):\n%s", seed, diff)
		}
	}
}

func TestEqualRunsAreEqualBytes(t *testing.T) {
	a, b := resulttest.Written(t, resultOf(randomFacts(9))), resulttest.Written(t, resultOf(randomFacts(9)))
	for name := range a {
		if !bytes.Equal(a[name].Bytes(), b[name].Bytes()) {
			t.Errorf("%s: two writes of one result differ, want equal bytes", name)
		}
	}
}

func TestFileNamesAndColumns(t *testing.T) {
	files := resulttest.Written(t, resultOf(articleFacts()))
	first := map[string]string{}
	for name, text := range files {
		first[name], _, _ = strings.Cut(text.String(), "\n")
	}
	unzipped, err := gzip.NewReader(files["timelapse.csv.gz"])
	if err != nil {
		t.Fatal(err)
	}
	first["timelapse.csv.gz"], _ = bufio.NewReader(unzipped).ReadString('\n')
	const served = "players,matches,wait_mean_s,wait_p95_s,rtt_mean_ms,rtt_p95_ms"
	want := map[string]string{
		"summary.json":         "{",
		"timeseries.csv":       "t_s,playing,between,ideal,expand,warmbody,bots,joins,returns,matches,failed,wait_mean_s,rtt_mean_ms,rtt_p90_ms",
		"percentiles.csv":      "t_s,matched,ideal,expand,warmbody,wait_p50_s,wait_p90_s,wait_p99_s,first,wait_first_p50_s,wait_first_p90_s,wait_first_p99_s,rtt_p50_ms,rtt_p90_ms,rtt_p99_ms",
		"distributions.csv":    "measure,from,to,players",
		"load.csv":             "t_s,datacenter,players",
		"timelapse.csv.gz":     "t_s,latitude,longitude,players,rtt_mean_ms\n",
		"map.csv":              "latitude,longitude,players,rtt_mean_ms,wait_mean_s",
		"datacenters.csv":      "datacenter,latitude,longitude," + served,
		"continents.csv":       "continent," + served + ",entries,failed,expired,bots,rejected,ended,unmatched_share",
		"continents_hours.csv": "continent,hour,entries,players,unmatched,waited,wait_mean_s,rtt_mean_ms",
		"spreads.csv":          "attribute,of,from,to,matches",
		"steps.csv":            "queue,of,at_s,opens,players",
		"hours.csv":            "hour," + served + ",entries,failed,expired,bots,rejected,ended,unmatched_share",
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("first lines (-want +got):\n%s", diff)
	}
	if lines := strings.Count(files["hours.csv"].String(), "\n"); lines != 25 {
		t.Errorf("hours.csv: got %d lines, want 25", lines)
	}
}

// Other programs read summary.json, so its keys must not change.
func TestSummaryKeys(t *testing.T) {
	f := articleFacts()
	f.Setup.Jitter = false
	text := resulttest.Written(t, resultOf(f))[outcome.SummaryFile].String()
	from := 0
	for _, key := range strings.Fields(`schema complete run seed run version config_sha256 dataset_sha256 duration_s warmup_s
		warnings players joins returns entries matched failed expired bots rejected searching_at_start searching_at_end ended unmatched_share
		wait_s count mean sd p50 p90 p95 p99 max share_zero wait_first_s count wait_repeat_s count failed_wait_s count bots_wait_s count
		rtt_ms count mean sd p50 p90 p95 p99 max share_le_50 share_le_100 delta_rtt_ms mean p50 p90 p95 p99
		latency share_measured share_map share_model share_line share_fibre cleaned null_island faster_than_light nan
		matches count players fill with_warmbody repeat_share ccu peak peak_at_s mean playing_mean between_mean searching_mean
		states ideal matched share wait_mean_s expand matched warmbody matched
		attributes mmr spread_mean spread_p95 team_gap_mean
		by_datacenter frankfurt players matches wait_mean_s wait_p95_s rtt_mean_ms rtt_p95_ms
		by_continent players entries failed expired bots rejected ended unmatched_share by_hour players entries failed expired bots rejected ended
		by_party_size 1 players entries ended unmatched_share by_attribute_decile mmr players entries failed expired bots rejected ended unmatched_share`) {
		at := strings.Index(text[from:], `"`+key+`": `)
		if at < 0 {
			t.Fatalf("summary.json: key %q is missing, or not in the order of the documentation, after\n%s", key, text[max(0, from-200):from])
		}
		from += at + len(key)
	}
}

// Write returns an error if it cannot create or write a file, and leaves no file open.
func TestWriteReportsErrors(t *testing.T) {
	r := randomRuns()[3].Result
	full := errors.New("no space left")
	for _, name := range slices.Sorted(maps.Keys(resulttest.Written(t, r))) {
		open := 0
		if err := r.Write(func(n string) (io.WriteCloser, error) {
			open++
			return &resulttest.Faulty{Fail: n == name, Err: full, Open: &open}, nil
		}); !errors.Is(err, full) || open != 0 {
			t.Errorf("writing %s fails: got error %v and %d open files, want that error and none", name, err, open)
		}
		if err := r.Write(func(n string) (io.WriteCloser, error) {
			if n == name {
				return nil, full
			}
			return resulttest.NopCloser{Writer: io.Discard}, nil
		}); !errors.Is(err, full) {
			t.Errorf("creating %s fails: got error %v, want that error", name, err)
		}
	}
}
