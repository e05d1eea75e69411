package tidy

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"mmsim/cmd"
	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/matcher"
	"mmsim/reports"
	"mmsim/sim"
)

// sources are the files by whose hash builds recognise each other, see build.Sources.
var sources = map[string]embed.FS{
	"cmd": cmd.Sources, "datasets": datasets.Sources, "latencymap": latencymap.Sources,
	"matcher": matcher.Sources, "reports": reports.Sources, "sim": sim.Sources,
}

// simulatesNot matches packages that a worker has but that do not change the numbers of a result, and
// generated code.
var simulatesNot = regexp.MustCompile(`^mmsim/(reports/(chart|estimate|fidelity|figure|judge|phrase|present)(/.*)?|cmd/mmsim/(gate|terminal)|.*pb)$`)

// sourcesBytesMax limits what the sources add to the program.
const sourcesBytesMax = 3_600_000

// The sources are all files of the packages that do a worker's jobs, and their data.
func TestSources(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps, Dir: "../.."}, module+"/cmd/mmsim/workers")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		in, isOurs := sources[room(p.PkgPath)]
		if !isOurs || simulatesNot.MatchString(p.PkgPath) {
			return
		}
		folder := filepath.Join(root, strings.TrimPrefix(p.PkgPath, module))
		names, err := filepath.Glob(filepath.Join(folder, "*.go")) // those of other operating systems too
		if err != nil || len(names) == 0 {
			t.Errorf("%s: got files %q (error %v), want some", p.PkgPath, names, err)
		}
		data, err := filepath.Glob(filepath.Join(folder, "data", "*"))
		if err != nil {
			t.Error(err)
		}
		names = append(names, data...)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			inRoom := strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(root)+"/"+room(p.PkgPath)+"/")
			if got, err := in.ReadFile(inRoom); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: got error %v or another content, want the file in doc.go of %s", name, err, room(p.PkgPath))
			}
		}
	})
}

// The sources have no tests, and their code is small. Data costs nothing, because the linker keeps equal
// contents once.
func TestSizeOfSources(t *testing.T) {
	size := 0
	for name, files := range sources {
		err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := files.ReadFile(path)
			if strings.HasSuffix(path, "_test.go") {
				t.Errorf("got %s/%s, want no tests", name, path)
			}
			if strings.HasSuffix(path, ".go") {
				size += len(text)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if size > sourcesBytesMax {
		t.Errorf("got %d bytes, want at most %d", size, sourcesBytesMax)
	}
}
