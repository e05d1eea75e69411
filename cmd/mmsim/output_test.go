package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// put writes files below a folder: "a/b.txt" to its content.
func put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tree lists the files and empty folders below a folder, with content.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		if d.IsDir() {
			if files, err := os.ReadDir(path); err != nil || len(files) > 0 || name == "." {
				return err
			}
			list = append(list, name+"/")
			return nil
		}
		content, err := os.ReadFile(path)
		list = append(list, name+"="+string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

const (
	finished    = `{"schema": 1, "complete": true}`
	interrupted = `{"schema": 1, "complete": false}`
)

// deadProcess is the number of no process: Linux has none as high.
const deadProcess = "999999999"

func TestResultDir(t *testing.T) {
	for _, test := range []struct {
		name     string
		before   map[string]string
		complete bool
		code     int // 0: committed
		after    []string
	}{
		{"new", nil, true, 0, []string{"out/summary.json=new"}},
		{"new partial", nil, false, 0, []string{"out/summary.json=new"}},
		{"complete replaces complete",
			map[string]string{"out/summary.json": finished, "out/old.csv": "x"}, true, 0, []string{"out/summary.json=new"}},
		{"complete replaces partial", map[string]string{"out/summary.json": interrupted}, true, 0, []string{"out/summary.json=new"}},
		{"partial replaces partial", map[string]string{"out/summary.json": interrupted}, false, 0, []string{"out/summary.json=new"}},
		{"partial beside complete", map[string]string{"out/summary.json": finished}, false, 0,
			[]string{"out.partial/summary.json=new", "out/summary.json=" + finished}},
		{"partial replaces the partial beside", map[string]string{"out/summary.json": finished, "out.partial/summary.json": interrupted}, false, 0,
			[]string{"out.partial/summary.json=new", "out/summary.json=" + finished}},
		{"partial finds something else beside", map[string]string{"out/summary.json": finished, "out.partial/mine": "x"}, false, exitBadInput,
			[]string{"out.partial/mine=x", "out/summary.json=" + finished}},
		{"something else beside a complete result", map[string]string{"out/summary.json": finished, "out.partial/mine": "x"}, true, exitBadInput,
			[]string{"out.partial/mine=x", "out/summary.json=" + finished}},
		{"something else beside a partial result", map[string]string{"out/summary.json": interrupted, "out.partial/mine": "x"}, true, 0,
			[]string{"out.partial/mine=x", "out/summary.json=new"}},
		{"left by killed processes", map[string]string{
			".out.tmp-" + deadProcess + "/x": "", ".out.tmp-" + deadProcess + ".old/x": "", ".out.tmp-mine/x": "", ".outer.tmp-1/x": "",
			".out.tmp-1/alive": "", "out/summary.json": finished}, true, 0,
			[]string{".out.tmp-1/alive=", ".out.tmp-mine/x=", ".outer.tmp-1/x=", "out/summary.json=new"}},
		{"put aside by a killed process", map[string]string{".out.tmp-" + deadProcess + ".old/x": ""}, false, 0,
			[]string{".out.tmp-" + deadProcess + ".old/x=", "out/summary.json=new"}},
		{"file", map[string]string{"out": "x"}, true, exitBadInput, []string{"out=x"}},
		{"foreign files", map[string]string{"out/mine": "x"}, true, exitBadInput, []string{"out/mine=x"}},
		{"foreign summary", map[string]string{"out/summary.json": "{}"}, true, exitBadInput, []string{"out/summary.json={}"}},
		{"broken summary", map[string]string{"out/summary.json": "{"}, true, exitBadInput, []string{"out/summary.json={"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			put(t, folder, test.before)
			r, err := claimResultDir(filepath.Join(folder, "out"))
			if err == nil {
				if err = r.begin(); err == nil {
					put(t, r.temp, map[string]string{"summary.json": "new"})
					_, err = r.commit(test.complete)
				}
			}
			if exitCode(err) != test.code {
				t.Errorf("exit code %d (%v), want %d", exitCode(err), err, test.code)
			}
			if got := tree(t, folder); !slices.Equal(got, test.after) {
				t.Errorf("got  %q\nwant %q", got, test.after)
			}
		})
	}
}

func TestResultDirTakesAnEmptyDirectory(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	r, err := claimResultDir(filepath.Join(folder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	if name, err := r.commit(true); err != nil || name != r.target {
		t.Errorf("%s, %v", name, err)
	}
}

func TestResultDirMakesFoldersAndDiscardsThem(t *testing.T) {
	folder := t.TempDir()
	put(t, folder, map[string]string{"a/mine": "x"})
	r, err := claimResultDir(filepath.Join(folder, "a", "b", "c", "out"))
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(t, folder); !slices.Equal(got, []string{"a/mine=x"}) {
		t.Errorf("a claim wrote %q", got)
	}
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	put(t, r.temp, map[string]string{"summary.json": "new"})
	r.discard()
	r.discard()
	if got := tree(t, folder); !slices.Equal(got, []string{"a/mine=x"}) {
		t.Errorf("after discard: %q", got)
	}
}

// A directory that cannot be made is a fault, and found before the simulation.
func TestResultDirUnwritable(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("needs /proc, which nobody can write to")
	}
	r, err := claimResultDir("/proc/mmsim-out/deeper")
	if err != nil {
		t.Fatal(err)
	}
	err = r.begin()
	if exitCode(err) != exitFault || !strings.HasPrefix(err.Error(), "/proc/mmsim-out/deeper: cannot write the results: ") {
		t.Errorf("exit code %d: %v", exitCode(err), err)
	}
}

func TestResultDirIsNotTheWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := claimResultDir("."); exitCode(err) != exitBadInput {
		t.Errorf("%v", err)
	}
}

// A link to a result stays a link to the new result.
func TestResultDirFollowsALink(t *testing.T) {
	folder := t.TempDir()
	put(t, folder, map[string]string{"real/summary.json": finished})
	if err := os.Symlink("real", filepath.Join(folder, "out")); err != nil {
		t.Fatal(err)
	}
	r, err := claimResultDir(filepath.Join(folder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	put(t, r.temp, map[string]string{"summary.json": "new"})
	if _, err := r.commit(true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "out", "summary.json"))
	if err != nil || string(text) != "new" {
		t.Errorf("%s, %v", text, err)
	}
}
