package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
)

// valuesOf reads one setting of a sweep and lists its values.
func valuesOf(t *testing.T, setting string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte("settings: {"+setting+"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	spec, err := readSweep(file, nil)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, n := range spec.axes[0].values {
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, " "), nil
}

func TestSweepValues(t *testing.T) {
	for setting, want := range map[string]string{
		"match.size: [2, 4]": "2 4",
		"players.play_again: {from: 0.6, to: 0.9, step: 0.05}":            "0.6 0.65 0.7 0.75 0.8 0.85 0.9",
		"players.play_again: {from: 0.6, to: 0.89, step: 0.1}":            "0.6 0.7 0.8",
		"players.play_again: {from: 0, to: 1, steps: 3}":                  "0 0.5 1",
		"dataset.scale: {from: 0.01, to: 100, steps: 5, scale: log}":      "0.01 0.1 1 10 100",
		"match.size: {from: 2, to: 16, steps: 4, scale: log}":             "2 4 8 16",
		"match.size: {from: 2, to: 4, steps: 9}":                          "2 3 4", // whole numbers, each once
		"states.ideal.for: {from: 1s, to: 1m40s, steps: 3, scale: log}":   "1s 10s 1m40s",
		"states.ideal.rtt: {from: 20ms, to: 30ms, step: 5ms}":             "20ms 25ms 30ms",
		"states.ideal.rtt: {from: 1ms, to: 4ms, steps: 3, scale: log}":    "1ms 2ms 4ms",
		"states.ideal.for: {from: 100ms, to: 1s, steps: 3, scale: log}":   "100ms 316ms 1s",
		"dataset.builtin.joins: {from: 1e5, to: 3e5, step: 1e5}":          "100000 200000 300000",
		"states.expand.for: {from: 1, to: 2, step: 1}":                    "1 2", // rejected only when the value is applied
		"players.between_matches: {from: 0s, to: 1s, steps: 2}":           "0s 1s",
		"match.length: [5m, {mean: 5m, sd: 1m}]":                          "5m ",
		"latency.last_mile.sigma: {from: 0.1, to: 0.3, step: 0.1}":        "0.1 0.2 0.3",
		"states.warmbody.then: [failed, bots]":                            "failed bots",
		"clock.tick: {from: 1s, to: 3s, step: 1s}":                        "1s 2s 3s",
		"players.parties: [{1: 1.0}]":                                     "",
		"dataset.builtin.preset: [eu, \"world\"]":                         "eu world",
		"match.partner_cooldown: {from: 0s, to: 10s, step: 3s}":           "0s 3s 6s 9s",
		"states.ideal.rtt: {from: 50ms, to: 51ms, steps: 2}":              "50ms 51ms",
		"dataset.scale: {from: 1, to: 1.000001, steps: 3}":                "1",
		"states.ideal.rtt: {from: 8ms, to: 9ms, steps: 3, scale: linear}": "8ms 8.5ms 9ms",
	} {
		if got, err := valuesOf(t, setting); err != nil || got != want {
			t.Errorf("%s: got %q (error %v), want %q", setting, got, err, want)
		}
	}
	for setting, want := range map[string]string{
		"match.size: 4":                "got \"4\", expected a list such as [2, 4, 8] or a range",
		"match.size: []":               "got an empty list, expected a list",
		"match.size: {from: 2, to: 4}": "expected from, to, and either step or steps",
		"match.size: {from: 2, to: 4, step: 1, steps: 2}":             "expected from, to, and either step or steps",
		"match.size: {from: 4, to: 4, step: 1}":                       "expected a range that ends (to) above its start (from)",
		"match.size: {from: 2, to: 4, step: 0}":                       "expected a step above 0",
		"match.size: {from: 0, to: 1e9, step: 1}":                     "that makes at most 10000 values",
		"match.size: {from: 0, to: 4, steps: 3, scale: log}":          "from above 0",
		"match.size: {from: 1, to: 4, step: 1, scale: log}":           "needs steps",
		"match.size: {from: 1, to: 4, steps: 1}":                      "expected a whole number from 2 to 10000",
		"match.size: {from: 1, to: 4, steps: 2, scale: cubic}":        "expected linear or log",
		"match.size: {from: 1, to: 4, steps: 2, stop: 3}":             "unknown key \"stop\"",
		"match.size: {from: x, to: 4, steps: 2}":                      "match.size.from: got \"x\", expected a number or a duration",
		"states.ideal.rtt: {from: 1, to: 4ms, steps: 2}":              "numbers and durations are mixed",
		"states.ideal.rtt: {from: NaN, to: 4, steps: 2}":              "expected a number or a duration",
		"states.ideal.rtt: {from: 1ms, to: 4ms, steps: 2, step: [1]}": "expected a number or a duration",
	} {
		if _, err := valuesOf(t, setting); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one that contains %q", setting, err, want)
		}
	}
}

func TestShardOf(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "9", "SLURM_ARRAY_TASK_STEP": "2"}
	sge := map[string]string{"SGE_TASK_ID": "3", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "4", "SGE_TASK_STEPSIZE": "1"}
	for _, test := range []struct {
		flag string
		env  map[string]string
		want shard
		good bool
	}{
		{"", nil, shard{1, 1}, true}, {"2/8", nil, shard{2, 8}, true}, {"2/8", slurm, shard{2, 8}, true}, {"1/1", slurm, shard{1, 1}, true},
		{"", slurm, shard{4, 5}, true}, {"", sge, shard{3, 4}, true},
		{"", map[string]string{"SGE_TASK_ID": "undefined"}, shard{1, 1}, true},
		{"", map[string]string{"SLURM_ARRAY_TASK_ID": "7"}, shard{}, false},
		{"0/8", nil, shard{}, false}, {"9/8", nil, shard{}, false}, {"2/8x", nil, shard{}, false}, {"2", nil, shard{}, false}, {"02/8", nil, shard{}, false},
	} {
		got, err := shardOf(test.flag, func(name string) string { return test.env[name] })
		if (err == nil) != test.good || test.good && got != test.want {
			t.Errorf("%q, %v: got %v (error %v), want %v", test.flag, test.env, got, err, test.want)
		}
	}
}

// The sweeps and site searches in the gallery are valid. The test does not simulate them, because that
// takes too long.
func TestProjectSpecs(t *testing.T) {
	for file, check := range map[string]func(string, []config.Override) (string, error){
		"../gallery/article/play-again.yaml": CheckSweep, "../gallery/article/site.yaml": CheckSite,
	} {
		if _, err := check(file, nil); err != nil {
			t.Error(err)
		}
	}
}
