package main

import (
	"io"
	"os"
	"strings"
	"testing"
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
		args := strings.Fields(strings.TrimPrefix(line, "go run ./cmd/"))
		if len(args) < 2 || args[0] != "mmsim" || !strings.Contains("run validate test match dataset latency report about", args[1]) {
			continue
		}
		shown++
		root := newRootCommand(&streams{nil, io.Discard, io.Discard})
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
