package commandtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Module returns a WebAssembly file with the matchmaker in testdata/guest. It builds the
// module once for all tests of a package. If the toolchain cannot build it, Module skips the
// test.
func Module(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "mmsim-guest-")
		if err != nil {
			built.why = err.Error()
			return
		}
		file := filepath.Join(dir, "guest.wasm")
		build := exec.Command("go", "build", "-o", file, "mmsim/cmd/mmsim/commandtest/testdata/guest")
		build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
		out, err := build.CombinedOutput()
		if err == nil {
			built.module, err = os.ReadFile(file)
		}
		os.RemoveAll(dir)
		if err != nil {
			built.why = err.Error() + ": " + string(out)
		}
	})
	if built.why != "" {
		t.Skip("skipped: cannot build a module: " + built.why)
	}
	file := filepath.Join(t.TempDir(), "guest.wasm")
	if err := os.WriteFile(file, built.module, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

var built struct {
	once   sync.Once
	module []byte
	why    string
}
