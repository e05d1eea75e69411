package build

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
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
	return fmt.Sprintf("%s%s%.8s", name, separator, sources())
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
