package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/terminal"
)

// Every mmsim command that the README shows exists, with the flags it is shown
// with.
func TestReadmeShowsWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "| `")
		line, _, _ = strings.Cut(line, "`")
		line, _, _ = strings.Cut(line, " && ")
		args := strings.Fields(strings.TrimPrefix(line, "go run ./cmd/"))
		if len(args) < 2 || args[0] != "mmsim" || !strings.Contains("run compare check sweep tune validate test match dataset latency init report about worker", args[1]) {
			continue
		}
		shown++
		root := newRootCommand(&terminal.Streams{Out: io.Discard, Err: io.Discard})
		command, rest, err := root.Find(args[1:])
		if err != nil || command == root {
			t.Errorf("%s: no such command: %v", line, err)
			continue
		}
		var flags []string
		for _, arg := range rest {
			if strings.HasPrefix(arg, "--") {
				flags = append(flags, strings.SplitN(arg, "=", 2)[0])
			}
		}
		for _, flag := range flags {
			if command.Flag(strings.TrimPrefix(flag, "--")) == nil {
				t.Errorf("%s: no flag %s", line, flag)
			}
		}
	}
	if shown < 12 {
		t.Errorf("found %d commands in the README, want a dozen", shown)
	}
}

// The gate that the README shows is a gate of any result.
func TestReadmeShowsAGate(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, gate, isThere := strings.Cut(string(text), "```yaml\n# gate.yaml\n")
	if !isThere {
		t.Fatal("the README shows no gate")
	}
	gate, _, _ = strings.Cut(gate, "```")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("gate.yaml", []byte(gate), 0o666); err != nil {
		t.Fatal(err)
	}
	small := []string{"--set", "dataset.builtin.joins=2000", "--quiet"}
	var out, errs strings.Builder
	if code := run(append([]string{"run", "--runs", "2", "--out", "baseline", "--set", "output={plots: false, html: false}"}, small...), nil, &out, &errs); code != exitGood {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if err := os.WriteFile("mmsim.yaml", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if code := run(append([]string{"check", "mmsim.yaml", "--gate", "gate.yaml", "--baseline", "baseline"}, small...), nil, &out, &errs); code > exitFailed || errs.Len() > 0 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
