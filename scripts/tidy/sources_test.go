package tidy

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"mmsim"
)

// Packages that a worker has, but that do not simulate, and generated code.
var simulatesNot = regexp.MustCompile(`^mmsim/(reports/(chart|figure|judge|present)(/.*)?|cmd/mmsim/(gate|interrupt|junit|terminal)|.*pb)$`)

// sourcesBytesMax limits what the sources add to the program.
const sourcesBytesMax = 3_000_000

// mmsim.Files has all sources of the packages of a worker.
func TestSources(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps, Dir: "../.."}, module+"/cmd/mmsim/workers")
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		if room(p.PkgPath) == "" || p.PkgPath == module || simulatesNot.MatchString(p.PkgPath) {
			return
		}
		folder := strings.TrimPrefix(p.PkgPath, module+"/")
		names, err := filepath.Glob(filepath.Join("../..", folder, "*.go")) // those of other operating systems too
		if err != nil || len(names) == 0 {
			t.Errorf("%s: got files %q (error %v), want some", p.PkgPath, names, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			if got, err := mmsim.Files.ReadFile(folder + "/" + filepath.Base(name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: got error %v or another content, want the file in sources.go", name, err)
			}
		}
	})
	size := 0
	err = fs.WalkDir(mmsim.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		text, _ := fs.ReadFile(mmsim.Files, name) // a folder has no content
		if strings.HasSuffix(name, "_test.go") {
			t.Errorf("got %s, want no tests", name)
		}
		if strings.HasSuffix(name, ".go") {
			size += len(text)
		}
		return err
	})
	if err != nil || size > sourcesBytesMax {
		t.Errorf("got error %v and %d bytes, want at most %d", err, size, sourcesBytesMax)
	}
}

// Builds of the same sources in two folders, with other flags, and with
// go run, have the same hash. A build with a changed source has another.
func TestSourcesOfBuilds(t *testing.T) {
	const program = "package main\n\nimport \"mmsim\"\n\nfunc main() { print(mmsim.Hash()) }\n"
	hash := func(change string, args ...string) string {
		folder := t.TempDir()
		if err := os.CopyFS(folder, mmsim.Files); err != nil {
			t.Fatal(err)
		}
		copied, err := os.ReadFile("../../sources.go")
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "sources.go"), copied, 0o600)
		}
		if err == nil {
			err = os.Mkdir(filepath.Join(folder, "scripts"), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "scripts/main.go"), []byte(program), 0o600)
		}
		if err == nil && change != "" {
			err = os.WriteFile(filepath.Join(folder, change), []byte("package changed\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		run := func(name string, args ...string) string {
			c := exec.Command(name, args...)
			c.Dir = folder
			text, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%s %q: %v: %s", name, args, err, text)
			}
			return string(text)
		}
		if args[0] == "run" {
			return run("go", append(args, "./scripts")...)
		}
		built := filepath.Join(folder, "built")
		run("go", append(args, "-o", built, "./scripts")...)
		return run(built)
	}
	want := mmsim.Hash()
	if len(want) != 64 {
		t.Errorf("got hash %q, want 64 digits", want)
	}
	for _, args := range [][]string{{"build"}, {"run"}, {"build", "-trimpath", "-ldflags=-s -w"}} {
		if got := hash("", args...); got != want {
			t.Errorf("go %q in another folder: got hash %s, want %s as here", args, got, want)
		}
	}
	for _, name := range []string{"sim/engine/engine.go", "matcher/added.go", "latencymap/data/added.csv"} {
		if got := hash(name, "build"); got == want {
			t.Errorf("%s was changed or added: got the same hash, want another", name)
		}
	}
}
