package theory_test

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// A WebAssembly module that matches the tickets that have waited longest agrees with theory
// (T2, T14 and T16).
func TestMatcherModuleTheory(t *testing.T) {
	matcherAgrees(t, "wasm:"+commandtest.Module(t))
}

// A module that reads the clock and random numbers gives the same bytes on one core and on
// four.
func TestMatcherModuleRepeats(t *testing.T) {
	module := commandtest.Module(t)
	dir := t.TempDir()
	simulated := func(cores int, name string, more ...string) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		out := filepath.Join(dir, name)
		args := append([]string{"run", "--quiet", "--runs", "2", "--out", out, "--records", "csv", "--matcher", "wasm:" + module,
			"--set", "queues=[{name: dice, share: 1}]", "--set", "dataset.builtin={preset: eu, joins: 20000}",
			"--set", "clock={duration: 20m, warmup: 5m}", "--set", "output={plots: false, html: false}"}, more...)
		var errs bytes.Buffer
		if code := command.Run(args, nil, io.Discard, &errs); code != command.ExitGood {
			t.Fatalf("exit code %d: %s", code, &errs)
		}
		files := map[string]string{}
		for _, file := range []string{"summary.json", "runs/0/summary.json", "runs/1/summary.json", "runs/1/records.csv.gz"} {
			files[file] = commandtest.Read(t, filepath.Join(out, file))
		}
		return files
	}
	one, four := simulated(1, "one"), simulated(4, "four")
	for file := range one {
		if one[file] != four[file] {
			t.Errorf("%s differs between 1 and 4 cores, want equal bytes", file)
		}
	}
	var summary struct {
		Matches struct{ Count int }
	}
	if err := json.Unmarshal([]byte(one["runs/0/summary.json"]), &summary); err != nil {
		t.Fatal(err)
	}
	if summary.Matches.Count < 50 {
		t.Errorf("got %d matches, want at least 50", summary.Matches.Count)
	}
	if text := one["runs/0/summary.json"]; strings.Contains(text, module) || !strings.Contains(text, "wasm:guest.wasm") {
		t.Error("want the module named as wasm:guest.wasm, without its folder")
	}
}
