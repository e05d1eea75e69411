// Package commandtest helps the tests that run commands of mmsim.
package commandtest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"mmsim/cmd/mmsim/matchmaker/matchertest"
)

// Main runs the tests of a package. Their subprocesses find the command mmsim, which calls main,
// and the matchmakers of package matchertest.
func Main(m *testing.M, main func()) {
	testscript.Main(m, map[string]func(){
		"mmsim":              main,
		"matcher-engine":     func() { matchertest.Serve("engine", "1", &matchertest.Engine{}) },
		"matcher-first":      func() { matchertest.Serve("first", "1", &matchertest.First{}) },
		"matcher-stateful":   func() { matchertest.Serve("stateful", "1", &matchertest.Stateful{}) },
		"matcher-twice":      func() { matchertest.Serve("twice", "", &matchertest.Twice{}) },
		"matcher-nearest":    nearest,
		"matcher-asked":      func() { matchertest.Serve("asked", "1", &matchertest.Asked{}) },
		"matcher-backfill":   func() { matchertest.Serve("backfill", "1", &matchertest.Backfill{}) },
		"matcher-faulty":     matchertest.Faulty,
		"function-openmatch": matchertest.OpenMatch,
		"function-accelbyte": matchertest.AccelByte,
	})
}

// nearest is the program matcher-nearest. Its argument is the standard deviation of the noise.
func nearest() {
	noise, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		panic(err)
	}
	matchertest.Serve("nearest", "1", &matchertest.Nearest{Noise: noise})
}

// Put writes files below a folder, such as "a/b.txt" with its content.
func Put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Read returns the content of a file.
func Read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Data returns the folder with real joins and maps. It skips the test if there is none.
func Data(tb testing.TB) string {
	tb.Helper()
	folder := os.Getenv("MMSIM_TESTDATA")
	if folder == "" {
		tb.Skip("skipped: set MMSIM_TESTDATA to the folder with day.csv.gz and the real maps")
	}
	return folder
}
