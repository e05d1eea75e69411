package build

import (
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	commit := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.time", Value: "2026-03-14T15:04:05Z"},
			{Key: "vcs.modified", Value: modified},
		}}
	}
	bare := func(version string) *debug.BuildInfo { return &debug.BuildInfo{Main: debug.Module{Version: version}} }
	sum := func() string { return "0123456789abcdef" }
	for _, test := range []struct {
		about   string
		release string
		info    *debug.BuildInfo
		want    string
	}{
		{"a release", "v1.2.3", bare("(devel)"), "v1.2.3"},
		{"a release, which the clone contradicts", "v1.2.3", commit("v1.2.4", "true"), "v1.2.3"},
		{"go install of a version", "", bare("v1.2.3"), "v1.2.3"},
		{"go build in a clone at a tag", "", commit("v1.2.3", "false"), "v1.2.3"},
		{"go build in a clone", "", commit("v0.0.0-20260314150405-0123456789ab", "false"), "v0.0.0-20260314150405-0123456789ab"},
		{"go build with changes", "", commit("v0.0.0-20260314150405-0123456789ab+dirty", "true"), "v0.0.0-20260314150405-0123456789ab+dirty.01234567"},
		{"a commit without a version", "", commit("(devel)", "false"), "v0.0.0-20260314150405-0123456789ab"},
		{"a commit with changes, without a version", "", commit("", "true"), "v0.0.0-20260314150405-0123456789ab+dirty.01234567"},
		{"go run, or no version control", "", bare("(devel)"), "unreleased-01234567"},
		{"no version at all", "", bare(""), "unreleased-01234567"},
		{"no information", "", nil, "unreleased-01234567"},
	} {
		if got := versionOf(test.release, test.info, sum); got != test.want {
			t.Errorf("%s: got version %q, want %q", test.about, got, test.want)
		}
	}
}

// The binary of this test was built without a version, so its version contains its sources.
func TestVersionOfThisBinary(t *testing.T) {
	if got := Version(); !regexp.MustCompile(`^(unreleased-[0-9a-f]{8}|v.*)$`).MatchString(got) {
		t.Errorf("got version %q, want unreleased- and 8 hex digits, or a version that begins with v", got)
	}
}

func TestRepository(t *testing.T) {
	for _, test := range []struct{ set, module, want string }{
		{"", "mmsim", ""},
		{"acme/mmsim", "mmsim", "acme/mmsim"},
		{"", "github.com/acme/mmsim", "acme/mmsim"},
		{"fork/mmsim", "github.com/acme/mmsim", "fork/mmsim"},
	} {
		if got := repositoryOf(test.set, test.module); got != test.want {
			t.Errorf("%q, %q: got repository %q, want %q", test.set, test.module, got, test.want)
		}
	}
}
