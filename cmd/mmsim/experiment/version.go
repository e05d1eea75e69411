package experiment

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// What scripts/release/build.sh sets in the binaries of a release: its tag, and the
// repository it was made from as OWNER/NAME.
var release, repository string

// Version names the program that made a result. Results of equal versions are equal, so
// that a sweep goes on from those of its own version alone.
//
// It is the tag of a release, the version that "go install …@VERSION" asked for, or what
// the go command recorded of the clone: a tag, or a time and a commit. Where that does
// not say what the program is made from (files that are not committed, go run, a build
// without version control), the checksum of the program follows.
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(release, info, checksum)
})

// Repository is where the program comes from, as OWNER/NAME on GitHub; "" if the build
// does not say.
func Repository() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return repositoryOf(repository, info.Main.Path)
	}
	return repository
}

func repositoryOf(repository, module string) string {
	if path, onGitHub := strings.CutPrefix(module, "github.com/"); onGitHub && repository == "" {
		return path
	}
	return repository
}

// unreleased is the version of a build about which nothing is recorded.
const unreleased = "unreleased"

func versionOf(release string, info *debug.BuildInfo, checksum func() (uint32, error)) string {
	name := release
	if name == "" {
		name = recorded(info)
	}
	if name != unreleased && !strings.HasSuffix(name, "+dirty") {
		return name
	}
	sum, err := checksum()
	if err != nil {
		return name
	}
	separator := "-"
	if strings.Contains(name, "+") {
		separator = "."
	}
	return fmt.Sprintf("%s%s%08x", name, separator, sum)
}

// recorded is the version that the go command recorded.
func recorded(info *debug.BuildInfo) string {
	if info == nil {
		return unreleased
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return unreleased
	}
	// The form of the go command for a commit without a tag: 2026-03-14T15:04:05Z
	// becomes 20260314150405.
	at := strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(settings["vcs.time"])
	name := fmt.Sprintf("v0.0.0-%s-%.12s", at, revision)
	if settings["vcs.modified"] == "true" {
		name += "+dirty"
	}
	return name
}

// checksum is that of the file of this program.
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
	hash := crc32.NewIEEE() // tells builds apart in some ms; nobody forges one
	if _, err := io.Copy(hash, f); err != nil {
		return 0, err
	}
	return hash.Sum32(), nil
}
