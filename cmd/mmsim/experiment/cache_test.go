package experiment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/latencymap"
)

// Inputs that several configurations share are made only once. Different inputs are kept
// apart.
func TestInputsAreShared(t *testing.T) {
	cache := NewCache(10)
	var replications []*Replication
	var inputs []*Inputs
	for _, settings := range [][]string{nil, {"states.ideal.rtt=40ms"}, {"latency.fallback=line"}, {"dataset.builtin.joins=5000"}} {
		in, err := Load(smallConfig(t, settings...), cache)
		if err != nil {
			t.Fatal(err)
		}
		w, err := in.Replication(3)
		if err != nil {
			t.Fatal(err)
		}
		inputs, replications = append(inputs, in), append(replications, w)
	}
	base, ideal, line, other := replications[0], replications[1], replications[2], replications[3]
	if inputs[0].Latency != inputs[1].Latency || base.Day != ideal.Day || &base.places.RTT[0] != &ideal.places.RTT[0] {
		t.Error("equal inputs were computed twice, want them shared")
	}
	if inputs[0].Latency == inputs[2].Latency || base.Day != line.Day || &base.places.RTT[0] == &line.places.RTT[0] {
		t.Error("configurations with different latency models: want the day shared and the RTTs not")
	}
	if base.Day == other.Day {
		t.Error("days of different sizes are shared, want two days")
	}
	for i, in := range inputs {
		alone, err := Load(in.Config, NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Replication(3)
		if err != nil {
			t.Fatal(err)
		}
		if got := replications[i]; got.hash != want.hash || got.Day.SHA256 != want.Day.SHA256 ||
			len(got.places.Reach) != len(want.places.Reach) || got.places.Reach[0] != want.places.Reach[0] || got.latency != want.latency {
			t.Errorf("configuration %d: the inputs differ from those prepared without other configurations", i)
		}
	}
}

// A file that has been rewritten has a different stamp.
func TestFilesAreStamped(t *testing.T) {
	t.Chdir(t.TempDir())
	putInputs(t)
	cache := NewCache(10)
	var days []*datasets.Day
	for _, more := range []string{"", "", "00:00:09,50,8,14,1\n"} {
		f, err := os.OpenFile("day.csv", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, more)
		f.Close()
		in, err := Load(smallConfig(t, "dataset.file=day.csv", "dataset.max_bad_rows=2"), cache)
		if err != nil {
			t.Fatal(err)
		}
		days = append(days, in.Day)
	}
	if days[0] != days[1] || days[1] == days[2] {
		t.Errorf("got days of %d, %d and %d joins, want the first two shared and the third not", days[0].Rows(), days[1].Rows(), days[2].Rows())
	}
}

// anotherValue contains, for every key of the configuration, values that the test's
// configurations do not have. A new key needs an entry.
var anotherValue = map[string][]string{
	"seed": {"2"}, "run": {"3"},
	"dataset.file": {"other.csv"}, "dataset.rows": {"sessions"}, "dataset.days": {"2"}, "dataset.scale": {"0.5"}, "dataset.resample": {"true"}, "dataset.spread": {"false"},
	"dataset.columns": {"{build: text}"}, "dataset.max_bad_rows": {"1", "3", "50%"}, "dataset.time_format": {"excel", "month/day"}, "dataset.geoip": {"places.mmdb"},
	"dataset.builtin.preset": {"sa"}, "dataset.builtin.joins": {"5000"}, "dataset.builtin.date": {"2026-07-01"}, "dataset.builtin.weekend": {"2"},
	"dataset.builtin.spike.hour": {"5"}, "dataset.builtin.spike.factor": {"3"}, "dataset.builtin.countries": {"countries.csv"},
	"dataset.map": {"{build: 'rtt:frankfurt', 'rtt:frankfurt': build}"}, "dataset.time_zone": {"+02:00"}, "dataset.date": {"2026-07-02"},
	"datacenters.file": {"datacenters.csv", "aws"}, "datacenters.use": {"[frankfurt]"},
	"fleet.prices": {"prices.csv"}, "fleet.per_machine": {"9"}, "fleet.start": {"1m"}, "fleet.idle": {"1m"}, "fleet.buffer": {"9"}, "fleet.min": {"1"}, "fleet.max": {"9"}, "fleet.billing": {"1h"}, "fleet.traffic": {"1"},
	"latency.maps": {"maps", "other-maps"}, "latency.clean": {"false"}, "latency.fallback": {"line", "fibre"}, "latency.fudge": {"1.5"},
	"latency.last_mile.median": {"5ms"}, "latency.last_mile.sigma": {"0.5"}, "latency.jitter.sd": {"5ms"},
	"clock.tick": {"2s"}, "clock.duration": {"2m"}, "clock.warmup": {"2m"}, "placement": {"servers"},
	"states.ideal.rtt": {"30ms"}, "states.ideal.for": {"5s"}, "states.expand.rtt": {"90ms"}, "states.expand.for": {"5s"},
	"states.warmbody.for": {"5s"}, "states.warmbody.then": {"bots"},
	"match.size": {"3"}, "match.length.mean": {"2m"}, "match.length.sd": {"1m"}, "match.order": {"oldest"}, "match.prefer": {"best"},
	"match.partner_cooldown": {"1m"}, "match.keep_together": {"true"}, "match.backfill": {"true"},
	"match.acceptance.required": {"true"}, "match.acceptance.timeout": {"9s"}, "match.acceptance.accept": {"0.5"}, "match.acceptance.refuse": {"1"},
	"match.acceptance.requeue": {"new"}, "match.acceptance.again": {"0.5"},
	"match.acceptance.delay.mean": {"9s"}, "match.acceptance.delay.sd": {"1s"},
	"players.play_again": {"0.5"}, "players.between_matches": {"1m"}, "players.give_up_after": {"1m"}, "players.parties": {"{1: 0.5, 2: 0.5}"},
	"players.patience": {"{10s: 5%}"}, "players.penalty": {"1m"}, "players.dead_tickets": {"0.1"}, "players.interrupted.again": {"0.5"}, "players.interrupted.after": {"1m"},
	"season.skill": {"mmr"}, "season.scale": {"300"}, "season.visit": {"0.5"}, "season.shift": {"0s"}, "season.quit": {"0.1"}, "season.newcomers": {"0.1"},
	"season.again_by": {"{win: 0.1}"}, "season.quit_by": {"{loss_streak: 0.25}"},
	"season.rating.attribute": {"rating"}, "season.rating.system": {"elo"}, "season.rating.start": {"1000"}, "season.rating.deviation": {"100"},
	"season.rating.elo.k": {"16"}, "season.rating.glicko2.tau": {"0.3"}, "season.rating.glicko2.volatility": {"0.05"},
	"season.rating.openskill.model": {"bradley-terry"}, "season.rating.openskill.tau": {"0.1"},
	"season.rating.trueskill.tau": {"0.1"}, "season.rating.trueskill.draw": {"0.1"},
	"events":              {`[{at: "00:00", for: 30s, outage: [frankfurt]}]`, `[{at: "00:00", for: 30s, joins: 9}]`, `[{at: "00:00", for: 30s, maintenance: true}]`, `[{at: "00:00", for: 30s, latency: 80ms}]`},
	"match.leave.no_show": {"0.1"}, "match.leave.per_minute": {"0.01"}, "match.leave.notice": {"5s"}, "match.leave.then": {"end"}, "match.leave.end_within": {"1h"},
	"players.attributes": {"{mmr: {normal: {mean: 1500, sd: 300}}}"},
	"rules":              {"text.json", "number.json"}, "dialect": {"playfab"}, "matcher.follow": {"page"},
	"matcher.external": {"exec:true"}, "matcher.folder": {"maps"}, "external.backfill": {"true"}, "matcher.timeout": {"1s"}, "matcher.on_invalid": {"error"}, "matcher.memory": {"64MiB"}, "matcher.profiles": {"profiles.yaml"},
	"matcher.expansion_basis": {"shortest"}, "matcher.optional_basis": {"any"}, "matcher.budget": {"9"}, "matcher.batch": {"9"}, "matcher.partition_above": {"9"}, "matcher.strict": {"true"},
	"regions": {"{Europe: [frankfurt]}"}, "queues": {"[{name: a, share: 0.5}, {name: b, share: 0.5, rules: text.json}]"},
	"servers.capacity": {"9"}, "servers.start": {"1m"}, "servers.session": {"{constant: 5m}"}, "servers.attributes": {"{}"},
	"report.limits.wait.good": {"5s"}, "report.limits.wait.fair": {"20s"}, "report.limits.rtt.good": {"30ms"}, "report.limits.rtt.fair": {"80ms"},
	"report.limits.unmatched.good": {"0.05%"}, "report.limits.unmatched.fair": {"2%"},
	"report.matters": {"{wait_s.mean: 1s}"},
	"output.dir":     {"elsewhere"}, "output.records": {"csv"}, "output.plots": {"false"}, "output.html": {"false"},
}

// putInputs writes the files that the values name.
func putInputs(t *testing.T) {
	t.Helper()
	const day = "time,latitude,longitude,build,rtt:frankfurt\n00:00:01,50,8,14,20\n00:00:02,48.9,2.3,1.5,\n00:00:03,60,18,x,30\n"
	rules := func(kind string) string {
		return `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "` + kind + `": [{"Name": "b", "Weight": 1,` +
			`"Attribute": {"Path": "build", "Source": "User"}` + map[bool]string{true: `, "Difference": 1`}[kind == "DifferenceRules"] + `}]}`
	}
	writeDatabase(t, "places.mmdb", 51)
	for name, text := range map[string]string{
		"day.csv": day + "bad\n", "other.csv": day + "00:00:04,40,-3,7,\n",
		"text.json": rules("StringEqualityRules"), "number.json": rules("DifferenceRules"),
		"countries.csv": "country,weight\nDE,5\n", "prices.csv": "*,1\n", "datacenters.csv": "1,frankfurt,50.1,8.7\n2,madrid,40.4,-3.7\n",
		"maps/latency_frankfurt.bin": mapOf(t, 45), "other-maps/latency_frankfurt.bin": mapOf(t, 55),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// mapOf returns a latency map with the same RTT everywhere. It is faster than light on the
// other side of the world.
func mapOf(t *testing.T, ms float32) string {
	t.Helper()
	text, err := binary.Append(nil, binary.LittleEndian, slices.Repeat([]float32{ms}, latencymap.Cells))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// made returns the inputs of a configuration as texts, and their keys in the cache. Both are
// nil if the configuration is invalid. If the inputs cannot be loaded, the keys are nil, and
// the text of the day is the error.
func made(t *testing.T, settings []string) (prints, keys map[string]string) {
	t.Helper()
	c, err := config.Load("", overridesOf(t, settings...))
	if err != nil {
		return nil, nil // the settings contradict each other
	}
	in, err := Load(c, NewCache(1))
	if err != nil {
		return map[string]string{"day": err.Error()}, nil
	}
	w, err := in.Replication(uint64(c.Run))
	if err != nil {
		return nil, nil
	}
	day := fmt.Sprintf("%v %v %v", slices.Collect(w.Day.Joins()), w.Day.Places, w.Day.PartySizes())
	for _, column := range w.Day.Columns {
		day += fmt.Sprintf(" %v", *column)
	}
	for place := range w.Day.Places {
		day += fmt.Sprintf(" %v", w.Day.Measured(uint32(place)))
	}
	key := in.dayKey(uint64(c.Run))
	places := fmt.Sprintf("%v %v %v %v %v", w.places.RTT, w.places.Best, w.table.FromMap, w.table.Measured, w.joins)
	for dc := range w.table.Datacenters {
		places += fmt.Sprintf(" %v", in.Latency.Cleaned(dc))
	}
	return map[string]string{"day": day, "places": places}, map[string]string{"day": key, "places": keyOf("places", key, in.mapsKey())}
}

// If a setting changes an input, it also changes the input's key, so that two arms never share
// inputs that differ.
func TestEveryKeyChangesItsHash(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the inputs of every key")
	}
	t.Chdir(t.TempDir())
	putInputs(t)
	for name, base := range map[string][]string{
		"built-in": {"dataset.builtin.preset=eu", "dataset.builtin.joins=300", "clock.duration=1m", "clock.warmup=0s"},
		"file":     {"dataset.file=day.csv", "dataset.max_bad_rows=2", "clock.duration=1m", "clock.warmup=0s", "latency.fallback=fibre"},
		"maps":     {"dataset.file=day.csv", "dataset.max_bad_rows=2", "clock.duration=1m", "clock.warmup=0s", "latency.maps=maps", "latency.fallback=fibre"},
		"spike": {"dataset.builtin.preset=eu", "dataset.builtin.joins=300", "dataset.builtin.spike={hour: 3, factor: 2}",
			"clock.duration=1m", "clock.warmup=0s", "latency.fallback=fibre"},
	} {
		prints, keys := made(t, base)
		if keys == nil {
			t.Fatalf("%s: %v", name, prints)
		}
		changed := map[string]bool{}
		for _, key := range config.Keys() {
			values, known := anotherValue[key]
			if !known {
				t.Errorf("the table anotherValue has no value of %s; add one", key)
			}
			for _, value := range values {
				otherPrints, otherKeys := made(t, append(base[:len(base):len(base)], key+"="+value))
				for input, print := range otherPrints {
					if print == prints[input] {
						continue
					}
					changed[key] = true
					if otherKeys[input] == keys[input] {
						t.Errorf("%s: %s=%s changes the input %s, but not its hash", name, key, value, input)
					}
				}
			}
		}
		if changed["datacenters.use"] {
			t.Errorf("%s: datacenters.use changes an input, want all subsets to share the maps and places of the list", name)
		}
		var want string // the input that must have changed; otherwise the test proves nothing
		switch name {
		case "built-in":
			want = "datacenters.file dataset.builtin.countries dataset.builtin.joins dataset.builtin.preset dataset.builtin.spike.factor dataset.builtin.weekend dataset.file latency.fallback latency.fudge run seed"
		case "file":
			want = "datacenters.file dataset.columns dataset.file dataset.max_bad_rows latency.fallback latency.fudge latency.maps queues rules"
		case "maps":
			want = "latency.clean latency.maps"
		case "spike":
			want = "dataset.builtin.spike.hour"
		}
		for _, key := range strings.Fields(want) {
			if !changed[key] {
				t.Errorf("%s: got no input changed by %s, want one; inputs are changed by %v", name, key, slices.Sorted(maps.Keys(changed)))
			}
		}
	}
}

// A file of joins that grows while it is read is refused, because nobody knows which joins were read.
func TestDayChangesWhileRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "day.csv")
	if err := os.WriteFile(file, bytes.Repeat([]byte("12:00:00,52.52,13.4\n"), 200_000), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func() error {
		_, err := Load(smallConfig(t, "dataset.file="+file), NewCache(1))
		return err
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	done, started, stopped := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			close(started)
			return
		}
		defer f.Close()
		for first := true; ; first = false {
			if _, err := f.WriteString("12:00:00,52.52,13.4\n"); err != nil {
				t.Error(err)
			}
			if first {
				close(started)
			}
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	<-started
	err := read()
	close(done)
	<-stopped
	if !input.IsBad(err) || !strings.Contains(err.Error(), "changed while it was read (") {
		t.Errorf("got error %v, want a bad input that changed while it was read", err)
	}
}
