package workers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"mmsim/cmd/mmsim/experiment"
)

// A Build identifies a program on a system. Only equal builds give equal results:
// floating-point results may differ between processors, and any change of the program may
// change results.
type Build struct {
	Version string `json:"version"`
	System  string `json:"system"` // GOOS/GOARCH
	SHA256  string `json:"sha256"` // of the binary
}

// thisBuild returns the build of this process.
var thisBuild = sync.OnceValues(func() (Build, error) {
	b := Build{Version: experiment.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	name, err := os.Executable()
	if err != nil {
		return b, fmt.Errorf("cannot find the program of this process: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return b, fmt.Errorf("cannot read the program of this process: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return b, fmt.Errorf("cannot read the program of this process: %w", err)
	}
	b.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return b, nil
})

func (b Build) String() string { return fmt.Sprintf("%s %s %.12s", b.Version, b.System, b.SHA256) }
