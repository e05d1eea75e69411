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

// Set in the binaries of a release by scripts/release/build.sh: the tag, and the repository
// that it was built from as OWNER/NAME.
var release, repository string

// Version identifies the program that made a result. Equal versions give equal results, so a
// sweep continues only from results of its own version.
//
// The version is the tag of a release, the version given to "go install …@VERSION", or what
// the go command recorded of the clone: a tag, or a time and a commit. If that does not
// identify the source (uncommitted files, go run, a build without version control), the
// checksum of the program is appended.
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(release, info, checksum)
})

// Repository returns the program's repository on GitHub as OWNER/NAME, "" if the build does
// not record it.
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

// unreleased is the version of a build without recorded version.
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

// recorded returns the version that the go command recorded.
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

// checksum returns the checksum of this program's file.
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
	hash := crc32.NewIEEE() // distinguishes builds within some ms; forgery is no concern
	if _, err := io.Copy(hash, f); err != nil {
		return 0, err
	}
	return hash.Sum32(), nil
}
