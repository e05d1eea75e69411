package theory_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// Queueing theory predicts the results of a day with Poisson joins. The theory tests write
// such a day, run mmsim on it, and compare the result with the prediction. The predictions
// have numbers such as T1.

// theoryRun is the input of a theory test.
type theoryRun struct {
	datacenters string                     // rows of datacenters.csv; "" for one datacenter, at the home of all players
	columns     string                     // names of the day's columns after time, latitude and longitude, each after a comma
	day         iter.Seq2[float64, string] // yields the time of each join in seconds since midnight, and the other cells
	rules       string                     // text of a ruleset, or "" for none
	article     bool                       // whether to write the format "article", which has no header and whole seconds
	// days is the number of sample days merged into the file, and of measured days. Each day
	// keeps other rows, so that random differences average out. 0 means 1.
	days     int
	settings []string // KEY=VALUE
}

// home is the position of the only datacenter of a simple run, and of all its players.
const home = "50.11,8.68"

// plainSettings removes all randomness except the joins. All players wait without limit, play once,
// and have RTTs by the speed of light in fibre, which are within the thresholds.
var plainSettings = []string{
	"latency.fallback=fibre", "players.play_again=0", "states.ideal.for=24h",
	"output={plots: false, html: false}",
}

// poisson yields joins at a rate per second. draw returns the cells of each join.
func poisson(rate float64, draw func(r *rand.Rand) string) iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		r := rand.New(rand.NewPCG(20260314, 1))
		for at := r.ExpFloat64() / rate; at < secondsPerDay; at += r.ExpFloat64() / rate {
			if !yield(at, draw(r)) {
				return
			}
		}
	}
}

const secondsPerDay = 24 * 60 * 60

// atOnePlace is a draw for poisson. Every player lives at home.
func atOnePlace(*rand.Rand) string { return home }

// simulate writes the input files, runs mmsim on them, and checks what is true of every run.
func (s theoryRun) simulate(t *testing.T) *runFiles {
	t.Helper()
	dir := t.TempDir()
	if s.datacenters == "" {
		s.datacenters = "0,here," + home
	}
	commandtest.Put(t, dir, map[string]string{"datacenters.csv": s.datacenters})
	s.writeDay(t, filepath.Join(dir, "day.csv"))
	args := []string{"--dataset", filepath.Join(dir, "day.csv"), "--datacenters", filepath.Join(dir, "datacenters.csv")}
	if s.rules != "" {
		commandtest.Put(t, dir, map[string]string{"rules.json": s.rules})
		args = append(args, "--rules", filepath.Join(dir, "rules.json"))
	}
	if s.days > 1 {
		args = append(args, "--days", strconv.Itoa(s.days), "--duration", fmt.Sprintf("%dh", 24*s.days))
	}
	f := readFound(t, runIn(t, dir, slices.Concat(plainSettings, s.settings), args...))
	f.check(t)
	return f
}

// runIn runs mmsim with settings, each KEY=VALUE, and returns the result, which is in the folder dir.
func runIn(t *testing.T, dir string, settings []string, args ...string) (out string) {
	t.Helper()
	out = filepath.Join(dir, "out")
	args = append([]string{"run", "--quiet", "--out", out}, args...)
	for _, setting := range settings {
		args = append(args, "--set", setting)
	}
	var errs bytes.Buffer
	if code := command.Run(args, nil, io.Discard, &errs); code != command.ExitGood {
		t.Fatalf("%q: exit code %d: %s", args, code, &errs)
	}
	return out
}

func (s theoryRun) writeDay(t *testing.T, name string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<16)
	if !s.article {
		fmt.Fprintf(w, "time,latitude,longitude%s\n", s.columns)
	}
	var row []byte
	for at, cells := range s.day {
		if s.article {
			row = time.Time{}.Add(time.Duration(at)*time.Second).AppendFormat(row[:0], time.TimeOnly)
		} else {
			row = strconv.AppendFloat(row[:0], math.Floor(at*1000)/1000, 'f', 3, 64)
		}
		row = append(append(append(row, ','), cells...), '\n')
		w.Write(row) // errors remain until Flush
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// runFiles has the contents of a result directory, under the names in its files.
type runFiles struct {
	dir     string
	Players struct {
		Joins, Returns, Entries, Matched, Failed, Expired, Bots, Rejected, Declined, Closed int

		SearchingAtStart int `json:"searching_at_start"`
		SearchingAtEnd   int `json:"searching_at_end"`
	}
	Run struct {
		Duration float64 `json:"duration_s"`
	}
	Wait       waits                                                      `json:"wait_s"`
	WaitFirst  waits                                                      `json:"wait_first_s"`
	WaitRepeat waits                                                      `json:"wait_repeat_s"`
	FailedWait waits                                                      `json:"failed_wait_s"`
	RTT        struct{ Count, Mean, SD, P50, P90, P95, P99, Max float64 } `json:"rtt_ms"`
	Delta      struct{ Mean, P50, P90, P95, P99 float64 }                 `json:"delta_rtt_ms"`
	Matches    struct {
		Count, Players int
		Fill           float64
	}
	CCU struct {
		Peak, Mean float64
		Playing    float64 `json:"playing_mean"`
		Between    float64 `json:"between_mean"`
		Searching  float64 `json:"searching_mean"`
	}
	Attributes map[string]struct {
		Spread  float64 `json:"spread_mean"`
		TeamGap float64 `json:"team_gap_mean"`
	}
	ByDatacenter map[string]slice `json:"by_datacenter"`
	ByContinent  map[string]slice `json:"by_continent"`
	ByHour       []slice          `json:"by_hour"`
	ByPartySize  map[string]slice `json:"by_party_size"`

	ByAttributeDecile map[string][]slice `json:"by_attribute_decile"`

	Servers  *placed // of a run on servers
	External externalBlock

	minutes map[string][]float64 // columns of timeseries.csv
}

type waits struct {
	Count                             int
	Mean, SD, P50, P90, P95, P99, Max float64
	ShareZero                         float64 `json:"share_zero"`
}

// slice is an entry of a by_… block: the metrics for a part of the players.
type slice struct {
	Players, Matches, Entries, Failed, Expired int

	WaitMean float64 `json:"wait_mean_s"`
}

// readFound reads a result directory.
func readFound(t *testing.T, dir string) *runFiles {
	t.Helper()
	f := &runFiles{dir: dir, minutes: map[string][]float64{}}
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	series, err := os.ReadFile(filepath.Join(dir, "timeseries.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(series)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for column, name := range rows[0] {
		for _, row := range rows[1:] {
			f.minutes[name] = append(f.minutes[name], parsed(t, row[column]))
		}
	}
	return f
}

// records reads records.csv.gz. Each row is a map of columns to cells.
func (f *runFiles) records(t *testing.T) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(f.dir, "records.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]string
	for _, row := range rows[1:] {
		record := map[string]string{}
		for column, name := range rows[0] {
			record[name] = row[column]
		}
		records = append(records, record)
	}
	return records
}

// check tests laws that hold exactly in every run of full matches.
func (f *runFiles) check(t *testing.T) {
	t.Helper()
	p := &f.Players
	same := func(law string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %d, want %d", law, got, want)
		}
	}
	same("entries are joins and returns", p.Entries, p.Joins+p.Returns)
	same("conservation", p.Entries+p.SearchingAtStart,
		p.Matched+p.Failed+p.Expired+p.Bots+p.Rejected+p.Declined+p.Closed+p.SearchingAtEnd)
	same("players in matches are those matched", f.Matches.Players, p.Matched)
	same("a wait is that of a first or of a repeated search", f.WaitFirst.Count+f.WaitRepeat.Count, f.Wait.Count)
	for column, total := range map[string]int{
		"joins": p.Joins, "returns": p.Returns, "failed": p.Failed + p.Expired + p.Declined + p.Closed, "matches": f.Matches.Count,
	} {
		same("minutes add up to "+column, int(sum(f.minutes[column])), total)
	}
	for name, groups := range map[string][]slice{
		"hours": f.ByHour, "continents": values(f.ByContinent), "party sizes": values(f.ByPartySize),
	} {
		all := total(groups)
		same(name+" add up to entries", all.Entries, p.Entries)
		same(name+" add up to failed", all.Failed, p.Failed)
		same(name+" add up to players matched", all.Players, p.Matched)
		same(name+" add up to matches", all.Matches, f.Matches.Count)
	}
	served := total(values(f.ByDatacenter))
	same("datacenters add up to players matched", served.Players, p.Matched)
	same("datacenters add up to matches", served.Matches, f.Matches.Count)
	if p.Matched > 0 && f.Servers == nil && f.Matches.Fill != 1 {
		t.Errorf("got fill %v, want 1, because matches begin full", f.Matches.Fill)
	}
	d, r := f.Delta, f.RTT
	for _, x := range []float64{d.Mean, d.P50, d.P90, d.P95, d.P99, r.Mean, r.SD, r.P50, r.P90, r.P95, r.P99, r.Max} {
		if x < 0 {
			t.Errorf("got negative RTT or delta RTT: %+v, %+v", r, d)
		}
	}
	if len(f.ByDatacenter) == 1 && (d.Mean != 0 || d.P99 != 0) {
		t.Errorf("one datacenter: got delta RTT %+v, want 0", d)
	}
}

func total(groups []slice) (all slice) {
	for _, g := range groups {
		all.Players += g.Players
		all.Matches += g.Matches
		all.Entries += g.Entries
		all.Failed += g.Failed
	}
	return all
}

func values[T any](m map[string]T) (list []T) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}

func sum(xs []float64) (total float64) {
	for _, x := range xs {
		total += x
	}
	return total
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) }

// Relative tolerances, for the function near.
const (
	ofMean = 0.02
	ofTail = 0.04 // for the 99th percentile
)

// near compares a metric with theory, within a relative tolerance.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: got %.5g, want %.5g from the formula (%+.2f %%, tolerance %g %%)",
			name, got, want, 100*(got/want-1), 100*tolerance)
	} else if testing.Verbose() {
		t.Logf("%s: got %.5g, formula %.5g (%+.2f %%)", name, got, want, 100*(got/want-1))
	}
}

// heavy skips the test with -short, and otherwise runs it in parallel with others.
func heavy(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped in short mode, because it simulates many matches")
	}
	t.Parallel()
}

// measured returns a draw for poisson. Every player is at home and has the columns of
// measuredColumns for n datacenters. The RTT is low for the datacenters whose bits reach
// returns.
func measured(n int, reach func(r *rand.Rand) uint) func(r *rand.Rand) string {
	return func(r *rand.Rand) string {
		var cells strings.Builder
		cells.WriteString(home)
		set := reach(r)
		for pool := range n {
			if set>>pool&1 != 0 {
				cells.WriteString(",20")
			} else {
				cells.WriteString(",300")
			}
		}
		return cells.String()
	}
}

// measuredColumns names a column of measured RTTs for each of n datacenters.
func measuredColumns(n int) string {
	var names strings.Builder
	for pool := range n {
		fmt.Fprintf(&names, ",rtt:pool%d", pool)
	}
	return names.String()
}

// measuredDatacenters returns the rows of n datacenters whose RTTs are measured.
func measuredDatacenters(n int) string {
	var rows strings.Builder
	for pool := range n {
		fmt.Fprintf(&rows, "%d,pool%d,%s\n", pool, pool, home)
	}
	return rows.String()
}
