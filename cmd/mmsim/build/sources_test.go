package build

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

// Sources of builds with and without another module, version, sum, and Windows.
func TestSources(t *testing.T) {
	module := func(path, version, sum string) *debug.Module {
		return &debug.Module{Path: path, Version: version, Sum: sum}
	}
	here := []*debug.Module{module("a", "v1.0.0", "h1:x"), module("b", "v1.0.0", "h1:y")}
	replaced := func(by *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{Deps: []*debug.Module{here[0], {Path: "b", Version: "v1.0.0", Sum: "h1:y", Replace: by}}}
	}
	program := uint32(1)
	checksum := func() (uint32, error) { return program, nil }
	want := sourcesOf(&debug.BuildInfo{Deps: here}, checksum)
	if len(want) != 64 {
		t.Errorf("got %q, want 64 digits", want)
	}
	for _, test := range []struct {
		about                      string
		info                       *debug.BuildInfo
		equalToHere, ofThisProgram bool
	}{
		{"the same modules", &debug.BuildInfo{Deps: here, Path: "elsewhere", Settings: []debug.BuildSetting{{Key: "GOOS", Value: "plan9"}}}, true, false},
		{"modules of Windows", &debug.BuildInfo{Deps: append(here[:2:2], module(ofWindows[0], "v2.0.0", "h1:z"), module(ofWindows[1], "v2.0.0", "h1:z"))}, true, false},
		{"one more module", &debug.BuildInfo{Deps: append(here[:2:2], module("c", "v1.0.0", "h1:z"))}, false, false},
		{"one module less", &debug.BuildInfo{Deps: here[:1]}, false, false},
		{"another version", replaced(module("b", "v1.0.1", "h1:y")), false, false},
		{"another content", replaced(module("b", "v1.0.0", "h1:z")), false, false},
		{"another module", replaced(module("c", "v1.0.0", "h1:y")), false, false},
		{"a folder", replaced(module("../b", "", "")), false, true},
		{"a workspace", &debug.BuildInfo{Deps: []*debug.Module{here[0], module("b", "(devel)", "")}}, false, true},
		{"no information", nil, false, true},
	} {
		program = 1
		got := sourcesOf(test.info, checksum)
		program = 2
		other := sourcesOf(test.info, checksum)
		if (got == want) != test.equalToHere || (got != other) != test.ofThisProgram {
			t.Errorf("%s: got %s and %s in another program, where the build here is %s", test.about, got, other, want)
		}
	}
	unreadable := func() (uint32, error) { return 0, errors.New("no such file") }
	if got := sourcesOf(nil, unreadable); got == want || len(got) != 64 {
		t.Errorf("a program that cannot be read: got %q, want a hash", got)
	}
}

// Every name and byte of a file counts, and line ends do not.
func TestHashFiles(t *testing.T) {
	hash := func(room_, name, text string) string {
		var all strings.Builder
		hashFiles(&all, room{room_, fstest.MapFS{name: {Data: []byte(text)}, "z/last.go": {}}})
		return all.String()
	}
	want := hash("sim", "a/b.go", "one\ntwo\n")
	if got := hash("sim", "a/b.go", "one\r\ntwo\r\n"); got != want {
		t.Errorf("got %q with other line ends, want %q", got, want)
	}
	for _, other := range []string{hash("sim", "a/b.go", "one\ntwo"), hash("sim", "a/c.go", "one\ntwo\n"), hash("sims", "a/b.go", "one\ntwo\n"), hash("sim", "b.go", "one\ntwo\n")} {
		if other == want {
			t.Errorf("got %q for other files, want another", other)
		}
	}
}
