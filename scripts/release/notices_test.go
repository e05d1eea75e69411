package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Every module that is linked has its licence in the notices, and so have the standard library and
// embedded files.
func TestNoticesAreComplete(t *testing.T) {
	modules, err := linked([]string{runtime.GOOS + "/" + runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := writeNotices(&b, modules); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "mmsim/cmd/mmsim")
	c.Env = append(c.Environ(), "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); name != "" {
			seen++
			if !strings.Contains(b.String(), "\n"+name+": ") {
				t.Errorf("%s has no text in the notices", name)
			}
		}
	}
	if seen < 40 {
		t.Errorf("got %d packages of other modules, want at least 40", seen)
	}
	for _, want := range []string{"Go standard library, " + runtime.Version() + ": LICENSE\n", "uplot/LICENSE\n", "Leon Sorokin", "Copyright 2009 The Go Authors"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the notices do not contain %q", want)
		}
	}
}

func TestUnknownPlatform(t *testing.T) {
	if _, err := linked([]string{"linux"}); err == nil || !strings.Contains(err.Error(), "expected a platform such as linux/amd64") {
		t.Errorf("got error %v, want the platform refused", err)
	}
}
