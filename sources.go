// Package mmsim has the sources of the packages that simulate. By their hash, programs recognise each
// other that were built from the same sources: in other folders, with uncommitted changes, with go
// run, or for another operating system.
//
// It is at the top level because go:embed reaches only files below its own folder.
package mmsim

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"
)

// Files are the sources, and the data that they embed. They add 2.9 MB to the program; the data adds
// nothing, because the linker keeps equal contents once.
//
// Packages that only draw, decide or print are missing, and so is generated code. The test TestSources
// of scripts/tidy finds other packages and files that are missing. A pattern cannot leave out _test.go,
// so the names that end in t, st and est have patterns of their own. The names begin with a letter,
// because editors keep files such as .#name.go.
//
//go:embed go.mod go.sum latencymap/data datasets/data datasets/*/data
//go:embed sim/[a-z]*[^t].go sim/engine/[a-z]*[^t].go sim/internal/*/[a-z]*[^t].go sim/engine/internal/*/[a-z]*[^t].go
//go:embed sim/[a-z]*[^s]t.go sim/*/*/*/[a-z]*[^s]t.go sim/*/*/*/[a-z]*[^e]st.go
//go:embed matcher/[a-z]*[^t].go matcher/*/[a-z]*[^t].go matcher/*/*/[a-z]*[^t].go matcher/*/*/*/[a-z]*[^t].go
//go:embed matcher/[a-z]*[^s]t.go matcher/*/[a-z]*[^s]t.go matcher/*/*/[a-z]*[^s]t.go matcher/*/*/*/[a-z]*[^s]t.go matcher/*/*/[a-z]*[^t]est.go
//go:embed latencymap/[a-z]*[^t].go latencymap/[a-z]*[^s]t.go
//go:embed datasets/[a-z]*[^t].go datasets/*/[a-z]*[^t].go datasets/*/*/[a-z]*[^t].go
//go:embed datasets/*/[a-z]*[^s]t.go datasets/*/*/[a-z]*[^s]t.go datasets/*/*/[a-z]*[^e]st.go
//go:embed reports/collect/[a-z]*[^t].go reports/collect/internal/*/[a-z]*[^t].go reports/external/[a-z]*[^t].go
//go:embed reports/grade/[a-z]*[^t].go reports/guard/[a-z]*[^t].go reports/outcome/[a-z]*[^t].go reports/records/[a-z]*[^t].go
//go:embed reports/result/[a-z]*[^t].go reports/setup/[a-z]*[^t].go reports/words/[a-z]*[^t].go
//go:embed reports/*/[a-z]*[^s]t.go reports/*/[a-z]*[^e]st.go reports/*/[a-z]*[^t]est.go
//go:embed cmd/mmsim/config/[a-z]*[^t].go cmd/mmsim/config/*/[a-z]*[^t].go cmd/mmsim/disk/[a-z]*[^t].go
//go:embed cmd/mmsim/experiment/[a-z]*[^t].go cmd/mmsim/experiment/*/[a-z]*[^t].go cmd/mmsim/input/[a-z]*[^t].go
//go:embed cmd/mmsim/matchmaker/[a-z]*[^t].go cmd/mmsim/matchmaker/*/[a-z]*[^t].go cmd/mmsim/matchmaker/openmatch/profiles/[a-z]*[^t].go
//go:embed cmd/mmsim/resultdir/[a-z]*[^t].go cmd/mmsim/results/[a-z]*[^t].go cmd/mmsim/schema/[a-z]*[^t].go cmd/mmsim/value/[a-z]*[^t].go
//go:embed cmd/mmsim/workers/[a-z]*[^t].go cmd/mmsim/workers/*/[a-z]*[^t].go cmd/mmsim/yamltree/[a-z]*[^t].go
//go:embed cmd/mmsim/*/[a-z]*[^s]t.go cmd/mmsim/*/*/[a-z]*[^s]t.go cmd/mmsim/*/[a-z]*[^e]st.go cmd/mmsim/*/[a-z]*[^t]est.go cmd/mmsim/*/*/[a-z]*[^t]est.go
var Files embed.FS

// Hash returns a hash of the names and contents of Files. It takes a few milliseconds. Line ends do not
// count, because git may change them.
var Hash = sync.OnceValue(func() string {
	all := sha256.New()
	err := fs.WalkDir(Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := Files.ReadFile(name)
		fmt.Fprintf(all, "%x %s\n", sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), name)
		return err
	})
	if err != nil {
		panic(err) // reading memory does not fail
	}
	return hex.EncodeToString(all.Sum(nil))
})
