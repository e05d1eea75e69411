package tuning

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
)

// tuningOf reads a tuning.
func tuningOf(t *testing.T, text string) (*tuneSpec, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("t.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return readTuning("t.yaml", nil)
}

// The text about the budget says how trials count towards it.
func TestBudgetText(t *testing.T) {
	for spec, want := range map[string]string{
		"budget: {runs: 40}":                "Budget: 37.5 of 40 replications of the whole day: a trial of a part of the day counts for that part, warm-up included. The final comparison is not counted.\n",
		"budget: {runs: 200}\nhalve: joins": "Budget: 37.5 of 200 replications of the whole day: a trial with a part of the joins counts for that part. The final comparison is not counted.\n",
		"budget: {runs: 38}\nhalve: none":   "Budget: 37.5 of 38 replications of the whole day. The final comparison is not counted.\n",
		"budget: {minutes: 1.5}":            "Budget: 1m30s, in which the trials took as much as 37.5 replications of the whole day.\n",
	} {
		read, err := tuningOf(t, "settings: {match.size: [2, 4]}\nminimise: wait_s.p95\n"+spec+"\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := (&tuneSearch{spec: read, spent: 37.46}).budgetText(); got != want {
			t.Errorf("%s: got %q, want %q", spec, got, want)
		}
	}
}

func TestTuningValues(t *testing.T) {
	for setting, want := range map[string]string{
		"players.play_again: {from: 0.6, to: 0.9}":                         "any: 0.6 0.75 0.9",
		"dataset.scale: {from: 0.01, to: 100, scale: log}":                 "any: 0.01 1 100",
		"states.ideal.rtt: {from: 20ms, to: 80ms}":                         "any: 20ms 50ms 80ms",
		"states.ideal.for: {from: 1s, to: 1m40s, scale: log}":              "any: 1s 10s 1m40s",
		"states.ideal.rtt: {from: 20ms, to: 80ms, step: 20ms}":             "ordered: 20ms 40ms 60ms 80ms",
		"states.ideal.rtt: {from: 20ms, to: 80ms, steps: 3}":               "ordered: 20ms 50ms 80ms",
		"match.size: {from: 2, to: 6}":                                     "ordered: 2 3 4 5 6",
		"match.size: {from: 2, to: 6, step: 2}":                            "ordered: 2 4 6",
		"match.size: {from: 2, to: 6, scale: log}":                         "ordered: 2 3 4 5 6",
		"match.size: [2, 4, 8]":                                            "ordered: 2 4 8",
		"match.size: [8, 4]":                                               "words: 8 4",
		"match.order: [shuffle, oldest]":                                   "words: shuffle oldest",
		"states.ideal.for: [1s, 10s, 1m]":                                  "ordered: 1s 10s 1m",
		"match.keep_together: [true, false]":                               "words: true false",
		"match.order: [shuffle]":                                           "words: shuffle",
		"states.expand.rtt: {from: 100ms, to: 100.5ms}":                    "any: 100ms 100ms 101ms",
		"latency.last_mile.median: {from: 0ms, to: 1ms}":                   "any: 0s 500µs 1ms",
		"states.warmbody.for: {from: 0s, to: 1m, scale: linear}":           "any: 0s 30s 1m",
		"dataset.builtin.joins: {from: 1000, to: 100000, scale: log}":      "first 1000, last 100000",
		"dataset.builtin.joins: {from: 1000, to: 2000, step: 500}":         "ordered: 1000 1500 2000",
		"servers.capacity: {from: 8, to: 10}":                              "ordered: 8 9 10",
		"players.between_matches: {from: 1s, to: 1m, steps: 2}":            "ordered: 1s 1m",
		"states.ideal.for: {from: 1s, to: 3s, step: 1s, scale: linear}":    "ordered: 1s 2s 3s",
		"match.partner_cooldown: {from: 0s, to: 10m, step: 5m}":            "ordered: 0s 5m 10m",
		"states.ideal.rtt: {from: 8ms, to: 9ms}":                           "any: 8ms 8.5ms 9ms",
		"clock.tick: {from: 1s, to: 2s}":                                   "any: 1s 1.5s 2s",
		"players.play_again: {from: 0.123456789, to: 0.5}":                 "any: 0.123457 0.311728 0.5",
		"states.expand.for: {from: 2s, to: 2s500ms, steps: 2}":             "ordered: 2s 2.5s",
		"match.length: {from: 1m, to: 5m}":                                 "any: 1m 3m 5m",
		"matcher.budget: {from: 10, to: 12}":                               "ordered: 10 11 12",
		"players.give_up_after: {from: 10s, to: 1m, steps: 2, scale: log}": "ordered: 10s 1m",
	} {
		spec, err := tuningOf(t, "settings: {"+setting+"}\nminimise: wait_s.p95\n")
		if err != nil {
			t.Errorf("%s: %v", setting, err)
			continue
		}
		if got := described(&spec.settings[0]); got != want && !strings.HasPrefix(want, "first") {
			t.Errorf("%s: got %s, want %s", setting, got, want)
		} else if first := spec.settings[0]; strings.HasPrefix(want, "first") && want != fmt.Sprintf("first %s, last %s", first.value(0).Text, first.value(1).Text) {
			t.Errorf("%s: got %s to %s, want %s", setting, first.value(0).Text, first.value(1).Text, want)
		}
	}
}

// described describes the values of a setting. For a range, it shows both ends and the middle.
func described(s *tunable) string {
	var values []string
	for _, n := range s.values {
		values = append(values, n.Text)
	}
	switch {
	case s.Levels == 0:
		return "any: " + s.value(0).Text + " " + s.value(0.5).Text + " " + s.value(1).Text
	case s.Ordered:
		return "ordered: " + strings.Join(values, " ")
	}
	return "words: " + strings.Join(values, " ")
}

// The coordinate of a baseline value leads back to the same value.
func TestCoordinateIsTheInverse(t *testing.T) {
	spec, err := tuningOf(t, `settings:
  states.ideal.rtt: {from: 20ms, to: 80ms}
  states.ideal.for: {from: 1s, to: 1m40s, scale: log}
  match.size: {from: 2, to: 8}
  match.order: [shuffle, oldest]
  players.play_again: {from: 0.5, to: 0.9}
minimise: wait_s.p95
`)
	if err != nil {
		t.Fatal(err)
	}
	for i, written := range []string{"50ms", "10s", "4", "oldest", "0.75"} {
		s := &spec.settings[i]
		at, ok := s.coordinate(written)
		if got := s.value(at).Text; !ok || got != written {
			t.Errorf("%s: got coordinate %g (%t), which is the value %s", written, at, ok, got)
		}
	}
	for i, written := range []string{"90ms", "500ms", "9", "random", "75ms"} {
		if at, ok := spec.settings[i].coordinate(written); ok {
			t.Errorf("%s: got coordinate %g, want none", written, at)
		}
	}
	if at, _ := spec.settings[1].coordinate("10s"); math.Abs(at-0.5) > 1e-12 {
		t.Errorf("10s: got coordinate %g of 1s to 100s, want 0.5, the middle of a logarithmic scale", at)
	}
}

func TestTuningFaults(t *testing.T) {
	for text, want := range map[string]string{
		"settings: {match.size: 4}\nminimise: a":                                                  `t.yaml:1:24: match.size: got "4", expected a list`,
		"settings: {match.size: {from: 2}}\nminimise: a":                                          "t.yaml:1:24: match.size: expected from and to, and optionally either step or steps",
		"settings: {match.size: {from: 2, to: 8, step: 2, steps: 3}}\nminimise: a":                "t.yaml:1:24: match.size: expected from and to, and optionally either step or steps",
		"settings: {match.size: {from: 8, to: 2}}\nminimise: a":                                   "t.yaml:1:24: match.size: expected a range that ends (to) above its start (from)",
		"settings: {states.ideal.rtt: {from: 0ms, to: 9ms, scale: log}}\nminimise: a":             "t.yaml:1:30: states.ideal.rtt: a logarithmic scale needs steps, and from above 0",
		"settings: {states.ideal.rtt: {from: 1, to: 9}}\nminimise: a":                             `t.yaml:1:37: states.ideal.rtt: got "1" without a unit`,
		"settings: {dataset.builtin.joins: {from: 1, to: 1e8}}\nminimise: a":                      "t.yaml:1:35: dataset.builtin.joins: more than 10000 values, expected a larger step",
		"settings: {match.order: [shuffle, olderst]}\nminimise: a":                                `t.yaml:1:35: match.order: got "olderst" (did you mean oldest?)`,
		"settings: [match.size]\nminimise: a":                                                     "t.yaml:1:11: settings: got a list, expected a mapping",
		"settings: {match.size: [2, 3]}\nminimise: {a: b}":                                        "t.yaml:2:11: minimise: got a mapping, expected a metric such as",
		"settings: {match.size: [2, 3]}\nminimise: [a, b]\nmaximise: [c, d]":                      "t.yaml:1:1: 4 metrics to minimise or maximise, expected one, or two or three",
		"settings: {match.size: [2, 3]}\nminimise: a\nbudget: {hours: 2}":                         `t.yaml:3:10: budget: unknown key "hours"; expected runs, minutes`,
		"settings: {match.size: [2, 3]}\nminimise: a\nbudget: {minutes: 0}":                       `t.yaml:3:19: budget.minutes: got "0", expected a number above 0`,
		"settings: {match.size: [2, 3]}\nminimise: a\nhalve: days":                                `t.yaml:3:8: halve: got "days", expected hours, joins or none`,
		"settings: {match.size: [2, 3]}\nminimise: a\nruns: 0":                                    `t.yaml:3:7: runs: got "0", expected a whole number from 1`,
		"settings: {match.size: [2, 3]}\nminimise: a\nstart: 1":                                   `t.yaml:3:8: start: got "1", expected a whole number from 4`,
		"settings: {match.size: [2, 3]}\nminimise: a\nconstraints: [a]":                           "t.yaml:3:14: constraints: got a list, expected a mapping of metrics to limits",
		"settings: {match.size: [2, 3]}\nminimise: a\nconstraints: {a: {min_players: 3, max: 2}}": `t.yaml:3:19: constraints.a: unknown key "min_players"; expected max, min, max_increase, max_decrease`,
		"settings: {match.size: [2, 3]}\nminimise: a\nconfig: nowhere.yaml":                       "t.yaml:3:9: config: nowhere.yaml: no such file",
		"- a": "t.yaml:1:1: got a list, expected a mapping with settings",
	} {
		if _, err := tuningOf(t, text); err == nil || !strings.HasPrefix(err.Error(), want) || !input.IsBad(err) {
			t.Errorf("%s:\ngot error %v\nwant bad input with prefix %s", text, err, want)
		}
	}
}

// The tunings in the gallery are valid. The test does not simulate them, because
// that takes too long.
func TestProjectSpecs(t *testing.T) {
	files, err := filepath.Glob("../gallery/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		if filepath.Base(file) != "tune.yaml" {
			continue
		}
		if _, err := readTuning(file, nil); err != nil {
			t.Error(err)
		}
		checked++
	}
	if checked < 2 {
		t.Errorf("got %d tunings, want at least 2", checked)
	}
}

// Trials simulate shares of the whole data, which covers two days here. Half of it is 24
// hours, which is also the default duration.
func TestSharesOfSeveralDays(t *testing.T) {
	spec, err := tuningOf(t, "settings: {match.size: [2, 4]}\nminimise: wait_s.p95\nbudget: {runs: 4}\n")
	if err != nil {
		t.Fatal(err)
	}
	day := "time,latitude,longitude\n2026-03-14T01:00:00Z,50,8\n2026-03-15T01:00:00Z,50,8\n"
	if err := os.WriteFile("days.csv", []byte(day), 0o666); err != nil {
		t.Fatal(err)
	}
	for share, want := range map[float64]time.Duration{0.25: 12 * time.Hour, 0.5: 24 * time.Hour, 1: 48 * time.Hour} {
		override, err := config.ParseOverride("set", "dataset.file=days.csv")
		if err != nil {
			t.Fatal(err)
		}
		c, err := config.Load("", []config.Override{override})
		if err != nil {
			t.Fatal(err)
		}
		spec.shorten(c, share, 48*time.Hour)
		in, err := experiment.Load(c, experiment.NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Config.Clock.Duration; got != want {
			t.Errorf("share %g: got duration %v, want %v", share, got, want)
		}
	}
}

// The best value of a range or of an ordered list is at its end if it is within 2 % of it, and if
// a value beyond the end is possible. Lists of two values and lists of words have no such end.
func TestRangeEnds(t *testing.T) {
	spec, err := tuningOf(t, `settings:
  states.ideal.rtt: {from: 20ms, to: 80ms}
  states.ideal.for: {from: 0s, to: 100s}
  match.size: {from: 2, to: 8}
  states.expand.rtt: [100ms, 120ms, 160ms]
  match.order: [shuffle, oldest]
  players.play_again: {from: 0.5, to: 0.999}
  players.between_matches: [10s, 20s]
minimise: wait_s.p95
`)
	if err != nil {
		t.Fatal(err)
	}
	const middle = 0.5
	for _, test := range []struct {
		at   []float64
		want string
	}{
		{[]float64{middle, middle, middle, middle, middle, middle, middle}, "[]"},
		{[]float64{0.021, 0.979, middle, middle, middle, middle, middle}, "[]"},
		{[]float64{0.019, 0.981, middle, middle, middle, middle, middle}, "[{states.ideal.rtt 20ms range} {states.ideal.for 1m40s range}]"},
		{[]float64{0.99, 0.01, middle, middle, middle, middle, middle}, "[{states.ideal.rtt 80ms range}]"}, // no state is shorter than 0s
		{[]float64{middle, middle, 0.5 / 7, middle, middle, 1, middle}, "[]"},                              // fewer than 2 players, and a chance of 1, are invalid
		{[]float64{middle, middle, 6.5 / 7, 2.5 / 3, 0.75, 0, 0.75}, "[{match.size 8 range} {states.expand.rtt 160ms list} {players.play_again 0.5 range}]"},
		{[]float64{middle, middle, 5.5 / 7, 0.5 / 3, 0.25, middle, 0.25}, "[{states.expand.rtt 100ms list}]"},
	} {
		if got := fmt.Sprint(spec.atEnd(test.at)); got != test.want {
			t.Errorf("%v: got %s, want %s", test.at, got, test.want)
		}
	}
}

func TestSchemaAcceptsValidFiles(t *testing.T) {
	commandtest.AcceptsValidFiles(t, Schema(), func(file string) bool {
		_, err := readTuning(file, nil)
		return err == nil
	}, 10)
}
