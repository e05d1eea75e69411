package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	root        = "../../"
	actionPath  = ".github/actions/check"
	releaseTest = "v1.2.3"
)

type step struct {
	ID                         string `yaml:"id"`
	Name, If, Uses, Run, Shell string
	With, Env                  map[string]any
}

type workflow struct {
	Name        string
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn string `yaml:"runs-on"`
		Steps  []step
	}
}

type action struct {
	Name, Description string
	Inputs            map[string]struct {
		Description string
		Default     string
	}
	Runs struct {
		Using string
		Steps []step
	}
}

// pinned matches the version of an action in a step: a release or a commit, but not a branch.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w.-]+(/[\w./-]+)?@(v\d+(\.\d+\.\d+)?|[0-9a-f]{40})$`)

// expression matches a GitHub expression.
var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

func read(t *testing.T, path string, to any) string {
	t.Helper()
	text, err := os.ReadFile(root + path)
	if err != nil {
		t.Fatal(err)
	}
	parse(t, path, text, to)
	return string(text)
}

// parse parses YAML. It refuses keys that the type of to does not have.
func parse(t *testing.T, path string, text []byte, to any) {
	t.Helper()
	if err := yaml.UnmarshalWithOptions(text, to, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// checkSteps checks that every step either uses another action in a fixed version or runs a command
// without expressions, and that the scripts it runs exist.
func checkSteps(t *testing.T, path string, steps []step) {
	t.Helper()
	if len(steps) == 0 {
		t.Errorf("%s: no steps", path)
	}
	for i, s := range steps {
		switch {
		case (s.Uses == "") == (s.Run == ""):
			t.Errorf("%s: step %d has uses %q and run %q, expected one of them", path, i, s.Uses, s.Run)
		case s.Uses != "" && !pinned.MatchString(s.Uses):
			t.Errorf("%s: step %d uses %s, expected a release or a commit behind @", path, i, s.Uses)
		case s.Run == "" && (s.Shell != "" || s.Env != nil), s.Uses == "" && s.With != nil:
			t.Errorf("%s: step %d: with belongs to uses, shell and env to run", path, i)
		}
		// An expression inside a command would allow an input to run code.
		if expression.MatchString(s.Run) {
			t.Errorf("%s: step %d has an expression in run, expected it in env: %s", path, i, s.Run)
		}
		for script := range strings.FieldsSeq(s.Run) {
			if strings.HasPrefix(script, "scripts/") || strings.HasPrefix(script, ".ci/") {
				if info, err := os.Stat(root + script); err != nil || info.Mode()&0o111 == 0 {
					t.Errorf("%s: step %d runs %s, which is not an executable file of this repository", path, i, script)
				}
			}
		}
	}
}

func checkWorkflow(t *testing.T, path string, text []byte) workflow {
	t.Helper()
	var w workflow
	parse(t, path, text, &w)
	if w.Name == "" || len(w.On) == 0 || len(w.Permissions) == 0 || len(w.Jobs) == 0 {
		t.Errorf("%s: expected name, on, permissions and jobs", path)
	}
	for name, job := range w.Jobs {
		if !regexp.MustCompile(`^ubuntu-\d\d\.04$`).MatchString(job.RunsOn) {
			t.Errorf("%s: job %s runs on %q, expected a version of ubuntu", path, name, job.RunsOn)
		}
		checkSteps(t, path, job.Steps)
	}
	return w
}

func TestWorkflows(t *testing.T) {
	paths, err := filepath.Glob(root + ".github/workflows/*")
	if err != nil || len(paths) < 2 {
		t.Fatalf("%d workflows: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkWorkflow(t, path, text)
	}
}

// The workflow that "mmsim init" writes uses the action once, and only with inputs that the action
// has.
func TestProjectWorkflow(t *testing.T) {
	var a action
	read(t, actionPath+"/action.yml", &a)
	const path = "cmd/mmsim/gallery/shared/.github/workflows/mmsim.yml"
	text, err := os.ReadFile(root + path)
	if err != nil {
		t.Fatal(err)
	}
	w := checkWorkflow(t, path, bytes.ReplaceAll(text, []byte("@vX.Y.Z"), []byte("@"+releaseTest)))
	uses := 0
	for _, s := range w.Jobs["mmsim"].Steps {
		if s.Uses != "OWNER/mmsim/"+actionPath+"@"+releaseTest {
			continue
		}
		uses++
		for input := range s.With {
			if _, known := a.Inputs[input]; !known {
				t.Errorf("the action has no input %s", input)
			}
		}
	}
	if uses != 1 {
		t.Errorf("the workflow uses the action %d times, want 1", uses)
	}
}

// The action reads exactly the inputs that it declares. Every variable of a command is set in its
// step or by the runner.
func TestAction(t *testing.T) {
	var a action
	text := read(t, actionPath+"/action.yml", &a)
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" {
		t.Errorf("got name %q, description %q, using %q, expected a composite action", a.Name, a.Description, a.Runs.Using)
	}
	checkSteps(t, actionPath, a.Runs.Steps)
	read := map[string]bool{}
	for _, match := range regexp.MustCompile(`inputs\.(\w+)`).FindAllStringSubmatch(text, -1) {
		read[match[1]] = true
		if _, declared := a.Inputs[match[1]]; !declared {
			t.Errorf("the action reads the input %s, which it does not declare", match[1])
		}
	}
	for name, input := range a.Inputs {
		if !read[name] || input.Description == "" {
			t.Errorf("input %s: got read by a step: %v, description %q; want it read and described", name, read[name], input.Description)
		}
	}
	for i, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %d: shell %q, want bash: composite actions have no default", i, s.Shell)
		}
		for _, match := range regexp.MustCompile(`\$\{?([A-Z_]+)`).FindAllStringSubmatch(s.Run, -1) {
			if _, set := s.Env[match[1]]; !set && match[1] != "RUNNER_TEMP" {
				t.Errorf("step %d reads $%s, which is not in the step's env", i, match[1])
			}
		}
	}
}

// The image is built with the Go version of the module and the flags of a release, from files that
// exist.
func TestImageRecipe(t *testing.T) {
	recipe, build, module := content(t, "Dockerfile"), content(t, "build.sh"), content(t, root+"go.mod")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(module)
	if version == nil || !strings.Contains(recipe, "FROM golang:"+version[1]+" AS build\n") {
		t.Errorf("the image is not built with golang:%v, the version in go.mod", version)
	}
	if froms := regexp.MustCompile(`(?m)^FROM .*$`).FindAllString(recipe, -1); len(froms) != 2 || froms[1] != "FROM scratch" {
		t.Errorf("got stages %q, want two, of which the last is from scratch", froms)
	}
	const flags = "go build -trimpath -buildvcs=false -ldflags \"-s -w "
	for _, part := range []string{"CGO_ENABLED=0 " + flags, "go run ./scripts/release", "./cmd/mmsim"} {
		if !strings.Contains(recipe, part) || !strings.Contains(build, part) {
			t.Errorf("want %q in the recipe of the image and in build.sh", part)
		}
	}
	for _, match := range regexp.MustCompile(`(?m)^COPY ([a-z][\w. ]*) \./$`).FindAllStringSubmatch(recipe, -1) {
		for file := range strings.FieldsSeq(match[1]) {
			if _, err := os.Stat(root + file); err != nil {
				t.Errorf("the recipe copies a file that does not exist: %v", err)
			}
		}
	}
	if !strings.Contains(recipe, "build.release=$VERSION") {
		t.Error("the recipe does not stamp the version")
	}
}

// bash runs a script with an environment and returns its output.
func bash(t *testing.T, env []string, script string, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	c := exec.Command("bash", append([]string{script}, args...)...)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func TestBuildRefusesWhatIsNoRelease(t *testing.T) {
	for _, version := range []string{"1.2.3", "v1.2", "v1.2.3+dirty", "main", "v1.2.3 -X"} {
		if out, err := bash(t, nil, "build.sh", version, t.TempDir()); err == nil || !strings.Contains(out, "expected version") && !strings.Contains(out, "expected one such as v1.2.3") {
			t.Errorf("version %q: got error %v and output %s, want the version refused", version, err, out)
		}
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := bash(t, nil, "build.sh", releaseTest, full); err == nil || !strings.Contains(out, "is not empty") {
		t.Errorf("got error %v and output %s, want a folder with files refused", err, out)
	}
}

// publish creates a folder with a release in the layout of build.sh. The program is a shell script
// that prints its version.
func publish(t *testing.T, checksum func(sum string) string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), releaseTest)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("mmsim_%s_%s_%s", releaseTest, runtime.GOOS, runtime.GOARCH)
	program := []byte("#!/bin/sh\necho mmsim " + releaseTest + "\n")
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	if err := archive.WriteHeader(&tar.Header{Name: name + "/mmsim", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	sums := checksum(fmt.Sprintf("%x", sha256.Sum256(packed.Bytes()))) + "  " + name + ".tar.gz\n"
	for file, content := range map[string][]byte{name + ".tar.gz": packed.Bytes(), "checksums.txt": []byte(sums)} {
		if err := os.WriteFile(filepath.Join(folder, file), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Dir(folder)
}

func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	script := root + actionPath + "/install.sh"
	right := func(sum string) string { return sum }
	wrong := func(sum string) string { return strings.Repeat("0", len(sum)) }
	paths := filepath.Join(t.TempDir(), "path")
	from := func(releases string) []string {
		return []string{"MMSIM_RELEASES=file://" + releases, "GITHUB_PATH=" + paths}
	}

	folder := filepath.Join(t.TempDir(), "mmsim")
	out, err := bash(t, from(publish(t, right)), script, "acme/mmsim", releaseTest, folder)
	if err != nil || !strings.HasSuffix(out, "mmsim "+releaseTest+"\n") {
		t.Errorf("got error %v and output %s, want the version of the installed program", err, out)
	}
	if content, err := os.ReadFile(paths); err != nil || string(content) != filepath.Join(folder, "bin")+"\n" {
		t.Errorf("the file with the job's PATH contains %q (error %v), want the folder of the program", content, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder contains %v (error %v), want bin alone", entries, err)
	}

	// Without the release, mmsim is built from a copy of the repository.
	source := t.TempDir()
	for file, content := range map[string]string{
		"go.mod":                     "module mmsim\n",
		"cmd/mmsim/main.go":          "package main\n\nimport \"mmsim/cmd/mmsim/build\"\n\nfunc main() { build.Print() }\n",
		"cmd/mmsim/build/release.go": "package build\n\nimport \"fmt\"\n\nvar release, repository string\n\nfunc Print() { fmt.Printf(\"built %q of %q\\n\", release, repository) }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(source, file)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(source, file), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for version, want := range map[string]string{"v9.9.9": `built "v9.9.9" of "acme/mmsim"`, "main": `built "" of ""`, "": `built "" of ""`} {
		folder := filepath.Join(t.TempDir(), "mmsim")
		out, err := bash(t, from(publish(t, right)), script, "acme/mmsim", version, folder, source)
		if err != nil || !strings.Contains(out, "::notice::mmsim: ") || !strings.HasSuffix(out, want+"\n") {
			t.Errorf("version %q: got error %v and output %s, want a program built from source that prints %s", version, err, out, want)
		}
	}
	if out, err := bash(t, from(publish(t, wrong)), script, "acme/mmsim", releaseTest, filepath.Join(t.TempDir(), "mmsim"), source); err == nil || !strings.Contains(out, "is not the file of release") {
		t.Errorf("got error %v and output %s, want a changed package refused although there is a source", err, out)
	}

	for _, test := range []struct {
		about, version, says string
		releases             string
	}{
		{"a package that was changed", releaseTest, "is not the file of release v1.2.3", publish(t, wrong)},
		{"a release that does not exist", "v9.9.9", "cannot download", publish(t, right)},
		{"a branch", "main", "expected that of a release", publish(t, right)},
		{"nothing", "", "expected that of a release", publish(t, right)},
	} {
		out, err := bash(t, from(test.releases), script, "acme/mmsim", test.version, filepath.Join(t.TempDir(), "mmsim"))
		if err == nil || !strings.Contains(out, "::error::mmsim: ") || !strings.Contains(out, test.says) {
			t.Errorf("%s: got error %v and output %s, want a message that contains %q", test.about, err, out, test.says)
		}
	}
	if out, err := bash(t, nil, script, "mmsim", releaseTest, filepath.Join(t.TempDir(), "mmsim")); err == nil || !strings.Contains(out, "expected OWNER/NAME") {
		t.Errorf("got error %v and output %s, want the repository refused", err, out)
	}
}
