// Package commandtest helps the tests that run commands of mmsim. It has the scripts' commands, and
// external matchmakers: programs that exchange JSON lines, version 1 ([Serve]), and gRPC services. They
// share no code with the transports that they test.
package commandtest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main runs the tests of a package. Their subprocesses find the command mmsim, which calls main,
// and the matchmakers of this package.
func Main(m *testing.M, main func()) {
	testscript.Main(m, map[string]func(){
		"mmsim":              main,
		"matcher-engine":     func() { Serve("engine", "1", &Engine{}) },
		"matcher-first":      func() { Serve("first", "1", &First{}) },
		"matcher-stateful":   func() { Serve("stateful", "1", &Stateful{}) },
		"matcher-twice":      func() { Serve("twice", "", &Twice{}) },
		"matcher-nearest":    nearest,
		"matcher-asked":      func() { Serve("asked", "1", &Asked{}) },
		"matcher-backfill":   func() { Serve("backfill", "1", &Backfill{}) },
		"matcher-faulty":     Faulty,
		"function-openmatch": OpenMatch,
		"function-accelbyte": AccelByte,
	})
}

// nearest is the program matcher-nearest. Its argument is the standard deviation of the noise.
func nearest() {
	noise, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		panic(err)
	}
	Serve("nearest", "1", &Nearest{Noise: noise})
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
