package theory_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// These tests compute every count in summary.json again, from the records alone.

// searched is a row of the records, which is about one player in one search. Times are in ms.
type searched struct {
	cells              map[string]string
	began, wait        int
	end                string
	isReturn, newMatch bool // newMatch: the match began with this player
	rtt, delta         int  // in hundredths of a ms
	hour               int
	match              string
}

// digits returns the digits of a decimal number, without its point, as an integer.
func digits(t *testing.T, cell string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Replace(cell, ".", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// searches reads the records.
func (f *runFiles) searches(t *testing.T) (list []searched) {
	t.Helper()
	const day = 24 * 3600 * 1000
	for _, cells := range f.records(t) {
		s := searched{
			cells: cells, began: digits(t, cells["began_s"]), wait: digits(t, cells["wait_s"]), end: cells["end"],
			isReturn: cells["return"] == "1", match: cells["match_id"],
		}
		s.hour = ((s.began + 10*day) % day) / (3600 * 1000)
		if s.end == "matched" {
			s.newMatch = cells["backfill"] != "1"
			s.rtt, s.delta = digits(t, cells["rtt_ms"]), digits(t, cells["delta_rtt_ms"])
			if at := digits(t, cells["matched_s"]); at != s.began+s.wait {
				t.Fatalf("got record %v, want matched_s at the end of the search", cells)
			}
		}
		for _, column := range []string{"match_id", "matched_s", "datacenter", "rtt_ms", "delta_rtt_ms", "repeat", "length_s"} {
			if (cells[column] == "") != (s.end != "matched") {
				t.Fatalf("column %s: got %q, want a value only for matched searches: %v", column, cells[column], cells)
			}
		}
		if len(cells["country"]) != 2 || len(cells["continent"]) != 2 || (cells["state"] == "") != (s.end == "rejected") {
			t.Fatalf("got record %v, want codes of two letters, and a state unless it was rejected", cells)
		}
		list = append(list, s)
	}
	return list
}

// recordTotals compares the metrics of a summary with the records.
type recordTotals struct {
	t       *testing.T
	label   string
	summary map[string]any
	counted map[string]bool // kinds of ends that occur in the records
}

func (l *recordTotals) number(path string) float64 {
	l.t.Helper()
	value, has := any(l.summary), true
	for key := range strings.SplitSeq(path, "/") {
		switch v := value.(type) {
		case map[string]any:
			value, has = v[key]
		case []any:
			i, _ := strconv.Atoi(key)
			value = v[i]
		}
	}
	if value == nil && has { // not measured
		return math.NaN()
	}
	x, is := value.(float64)
	if !is {
		l.t.Fatalf("%s: summary.json has no %s", l.label, path)
	}
	return x
}

func (l *recordTotals) equal(path string, got, within float64) {
	l.t.Helper()
	if want := l.number(path); !(math.Abs(got-want) <= within+1e-9) && !(math.IsNaN(got) && math.IsNaN(want)) {
		l.t.Errorf("%s: the records have %s %v, summary.json %v", l.label, path, got, want)
	}
}

func (l *recordTotals) count(path string, got int) {
	l.t.Helper()
	l.equal(path, float64(got), 0)
}

// distribution compares the statistics of integer values. The number 1 in the summary stands
// for the number unit in values.
func (l *recordTotals) distribution(path string, values []int, unit, rounding float64, keys ...string) {
	l.t.Helper()
	values = slices.Sorted(slices.Values(values))
	total, squares, zero := 0.0, 0.0, 0
	for _, v := range values {
		total += float64(v) / unit
		if v == 0 {
			zero++
		}
	}
	n := float64(len(values)) // without values all statistics are NaN: not measured
	for _, v := range values {
		squares += (float64(v)/unit - total/n) * (float64(v)/unit - total/n)
	}
	for _, key := range keys {
		at := path + "/" + key
		var percent int
		switch _, err := fmt.Sscanf(key, "p%d", &percent); {
		case key == "count":
			l.count(at, len(values))
		case key == "mean":
			l.equal(at, total/n, rounding)
		case key == "sd":
			l.equal(at, math.Sqrt(squares/n), rounding)
		case key == "share_zero":
			l.equal(at, float64(zero)/n, 1e-5)
		case key == "max":
			percent = 100
			fallthrough
		case err == nil:
			value := math.NaN()
			if len(values) > 0 {
				value = float64(values[(len(values)*percent+99)/100-1])
			}
			l.equal(at, value/unit, 0)
		}
	}
}

var waitKeys = []string{"count", "mean", "sd", "p50", "p90", "p95", "p99", "max", "share_zero"}

func where(list []searched, keep func(s *searched) bool) (kept []searched) {
	for i := range list {
		if keep(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// ended returns the searches that ended in one of the given ways.
func ended(list []searched, ends ...string) []searched {
	return where(list, func(s *searched) bool { return slices.Contains(ends, s.end) })
}

// inWindow returns the searches that began in the measured window.
func inWindow(list []searched) []searched {
	return where(list, func(s *searched) bool { return s.began >= 0 })
}

func amounts(list []searched, value func(s *searched) int) (values []int) {
	for i := range list {
		values = append(values, value(&list[i]))
	}
	return values
}

// waitsOf returns the waits of the searches that began in the measured window.
func waitsOf(list []searched) []int {
	return amounts(inWindow(list), func(s *searched) int { return s.wait })
}

// firsts returns, for every new match, the search that waited longest. If there are several,
// it returns the first.
func firsts(list []searched) (oldest []searched) {
	index := map[string]int{}
	for _, s := range list {
		if !s.newMatch {
			continue
		}
		i, seen := index[s.match]
		if !seen {
			index[s.match] = len(oldest)
			oldest = append(oldest, s)
		} else if s.began < oldest[i].began {
			oldest[i] = s
		}
	}
	return oldest
}

// checkRecords compares everything that the summary says about searches with the records.
func (f *runFiles) checkRecords(t *testing.T, label string) *recordTotals {
	t.Helper()
	all := f.searches(t)
	l := &recordTotals{t: t, label: label, counted: map[string]bool{}}
	text, err := os.ReadFile(filepath.Join(f.dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &l.summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		l.counted[s.end] = true
	}
	entries, matched, oldest := inWindow(all), ended(all, "matched"), firsts(all)
	returns := where(entries, func(s *searched) bool { return s.isReturn })
	for path, list := range map[string][]searched{
		"players/entries": entries, "players/returns": returns, "players/matched": matched,
		"players/failed": ended(all, "failed"), "players/expired": ended(all, "expired"), "players/bots": ended(all, "bots"),
		"players/rejected": ended(all, "rejected"), "players/searching_at_end": ended(all, "searching"),
		"matches/players": matched, "matches/count": oldest,
		"states/ideal/matched":    where(matched, func(s *searched) bool { return s.cells["state"] == "ideal" }),
		"states/expand/matched":   where(matched, func(s *searched) bool { return s.cells["state"] == "expand" }),
		"states/warmbody/matched": where(matched, func(s *searched) bool { return s.cells["state"] == "warmbody" }),
	} {
		l.count(path, len(list))
	}
	if declined := ended(all, "declined"); len(declined) > 0 { // absent if players are not asked
		l.count("players/declined", len(declined))
	}
	if cancelled := ended(all, "cancelled"); len(cancelled) > 0 { // absent without players.patience
		l.count("players/cancelled", len(cancelled))
	}
	l.ends("players", all)
	l.count("players/joins", len(entries)-len(returns))
	l.count("players/searching_at_start", len(all)-len(entries))
	for path, list := range map[string][]searched{
		"wait_s": matched, "failed_wait_s": ended(all, "failed", "expired", "declined", "cancelled"), "bots_wait_s": ended(all, "bots"),
		"wait_first_s":  where(matched, func(s *searched) bool { return !s.isReturn }),
		"wait_repeat_s": where(matched, func(s *searched) bool { return s.isReturn }),
	} {
		l.distribution(path, waitsOf(list), 1000, 0.001, waitKeys...)
	}
	l.distribution("rtt_ms", amounts(matched, func(s *searched) int { return s.rtt }), 100, 0.01, "count", "mean", "sd", "p50", "p95", "max")
	l.distribution("delta_rtt_ms", amounts(matched, func(s *searched) int { return s.delta }), 100, 0.01, "mean", "p50", "p95")
	again := where(matched, func(s *searched) bool { return s.isReturn })
	repeats := where(again, func(s *searched) bool { return s.cells["repeat"] == "1" })
	l.equal("matches/repeat_share", float64(len(repeats))/float64(len(again)), 1e-5)

	l.groups("by_continent", all, func(s *searched) string { return s.cells["continent"] })
	l.groups("by_party_size", all, func(s *searched) string { return s.cells["party_size"] })
	l.groups("by_hour", all, func(s *searched) string { return strconv.Itoa(s.hour) })
	l.served("by_datacenter", matched, oldest, func(s *searched) string { return s.cells["datacenter"] })
	if queues, several := l.summary["queues"].(map[string]any); several {
		for name := range queues {
			own := where(all, func(s *searched) bool { return s.cells["queue"] == name })
			l.players("queues/"+name+"/players", own)
			l.count("queues/"+name+"/players/matched", len(ended(own, "matched")))
			l.distribution("queues/"+name+"/wait_s", waitsOf(ended(own, "matched")), 1000, 0.001, waitKeys...)
		}
	}
	return l
}

// players compares the counts of a group of players with the summary.
func (l *recordTotals) players(path string, list []searched) {
	l.t.Helper()
	l.count(path+"/entries", len(inWindow(list)))
	for _, end := range []string{"failed", "expired", "bots", "rejected"} {
		l.count(path+"/"+end, len(ended(list, end)))
	}
	if declined := ended(list, "declined"); len(declined) > 0 {
		l.count(path+"/declined", len(declined))
	}
	if cancelled := ended(list, "cancelled"); len(cancelled) > 0 {
		l.count(path+"/cancelled", len(cancelled))
	}
	l.ends(path, list)
}

// ends compares how many searches of a group ended, and the share of those without a match, with
// the summary.
func (l *recordTotals) ends(path string, list []searched) {
	l.t.Helper()
	over := where(list, func(s *searched) bool { return s.end != "searching" })
	l.count(path+"/ended", len(over))
	unmatched := len(over) - len(ended(over, "matched"))
	l.equal(path+"/unmatched_share", float64(unmatched)/float64(len(over)), 1e-5)
}

// groups compares a breakdown of all searches by a key with the summary.
func (l *recordTotals) groups(path string, all []searched, key func(s *searched) string) {
	l.t.Helper()
	l.served(path, ended(all, "matched"), firsts(all), key)
	for name, list := range divided(all, key) {
		l.players(path+"/"+name, list)
	}
	if groups, named := l.summary[path].(map[string]any); named && len(groups) > len(divided(all, key)) {
		l.t.Errorf("%s: summary.json has %s %v, the records %v", l.label, path,
			slices.Sorted(maps.Keys(groups)), slices.Sorted(maps.Keys(divided(all, key))))
	}
}

// served compares a breakdown of the matched searches by a key with the summary.
func (l *recordTotals) served(path string, matched, oldest []searched, key func(s *searched) string) {
	l.t.Helper()
	matches := divided(oldest, key)
	for name, list := range divided(matched, key) {
		at := path + "/" + name
		l.count(at+"/players", len(list))
		l.count(at+"/matches", len(matches[name]))
		waits, total := slices.Sorted(slices.Values(waitsOf(list))), 0.0
		for _, wait := range waits {
			total += float64(wait) / 1000
		}
		if n := len(waits); n > 0 {
			l.equal(at+"/wait_mean_s", total/float64(n), 0.001)
			l.equal(at+"/wait_p95_s", float64(waits[(n*95+99)/100-1])/1000, 0)
		}
	}
}

func divided(list []searched, key func(s *searched) string) map[string][]searched {
	groups := map[string][]searched{}
	for i := range list {
		k := key(&list[i])
		groups[k] = append(groups[k], list[i])
	}
	return groups
}

// familyRun returns a run that writes records. Its players live on two continents and may return.
// The settings may add parties.
func familyRun(settings ...string) theoryRun {
	return theoryRun{
		datacenters: europe(2) + "\n2,saopaulo,-23.55,-46.63",
		day: func(yield func(float64, string) bool) {
			for at, cells := range poisson(0.3, anywhereOfTwo) {
				if used := at < 50*60 || at > secondsPerDay-10*60; used && !yield(at, cells) {
					return
				}
			}
		},
		settings: append([]string{
			"clock.duration=40m", "clock.warmup=6m", "clock.tick=700ms", "players.play_again=0.6", "match.length=2m", "output.records=csv",
			"states={ideal: {rtt: 4ms, for: 3s}, expand: {rtt: 8ms, for: 2s}, warmbody: {for: 2s}}",
		}, settings...),
	}
}

// anywhereOfTwo is a draw for poisson. The player lives in Europe or in Brazil.
func anywhereOfTwo(r *rand.Rand) string {
	if r.IntN(5) == 0 {
		return fmt.Sprintf("%.2f,%.2f", -30+20*r.Float64(), -55+10*r.Float64())
	}
	return anywhereInEurope(r)
}

// In every kind of run, the rows of the records add up to summary.json.
func TestRecordsAddUp(t *testing.T) {
	t.Parallel()
	const regions = `"RegionSelectionRule": {"Name": "near", "MaxLatency": 12, "Path": "$.Latencies"}`
	pool := familyRun("players.give_up_after=7s", "players.parties={1: 0.7, 3: 0.3}", "placement=pool")
	pool.rules = `{"Name": "pool", "MinMatchSize": 4, "MaxMatchSize": 4, ` + regions + `}`
	backfill := familyRun("players.give_up_after=9s", "placement=pool", "match.length=3m", "clock.tick=3s")
	backfill.rules = `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 2, "player_max_number": 3}, "auto_backfill": true}`
	asked := familyRun("players.give_up_after=20s", "players.parties={1: 0.7, 2: 0.3}", "placement=pool",
		"match.acceptance={required: true, timeout: 8s, accept: 0.8, delay: {mean: 3s, sd: 1s}}")
	asked.rules = pool.rules
	askedInTwo := familyRun("players.give_up_after=20s", "placement=pool",
		"queues=[{name: duel, share: 0.4, match: {acceptance: {required: true, accept: 0.7}}}, {name: rest, share: 0.6}]")
	askedInTwo.rules = backfill.rules
	ruled := familyRun("placement=datacenters", "players.parties={1: 0.6, 3: 0.2, 5: 0.2}")
	ruled.rules = anyPlayers(4, false)
	for _, test := range []struct {
		name string
		theoryRun
		ends string // kinds of ends that must occur
	}{
		{"article", familyRun(), "failed matched"},
		{"patience", familyRun("players.patience={5s: 20%, 10s: 25%}", "players.parties={1: 0.7, 2: 0.3}"), "cancelled failed matched"},
		{"bots", familyRun("states.warmbody.then=bots"), "bots matched"},
		{"parties", familyRun("players.parties={1: 0.5, 2: 0.3, 6: 0.2}"), "failed matched rejected"},
		{"islands", familyRun("match.keep_together=true"), "failed matched"},
		{"jitter", familyRun("latency.jitter.sd=3ms", "latency.last_mile={median: 2ms, sigma: 0.5}"), "failed matched"},
		{"pool", pool, "expired matched"},
		{"backfill", backfill, "expired matched"},
		{"acceptance", asked, "declined expired matched"},
		{"acceptance in one of two queues, with backfill", askedInTwo, "declined expired matched"},
		{"rules", ruled, "failed matched rejected"},
		{"queues", familyRun("queues=[{name: duel, share: 0.4, match: {size: 2}}, {name: rest, share: 0.6, match: {size: 4}}]"), "failed matched"},
		{"servers", familyRun("placement=servers", "servers={capacity: 2, start: 2m, session: {exponential: 3m}}", "players.parties={1: 0.5, 2: 0.5}",
			"players.attributes={age: {normal: {mean: 20, sd: 20}}}"), "matched rejected searching"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if _, err := replicated(t.Context(), test.config(t, t.TempDir()), dir); err != nil {
				t.Fatal(err)
			}
			l := readFound(t, dir).checkRecords(t, test.name)
			if got := slices.Sorted(maps.Keys(l.counted)); !contains(got, strings.Fields(test.ends)) {
				t.Errorf("got ends of searches %v, want at least %s, so that the test covers them", got, test.ends)
			}
			if l.number("players/searching_at_start") == 0 {
				t.Error("got no search that began in the warm-up, want some, so that the test covers them")
			}
		})
	}
}

func contains(list, all []string) bool {
	for _, one := range all {
		if !slices.Contains(list, one) {
			return false
		}
	}
	return true
}

// The records of an interrupted run add up to its summary. They include the searches that the
// interruption cut off.
func TestRecordsOfAnInterruptedRun(t *testing.T) {
	t.Parallel()
	cutOff := 0
	for _, minute := range []sim.Instant{0, 1, 20, 33} {
		dir := t.TempDir()
		c := familyRun().config(t, t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		summary, err := replicated(ctx, c, dir, func(setup.Run) sim.Observer {
			return canceller{minute * sim.Instant(sim.Minute), cancel}
		})
		if err != nil {
			t.Fatal(err)
		}
		f := readFound(t, dir)
		l := f.checkRecords(t, fmt.Sprint("minute ", minute))
		if summary.Complete {
			t.Errorf("run interrupted in minute %d: got complete, want incomplete", minute)
		}
		for _, s := range ended(f.searches(t), "searching") {
			cutOff++
			if at := float64(s.began+s.wait) / 1000; at != l.number("run/reached_s") {
				t.Errorf("got an unfinished search at %v s, want it at %v s, the end of the run", at, l.number("run/reached_s"))
			}
		}
	}
	if cutOff == 0 {
		t.Error("got no unfinished search in any run, want some, so that the test covers them")
	}
}

// canceller interrupts a run at a virtual time.
type canceller struct {
	at     sim.Instant
	cancel func()
}

func (canceller) Entered(*sim.Search) {}
func (canceller) Matched(*sim.Match)  {}
func (canceller) Ended(*sim.Ended)    {}
func (c canceller) Sampled(census *sim.Census) {
	if census.At == c.at {
		c.cancel()
	}
}

// replicated simulates one replication and writes its files to a directory.
func replicated(ctx context.Context, c *config.Config, dir string, watchers ...results.Watcher) (*outcome.Summary, error) {
	cache := experiment.NewCache(1)
	in, err := experiment.Load(c, cache)
	if err != nil {
		return nil, err
	}
	w := results.Writer{Folder: dir, Watchers: watchers}
	e := experiment.Experiment{Arms: []experiment.Arm{{Config: c, Inputs: in}}, Runs: []uint64{uint64(c.Run)}}
	var summary *outcome.Summary
	err = e.Run(ctx, experiment.Options{Cache: cache, Measure: w.Measure, Keep: func(o experiment.Outcome) error {
		summary = &o.Result.Summary
		return nil
	}})
	return summary, err
}

// config writes the run's input files and returns a configuration that uses them.
func (s theoryRun) config(t *testing.T, dir string) *config.Config {
	t.Helper()
	commandtest.Put(t, dir, map[string]string{"datacenters.csv": s.datacenters})
	s.writeDay(t, filepath.Join(dir, "day.csv"))
	overrides := []config.Override{
		{Key: "dataset.file", Text: filepath.Join(dir, "day.csv"), Literal: true},
		{Key: "datacenters.file", Text: filepath.Join(dir, "datacenters.csv"), Literal: true},
	}
	if s.rules != "" {
		commandtest.Put(t, dir, map[string]string{"rules.json": s.rules})
		overrides = append(overrides, config.Override{Key: "rules", Text: filepath.Join(dir, "rules.json"), Literal: true})
	}
	for _, setting := range append(plainSettings[:len(plainSettings):len(plainSettings)], s.settings...) {
		key, text, _ := strings.Cut(setting, "=")
		overrides = append(overrides, config.Override{Flag: "--set " + setting, Key: key, Text: text})
	}
	c, err := config.Load("", overrides)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Four searches end. Two players are matched, one after 2 s and one at once. Two players who
// are alone fail after 10 s in each of the three states. The matched players waited 1 s on
// average. All players whose search ended waited (2+0+30+30)/4 = 15.5 s. A fifth player has
// waited 10 s when the run ends.
func TestTheorySurvivorBias(t *testing.T) {
	t.Parallel()
	f := theoryRun{
		day: func(yield func(float64, string) bool) {
			for _, at := range []float64{1, 3, 100, 200, 590} {
				if !yield(at, home) {
					return
				}
			}
		},
		settings: []string{"match.size=2", "clock.duration=10m", "clock.warmup=0s", "output.records=csv",
			"states={ideal: {for: 10s}, expand: {for: 10s}, warmbody: {for: 10s}}"},
	}.simulate(t)
	var got []string
	mean := map[string]float64{}
	count := map[string]float64{}
	for _, s := range f.searches(t) {
		got = append(got, fmt.Sprintf("%s after %s s as %s", s.end, s.cells["wait_s"], s.cells["state"]))
		mean["all"] += float64(s.wait) / 1000
		mean[s.end] += float64(s.wait) / 1000
		count["all"]++
		count[s.end]++
	}
	want := []string{
		"matched after 2.000 s as ideal", "matched after 0.000 s as ideal",
		"failed after 30.000 s as warmbody", "failed after 30.000 s as warmbody", "searching after 10.000 s as ideal",
	}
	slices.Sort(got[:2])
	slices.Sort(want[:2])
	if !slices.Equal(got, want) {
		t.Fatalf("got records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	survivors := mean["matched"] / count["matched"]
	over := (mean["matched"] + mean["failed"]) / (count["matched"] + count["failed"])
	near(t, "wait of the survivors", survivors, 1, 1e-9)
	near(t, "wait of the survivors in summary.json", f.Wait.Mean, survivors, 1e-9)
	near(t, "wait of all who ended", over, 15.5, 1e-9)
	near(t, "wait of all", mean["all"]/count["all"], 14.4, 1e-9)
}

// Equal inputs give equal records on any number of cores.
func TestRecordsOnAnyNumberOfProcessors(t *testing.T) {
	in := map[string][][]byte{}
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		for _, form := range []string{"csv", "parquet"} {
			dir := t.TempDir()
			s := familyRun("output.records=" + form)
			var errs bytes.Buffer
			commandtest.Put(t, dir, map[string]string{"datacenters.csv": s.datacenters})
			s.writeDay(t, filepath.Join(dir, "day.csv"))
			args := []string{"run", "--quiet", "--runs", "2", "--out", filepath.Join(dir, "out"),
				"--dataset", filepath.Join(dir, "day.csv"), "--datacenters", filepath.Join(dir, "datacenters.csv")}
			for _, setting := range append(plainSettings[:len(plainSettings):len(plainSettings)], s.settings...) {
				args = append(args, "--set", setting)
			}
			if code := command.Run(args, nil, io.Discard, &errs); code != command.ExitGood {
				t.Fatal(errs.String())
			}
			for _, name := range []string{"0", "1"} {
				file := map[string]string{"csv": records.CSVFile, "parquet": records.ParquetFile}[form]
				text, err := os.ReadFile(filepath.Join(dir, "out", "runs", name, file))
				if err != nil {
					t.Fatal(err)
				}
				in[form+" "+name] = append(in[form+" "+name], text)
			}
		}
		runtime.GOMAXPROCS(before)
	}
	for name, files := range in {
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: 1 and 4 processors wrote different files of %d and %d bytes, want equal bytes", name, len(files[0]), len(files[1]))
		}
	}
}
