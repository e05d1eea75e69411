package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitRepository creates a repository with one commit in a folder, and returns a function that runs git
// there and returns what it prints.
func gitRepository(t *testing.T, folder string) func(args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = folder
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "one")
	return git
}

// in runs a script in a folder and returns its output.
func in(t *testing.T, folder string, env []string, script string, args ...string) (string, error) {
	t.Helper()
	whole, err := filepath.Abs(script)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", append([]string{whole}, args...)...)
	c.Dir, c.Env = folder, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, file, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// v1 after @ is the newest release that begins with v1.
func TestInstallMajor(t *testing.T) {
	tags := t.TempDir()
	git := gitRepository(t, tags)
	for _, tag := range []string{"v1", "v1.2.2", releaseTest, "v1.2.10-rc.1", "v10.0.0", "v2.0.0"} {
		git("tag", tag)
	}
	releases := publish(t, func(sum string) string { return sum })
	env := []string{"MMSIM_RELEASES=file://" + releases, "MMSIM_REPOSITORY=" + tags}
	out, err := bash(t, env, root+actionPath+"/install.sh", "acme/mmsim", "v1", filepath.Join(t.TempDir(), "mmsim"))
	if err != nil || !strings.HasSuffix(out, "mmsim "+releaseTest+"\n") {
		t.Errorf("v1: got error %v and output %s, want %s", err, out, releaseTest)
	}
	out, err = bash(t, env, root+actionPath+"/install.sh", "acme/mmsim", "v3", filepath.Join(t.TempDir(), "mmsim"))
	if err == nil || !strings.Contains(out, "found no release that begins with v3") {
		t.Errorf("v3: got error %v and output %s, want it refused", err, out)
	}
}

// The tag of the major version moves to the newest final release, and to no other.
func TestMajorTag(t *testing.T) {
	remote, local := t.TempDir(), t.TempDir()
	gitRepository(t, remote)
	git := gitRepository(t, local)
	git("remote", "add", "origin", remote)
	for _, test := range []struct{ version, moved string }{
		{"v1.2.0", "v1.2.0"},
		{"v1.10.0", "v1.10.0"},
		{"v1.9.1", "v1.10.0"},       // a release of an older line
		{"v1.11.0-rc.1", "v1.10.0"}, // a release candidate
	} {
		git("commit", "-q", "--allow-empty", "-m", test.version)
		git("tag", test.version)
		git("push", "-q", "origin", test.version)
		if out, err := in(t, local, nil, "major.sh", test.version); err != nil {
			t.Fatalf("%s: %v\n%s", test.version, err, out)
		}
		got, _, _ := strings.Cut(git("ls-remote", "--tags", "origin", "v1"), "\t")
		if want := git("rev-parse", test.moved); got != want {
			t.Errorf("after %s, v1 is %s, want %s (%s)", test.version, got, test.moved, want)
		}
	}
}

// fakeGitHub is a "gh" that knows two comments and records what it is asked to write.
const fakeGitHub = `#!/bin/bash
case "$*" in
*--paginate*) printf '7 <!-- mmsim check: other.yaml -->\n8 hello\n%s' "$COMMENTS" ;;
*) echo "$*" | sed 's/--field.*//' >>"$ASKED"; for arg; do case "$arg" in body=@*) cp "${arg#body=@}" "$ASKED.body" ;; esac; done ;;
esac
[ -z "$FORBIDDEN" ]
`

// A project has one comment: the first run posts it, and a later run replaces its text.
func TestComment(t *testing.T) {
	script := root + actionPath + "/comment.sh"
	programs := t.TempDir()
	write(t, filepath.Join(programs, "gh"), fakeGitHub, 0o777)
	run := func(comments, forbidden, reference string, files map[string]string) (asked, body, out string) {
		folder, record := t.TempDir(), filepath.Join(t.TempDir(), "asked")
		for name, text := range files {
			write(t, filepath.Join(folder, name), text, 0o666)
		}
		write(t, record, "", 0o666)
		write(t, record+".body", "", 0o666)
		out, err := bash(t, []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "GITHUB_REPOSITORY=acme/game", "GITHUB_REF=" + reference,
			"ASKED=" + record, "COMMENTS=" + comments, "FORBIDDEN=" + forbidden}, script, "duel/mmsim.yaml", folder, "https://example.com/pages")
		if err != nil {
			t.Errorf("got error %v and output %s, want the job not failed", err, out)
		}
		return content(t, record), content(t, record+".body"), out
	}
	files := map[string]string{"compare/comparison.md": "### B is worse\n", "check/check.md": "### 1 limit broken\n"}

	asked, body, _ := run("", "", "refs/pull/12/merge", files)
	if want := "api --silent --method POST repos/acme/game/issues/12/comments \n"; asked != want {
		t.Errorf("got request %q, want %q", asked, want)
	}
	want := "<!-- mmsim check: duel/mmsim.yaml -->\n## duel/mmsim.yaml: before (A) → after (B)\n\n### B is worse\n\n### 1 limit broken\n\n[The pages (report.html) and all results](https://example.com/pages)\n"
	if body != want {
		t.Errorf("got comment\n%s\nwant\n%s", body, want)
	}
	asked, body, _ = run("9 <!-- mmsim check: duel/mmsim.yaml -->\n", "", "refs/pull/12/merge", nil)
	if want := "api --silent --method PATCH repos/acme/game/issues/comments/9 \n"; asked != want {
		t.Errorf("got request %q, want %q", asked, want)
	}
	if !strings.Contains(body, "no state before") || !strings.Contains(body, "limits were not checked") {
		t.Errorf("got comment %q, want it to say that nothing was compared or checked", body)
	}
	if _, _, out := run("", "yes", "refs/pull/12/merge", files); !strings.Contains(out, "::notice::mmsim: the comment was not written: ") {
		t.Errorf("got output %q, want a notice that the comment was not written", out)
	}
	if asked, _, _ := run("", "", "refs/heads/main", files); asked != "" {
		t.Errorf("got request %q outside a pull request, want none", asked)
	}
}

// fakeMmsim is an "mmsim" that records its folder and arguments, and writes the directory of --out.
const fakeMmsim = `#!/bin/bash
echo "$(cat marker 2>/dev/null) $*" >>"$CALLS"
[ "$1" = run ] || exit 0
[ -z "$BROKEN" ]
`

// The state before is that of the branch into which the pull request goes, or the baseline.
func TestBefore(t *testing.T) {
	script := root + actionPath + "/before.sh"
	remote, local, programs := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(programs, "mmsim"), fakeMmsim, 0o777)
	git := gitRepository(t, remote)
	write(t, filepath.Join(remote, "marker"), "base", 0o666)
	write(t, filepath.Join(remote, "duel/mmsim.yaml"), "", 0o666)
	git("add", ".")
	git("commit", "-q", "-m", "two")
	write(t, filepath.Join(local, "baseline/summary.json"), "", 0o666)
	gitRepository(t, local)("remote", "add", "origin", remote)
	for _, test := range []struct{ about, config, baseline, base, broken, calls, says string }{
		{"the branch", "duel/mmsim.yaml", "", "main", "", "base run --config duel/mmsim.yaml --runs 3 --out FOLDER/before --quiet\n compare before results --out compare --markdown --quiet\n", ""},
		{"a baseline", "duel/mmsim.yaml", "baseline", "main", "", " compare LOCAL/baseline results --out compare --markdown --quiet\n", ""},
		{"a new project", "new/mmsim.yaml", "", "main", "", "", "main has no new/mmsim.yaml"},
		{"a broken branch", "duel/mmsim.yaml", "", "main", "yes", "base run --config duel/mmsim.yaml --runs 3 --out FOLDER/before --quiet\n", "cannot be simulated"},
		{"an unknown branch", "duel/mmsim.yaml", "", "gone", "", "", "cannot fetch gone"},
		{"no pull request", "duel/mmsim.yaml", "", "", "", "", "this is no pull request"},
	} {
		folder, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
		write(t, calls, "", 0o666)
		out, err := in(t, local, []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "GITHUB_BASE_REF=" + test.base, "CALLS=" + calls, "BROKEN=" + test.broken},
			script, test.config, "3", test.baseline, folder)
		got := strings.NewReplacer(folder, "FOLDER", local, "LOCAL").Replace(content(t, calls))
		if err != nil || got != test.calls || !strings.Contains(out, test.says) || (test.says == "") != (out == "") {
			t.Errorf("%s: got error %v, calls %q and output %q, want calls %q and output with %q", test.about, err, got, out, test.calls, test.says)
		}
	}
}

// fakeGo is a "go" whose program is a shell script, so that a test needs no build for six platforms.
const fakeGo = `#!/bin/sh
case "$1" in
list) echo mmsim ;;
run) echo "notices for $3 $4 $5 $6 $7 $8" ;;
env) [ "$2" = GOHOSTOS ] && echo linux || echo amd64 ;;
build)
  while [ $# -gt 1 ]; do
    [ "$1" = -o ] && printf '#!/bin/sh\necho "mmsim v1.2.3, of %s %s"\n' "$GOOS" "$GOARCH" >"$2" && chmod +x "$2"
    shift
  done ;;
esac
`

// A release has a package for every platform, with the same bytes each time: .zip for Windows, and
// .tar.gz for the others.
func TestBuild(t *testing.T) {
	for _, program := range []string{"zip", "unzip", "tar", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	programs, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(programs, "go"), fakeGo, 0o777)
	env := []string{"PATH=" + programs + ":" + os.Getenv("PATH")}
	for _, folder := range []string{first, second} {
		if out, err := bash(t, env, "build.sh", releaseTest, folder); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	sums := content(t, filepath.Join(first, "checksums.txt"))
	if sums != content(t, filepath.Join(second, "checksums.txt")) {
		t.Error("two builds of the same sources differ")
	}
	names := map[string]string{
		"linux_amd64": ".tar.gz", "linux_arm64": ".tar.gz", "darwin_amd64": ".tar.gz", "darwin_arm64": ".tar.gz",
		"windows_amd64": ".zip", "windows_arm64": ".zip",
	}
	if n := strings.Count(sums, "\n"); n != len(names) {
		t.Errorf("got %d checksums, want %d:\n%s", n, len(names), sums)
	}
	for platform, kind := range names {
		name := "mmsim_" + releaseTest + "_" + platform
		if !strings.Contains(sums, "  "+name+kind+"\n") {
			t.Errorf("checksums.txt does not list %s%s", name, kind)
			continue
		}
		unpacked, program := t.TempDir(), "mmsim"
		unpack := exec.Command("tar", "-xzf", filepath.Join(first, name+kind), "-C", unpacked)
		if kind == ".zip" {
			unpack = exec.Command("unzip", "-q", filepath.Join(first, name+kind), "-d", unpacked)
			program += ".exe"
		}
		if out, err := unpack.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		files, err := os.ReadDir(filepath.Join(unpacked, name))
		if err != nil || len(files) != 4 {
			t.Errorf("%s has the files %v (error %v), want four", name, files, err)
		}
		for file, want := range map[string]string{
			program: strings.Replace(platform, "_", " ", 1), "LICENSE": "MIT License", "README.md": "# mmsim",
			"THIRD-PARTY-NOTICES.txt": "notices for linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64",
		} {
			if !strings.Contains(content(t, filepath.Join(unpacked, name, file)), want) {
				t.Errorf("%s: %s does not contain %q", name, file, want)
			}
		}
	}
}
