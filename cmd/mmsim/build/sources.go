package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"mmsim/cmd"
	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/matcher"
	"mmsim/reports"
	"mmsim/sim"
)

// Sources is a hash of all sources that results depend on: the files of the packages that simulate, the
// versions of the modules that they use, and the version of Go. It depends neither on the folder and
// the flags of the build nor on its operating system. Computing it takes about 20 ms, once.
func Sources() string { return sources() }

var sources = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return sourcesOf(info, checksum)
})

// room is a top-level folder with its sources.
type room struct {
	name  string
	files fs.FS
}

// rooms adds 2.8 MB to the program. The data in it adds nothing, because the linker keeps equal contents
// once.
var rooms = []room{
	{"cmd", cmd.Sources}, {"datasets", datasets.Sources}, {"latencymap", latencymap.Sources},
	{"matcher", matcher.Sources}, {"reports", reports.Sources}, {"sim", sim.Sources},
}

// ofWindows lists the modules that only programs for Windows have. They do not simulate.
var ofWindows = []string{"github.com/google/go-tpm", "github.com/inconshreveable/mousetrap"}

// sourcesOf is Sources of a build. Without information about the build, or if a module is replaced by a
// folder, the content of the modules is unknown: then only the same program has the same sources.
func sourcesOf(info *debug.BuildInfo, checksum func() (uint32, error)) string {
	all := sha256.New()
	fmt.Fprintln(all, runtime.Version())
	known := info != nil
	if known {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			if known = known && m.Sum != ""; !slices.Contains(ofWindows, m.Path) {
				fmt.Fprintln(all, m.Path, m.Version, m.Sum)
			}
		}
	}
	if !known {
		sum, _ := checksum() // if it fails, the rest has to do
		fmt.Fprintln(all, sum)
	}
	for _, r := range rooms {
		hashFiles(all, r)
	}
	return hex.EncodeToString(all.Sum(nil))
}

// hashFiles writes the names and contents of a room's files to a hash. Line ends do not count, because
// git may change them.
func hashFiles(all io.Writer, r room) {
	err := fs.WalkDir(r.files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(r.files, name)
		fmt.Fprintf(all, "%x %s/%s\n", sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), r.name, name)
		return err
	})
	if err != nil {
		panic(err) // reading memory does not fail
	}
}

// checksum returns the checksum of the running program's file.
func checksum() (sum uint32, err error) {
	name, err := os.Executable()
	if err != nil {
		return 0, err
	}
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	hash := crc32.NewIEEE() // takes milliseconds and distinguishes builds; forgery is no concern
	if _, err := io.Copy(hash, f); err != nil {
		return 0, err
	}
	return hash.Sum32(), nil
}
