package commandtest

import (
	"fmt"
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
	module, err := module()
	if err != nil {
		t.Skip("skipped: cannot build a module: ", err)
	}
	file := filepath.Join(t.TempDir(), "guest.wasm")
	if err := os.WriteFile(file, module, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

var module = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "mmsim-guest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-o", file, "mmsim/cmd/mmsim/commandtest/testdata/guest")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return os.ReadFile(file)
})
