package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"mmsim"
)

// scripts/release/build.sh sets release to the tag of a release, and repository to the
// OWNER/NAME that it was built from.
var release, repository string

// Version identifies the program that made a result. Equal versions give equal results, so a
// sweep only continues from results of its own version.
//
// The version is the tag of a release, the version in "go install …@VERSION", or what the go
// command recorded about the source code: a tag, or a time and a commit. If that does not
// identify the source code, the beginning of Sources is appended. This is the case with
// uncommitted changes, with go run, and for builds without version control.
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(release, info, Sources)
})

// Sources is a hash of the sources that simulate, including the versions of the modules that they use. It
// depends neither on the folder of the build, nor on its flags and operating system. If a module is
// replaced by a folder, whose content is not known, it is the hash of the running program instead.
func Sources() string { return sources() }

var sources = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return sourcesOf(info, hashOfProgram)
})

func sourcesOf(info *debug.BuildInfo, hashOfProgram func() (string, error)) string {
	isFolder := func(m *debug.Module) bool { return m.Replace != nil && m.Replace.Sum == "" }
	if info != nil && slices.ContainsFunc(info.Deps, isFolder) {
		if sum, err := hashOfProgram(); err == nil {
			return sum
		}
	}
	return mmsim.Hash()
}

// Repository returns the program's repository on GitHub as OWNER/NAME, or "" if the build does
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

// unreleased is the version of a build that records no version.
const unreleased = "unreleased"

func versionOf(release string, info *debug.BuildInfo, sources func() string) string {
	name := release
	if name == "" {
		name = recorded(info)
	}
	if name != unreleased && !strings.HasSuffix(name, "+dirty") {
		return name
	}
	separator := "-"
	if strings.Contains(name, "+") {
		separator = "."
	}
	return fmt.Sprintf("%s%s%.12s", name, separator, sources())
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
	// Write the time of the commit in the form of Go's pseudo-versions: 2026-03-14T15:04:05Z
	// becomes 20260314150405.
	at := strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(settings["vcs.time"])
	name := fmt.Sprintf("v0.0.0-%s-%.12s", at, revision)
	if settings["vcs.modified"] == "true" {
		name += "+dirty"
	}
	return name
}

// hashOfProgram returns the hash of the running program's file.
func hashOfProgram() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}
