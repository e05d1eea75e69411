package resultdir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// put writes files below a folder, such as "a/b.txt" with its content. "name -> target" is a
// symbolic link.
func put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(folder, name)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		switch {
		case err != nil:
		case isLink:
			err = os.Symlink(target, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o777)
		default:
			err = os.WriteFile(path, []byte(content), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tree lists the files with their content, and the empty folders, below a folder. It leaves
// out list files.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Base(path) == ListFile {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		switch {
		case d.IsDir():
			if files, err := os.ReadDir(path); err != nil || len(files) > 0 || name == "." {
				return err
			}
			list = append(list, name+"/")
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			list = append(list, name+" -> "+target)
			return err
		default:
			content, err := os.ReadFile(path)
			list = append(list, name+"="+string(content))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

const (
	finished    = `{"schema": 1, "complete": true, "run": {}}`
	interrupted = `{"schema": 1, "complete": false, "run": {}}`
)

var testKind = Kind{
	Command: "test", Marker: "summary.json", Keys: []string{"run"},
	Unlisted: regexp.MustCompile(`^(runs/[0-9]+/)?(summary\.json|old\.csv|map\.png)$`),
}

// listed returns the list file of a directory of testKind.
func listed(files ...string) string {
	return fmt.Sprintf(`{"schema": 1, "command": "test", "files": ["%s"]}`, strings.Join(files, `", "`))
}

// write writes a result with the given files.
func write(d *Dir, complete bool, files ...string) (string, error) {
	return d.Write(func(folder string) (bool, error) {
		for _, name := range files {
			w, err := In(folder)(name)
			if err != nil {
				return false, err
			}
			content := "new"
			if filepath.Base(name) == "summary.json" {
				content = map[bool]string{true: finished, false: interrupted}[complete]
			}
			if _, err := w.Write([]byte(content)); err != nil {
				return false, err
			}
			if err := w.Close(); err != nil {
				return false, err
			}
		}
		return complete, nil
	})
}

func TestWrite(t *testing.T) {
	type files = map[string]string
	const whole, partial = "out/summary.json=" + finished, "out/summary.json=" + interrupted
	for _, test := range []struct {
		name     string
		before   files
		complete bool
		refusal  string // "" for none
		after    []string
	}{
		{"new", nil, true, "", []string{whole}},
		{"new partial", nil, false, "", []string{partial}},
		{"empty directory", files{"out/": ""}, true, "", []string{whole}},
		{"complete for complete, with a list", files{"out/summary.json": finished, "out/x.csv": "x", "out/" + ListFile: listed("summary.json", "x.csv")}, true, "",
			[]string{whole}},
		{"complete for complete, without a list", files{"out/summary.json": finished, "out/old.csv": "x", "out/runs/3/map.png": ""}, true, "", []string{whole}},
		{"complete for partial", files{"out/summary.json": interrupted}, true, "", []string{whole}},
		{"partial for partial", files{"out/summary.json": interrupted}, false, "", []string{partial}},
		{"partial beside complete", files{"out/summary.json": finished}, false, "", []string{"out.partial/summary.json=" + interrupted, whole}},
		{"partial for the partial beside", files{"out/summary.json": finished, "out.partial/summary.json": interrupted, "out.partial/old.csv": ""}, false, "",
			[]string{"out.partial/summary.json=" + interrupted, whole}},
		{"a crash left no marker", files{"out/x.csv": "x", "out/mine": "x", "out/" + ListFile: listed("summary.json", "x.csv")}, false, "",
			[]string{"out/mine=x", partial}},
		{"a crash left half a marker", files{"out/summary.json": `{"sch`, "out/" + ListFile: listed("summary.json")}, true, "", []string{whole}},
		{"other files beside a list", files{"out/summary.json": finished, "out/notes.ipynb": "x", "out/old.csv": "mine", "out/sub/deep/map.png": "x",
			"out/runs/map.png": "x", "out/runs/7/mine": "x", "out/runs/7/map.png": "", "out/" + ListFile: listed("summary.json", "runs/7/map.png")}, true, "",
			[]string{"out/notes.ipynb=x", "out/old.csv=mine", "out/runs/7/mine=x", "out/runs/map.png=x", "out/sub/deep/map.png=x", whole}},
		{"other files without a list", files{"out/summary.json": finished, "out/day.csv": "x", "out/sub/old.csv": "x", "out/runs/x/map.png": "", "out/old.csv": ""}, true, "",
			[]string{"out/day.csv=x", "out/runs/x/map.png=", "out/sub/old.csv=x", whole}},
		{"another file has a name that is needed", files{"out/new.csv": "mine", "out/summary.json": finished}, true,
			"out/new.csv: mmsim did not write it, and the result needs its name", []string{"out/new.csv=mine", whole}},
		{"a link has a name that is needed", files{"real": "x", "out/new.csv -> ../real": "", "out/summary.json": finished, "out/" + ListFile: listed("new.csv", "summary.json")}, true,
			"out/new.csv: mmsim did not write it", []string{"out/new.csv -> ../real", whole, "real=x"}},
		{"old files behind a link stay", files{"real/3/map.png": "x", "out/runs -> ../real": "", "out/summary.json": finished, "out/" + ListFile: listed("runs/3/map.png", "summary.json")}, true,
			"", []string{"out/runs -> ../real", whole, "real/3/map.png=x"}},
		{"a list names files outside", files{"mine": "x", "out/summary.json": finished, "out/" + ListFile: listed("../mine")}, true,
			`out/.mmsim-files.json: got "../mine", expected names of files in the directory`, []string{"mine=x", whole}},
		{"a broken list", files{"out/summary.json": finished, "out/" + ListFile: "{"}, true, "out/.mmsim-files.json: expected a list that mmsim wrote", []string{whole}},
		{"list of another command", files{"out/summary.json": finished, "out/" + ListFile: `{"schema": 1, "command": "tune"}`}, true,
			`out: the output directory contains the results of "mmsim tune"`, []string{whole}},
		{"something else beside a complete result", files{"out/summary.json": finished, "out.partial/mine": "x"}, true,
			"out.partial: the output directory is not empty", []string{"out.partial/mine=x", whole}},
		{"something else beside a partial result", files{"out/summary.json": interrupted, "out.partial/mine": "x"}, true, "", []string{"out.partial/mine=x", whole}},
		{"file", files{"out": "x"}, true, "out: the output path is a file", []string{"out=x"}},
		{"a folder above is a file", files{"out": "x", "up -> out/deep": ""}, true, "out: the output path is a file", []string{"out=x", "up -> out/deep"}},
		{"foreign files", files{"out/mine": "x"}, true, "out: the output directory is not empty and has no summary.json", []string{"out/mine=x"}},
		{"foreign summary", files{"out/summary.json": `{"schema": 1, "complete": true}`}, true, "has no summary.json of mmsim", []string{`out/summary.json={"schema": 1, "complete": true}`}},
		{"broken summary", files{"out/summary.json": "{"}, true, "has no summary.json of mmsim", []string{"out/summary.json={"}},
		{"link to a result", files{"real/summary.json": finished, "real/mine": "x", "out -> real": ""}, true, "", []string{"out -> real", "real/mine=x", "real/summary.json=" + finished}},
		{"dangling link", files{"out -> real": ""}, true, "", []string{"out -> real", "real/summary.json=" + finished}},
		{"link loop", files{"out -> loop": "", "loop -> out": ""}, true, "out: too many levels of symbolic links", []string{"loop -> out", "out -> loop"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			put(t, ".", test.before)
			d, err := Claim("out", testKind)
			if err == nil {
				names := []string{"summary.json"}
				if strings.Contains(test.refusal, "new.csv") {
					names = append(names, "new.csv")
				}
				_, err = write(d, test.complete, names...)
			}
			if test.refusal == "" && err != nil || test.refusal != "" && (!IsMendable(err) || !strings.Contains(err.Error(), test.refusal)) {
				t.Errorf("got error %v, want %q", err, test.refusal)
			}
			if got := tree(t, "."); !slices.Equal(got, test.after) {
				t.Errorf("got files %q\nwant %q", got, test.after)
			}
		})
	}
}

// A result is never written to a directory that contains one of its inputs.
func TestClaimRefusesInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"out/summary.json": finished, "out/in/day.csv": "", "maps/x.bin": "", "day.csv": "", "link -> out/in/day.csv": "", "out/day.csv -> ../day.csv": "",
		"outer/x": "", "new/": ""})
	for input, want := range map[string]bool{
		"out/in/day.csv": true, "out/in": true, "out": true, "./out/../out/in/day.csv": true, "link": true, "out/day.csv": true,
		"": false, "day.csv": false, "maps": false, "outer/x": false, "out/gone.csv": true, "-": false,
	} {
		_, err := Claim("out", testKind, "day.csv", input)
		if IsMendable(err) != want || want && !strings.Contains(err.Error(), "out: the output directory contains the input "+input+", ") {
			t.Errorf("input %s: got error %v, want it refused inside the output directory: %v", input, err, want)
		}
	}
	if _, err := Claim("new", testKind, "new/none"); err != nil {
		t.Error(err) // an empty directory contains no input
	}
}

func TestClaimRefusesNames(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"file": ""})
	for name, want := range map[string]string{
		"":                       `expected the name of a directory, not ""`,
		".":                      "the output directory is the working directory",
		"file/out":               "file/out: not a directory",
		strings.Repeat("x", 300): "file name too long",
	} {
		if _, err := Claim(name, testKind); !IsMendable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("Claim(%.20s): got error %v, want the name refused", name, err)
		}
	}
	put(t, "result", map[string]string{"summary.json": finished}) // new files are moved into an existing result one by one
	t.Chdir("result")
	if d, err := Claim(".", testKind); err != nil {
		t.Error(err)
	} else if _, err := write(d, true, "summary.json", "new.csv"); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"file": ""})
	here, err := os.Getwd()
	if err == nil {
		err = os.Remove(filepath.Join(here, "file"))
	}
	if err == nil {
		err = os.Remove(here)
	}
	if err != nil {
		t.Skip(err) // some systems do not allow removing the working directory
	}
	if _, err := Claim("out", testKind); !IsMendable(err) || !strings.Contains(err.Error(), "out: the working directory is gone") {
		t.Error(err)
	}
}

// The longest possible name leaves room for the name of the temporary directory.
func TestLongName(t *testing.T) {
	t.Chdir(t.TempDir())
	name := strings.Repeat("x", 255)
	d, err := Claim(name, testKind)
	if err == nil {
		_, err = write(d, true, "summary.json")
	}
	if err != nil {
		t.Error(err)
	}
}

// If writing fails, neither files nor the folders that were created for them remain.
func TestFailedWriteRemovesCreatedFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"a/mine": "x"})
	d, err := Claim("a/b/c/out", testKind)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "."); !slices.Equal(got, []string{"a/mine=x"}) {
		t.Errorf("after Claim: got files %q, want only a/mine", got)
	}
	_, err = d.Write(func(folder string) (bool, error) {
		put(t, folder, map[string]string{"summary.json": "new"})
		return true, errCrash
	})
	if got := tree(t, "."); err != errCrash || !slices.Equal(got, []string{"a/mine=x"}) {
		t.Errorf("after Write with error %v: got files %q, want only a/mine", err, got)
	}
}

// If the directory cannot be created, the error occurs before the work.
func TestWriteUnwritable(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("skipped: needs /proc, which is not writable")
	}
	d, err := Claim("/proc/mmsim-out/deeper", testKind)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(d, true); IsMendable(err) || !strings.HasPrefix(err.Error(), "/proc/mmsim-out/deeper: cannot write the results: ") {
		t.Error(err)
	}
}

var errCrash = errors.New("crash")

// After a crash at any step of Write, there is either a whole result, old or new, or a
// directory without a marker. The user's files are never lost, and the next run completes the
// result.
func TestCrash(t *testing.T) {
	old := map[string]string{"out/summary.json": strings.Replace(finished, "{}", "1", 1), "out/x.csv": "old", "out/y.csv": "old",
		"out/runs/0/summary.json": "old", "out/runs/0/x.csv": "old", "out/runs/1/summary.json": "old",
		"out/mine": "x", "out/runs/1/mine": "x",
		"out/" + ListFile: listed("runs/0/summary.json", "runs/0/x.csv", "runs/1/summary.json", "summary.json", "x.csv", "y.csv")}
	files := []string{"runs/0/summary.json", "runs/0/x.csv", "runs/2/summary.json", "runs/2/x.csv", "summary.json", "x.csv"}
	otherFiles := []string{"out/mine=x", "out/runs/1/mine=x"}
	want := append([]string{}, otherFiles...)
	for _, name := range files {
		want = append(want, "out/"+name+"="+map[bool]string{true: finished, false: "new"}[filepath.Base(name) == "summary.json"])
	}
	slices.Sort(want)
	for steps := 0; ; steps++ {
		t.Chdir(t.TempDir())
		put(t, ".", old)
		before := tree(t, ".")
		d, err := Claim("out", testKind)
		if err != nil {
			t.Fatal(err)
		}
		left, stopped := steps, ""
		d.step = func(step string) error {
			if left--; left < 0 {
				stopped = step
				return errCrash
			}
			return nil
		}
		_, err = write(d, true, files...)
		got := tree(t, ".")
		if err == nil {
			if !slices.Equal(got, want) {
				t.Errorf("without a crash: got %q\nwant %q", got, want)
			}
			if steps != 12 { // two lists, four files of the old result, six of the new one
				t.Errorf("got %d steps, want 12", steps)
			}
			return
		}
		checkCrash(t, stopped, got, before, want)
		for _, userFile := range otherFiles {
			if !slices.Contains(got, userFile) {
				t.Errorf("crash before %q: the user's file %s is missing", stopped, userFile)
			}
		}
		if d, err = Claim("out", testKind); err == nil {
			_, err = write(d, true, files...)
		}
		if err != nil {
			t.Errorf("next write after a crash before %q: %v", stopped, err)
		}
		if got := tree(t, "."); !slices.Equal(got, want) {
			t.Errorf("after a crash before %q: got %q\nwant %q", stopped, got, want)
		}
	}
}

// Every file is flushed to the disk before it is renamed. For a new result, its folders are
// too.
func TestSyncedBeforeRenamed(t *testing.T) {
	t.Chdir(t.TempDir())
	var mutex sync.Mutex
	synced := map[string]bool{}
	defer func(real func(*os.File) error) { fsync = real }(fsync)
	fsync = func(f *os.File) error {
		mutex.Lock()
		defer mutex.Unlock()
		synced[filepath.Base(f.Name())] = true
		return nil
	}
	for _, test := range []struct{ step, needs string }{
		{"rename the directory", "a.csv summary.json new runs 0 " + ListFile},
		{"replace the list", "a.csv summary.json new runs 0 all next"},
	} {
		d, err := Claim("out", testKind)
		if err != nil {
			t.Fatal(err)
		}
		d.step = func(step string) error {
			for _, name := range strings.Fields(test.needs) {
				if step == test.step && !synced[name] {
					t.Errorf("before step %q: %s was not synced to the disk", step, name)
				}
			}
			return nil
		}
		clear(synced)
		if _, err := write(d, true, "a.csv", "runs/0/summary.json", "summary.json"); err != nil {
			t.Fatal(err)
		}
	}
	clear(synced)
	if err := WriteFile("f", func(w io.Writer) error { return nil }); err != nil || !synced["new"] {
		t.Errorf("WriteFile: got error %v, want none and the file synced before it is renamed", err)
	}
}

// checkCrash checks that every directory with a marker equals the old or the new result.
func checkCrash(t *testing.T, stopped string, got, before, want []string) {
	t.Helper()
	in := func(list []string, folder string) []string {
		var found []string
		for _, file := range list {
			if name, _, _ := strings.Cut(file, "="); filepath.Dir(name) == folder {
				found = append(found, file)
			}
		}
		return found
	}
	for _, folder := range []string{"out", "out/runs/0", "out/runs/1", "out/runs/2"} {
		files := in(got, folder)
		hasMarker := slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix(file, folder+"/summary.json=") })
		if hasMarker && !slices.Equal(files, in(before, folder)) && !slices.Equal(files, in(want, folder)) {
			t.Errorf("crash before %q: %s contains files of both results: %q", stopped, folder, files)
		}
		if folder == "out" && hasMarker && !slices.Equal(got, before) && !slices.Equal(got, want) {
			t.Errorf("crash before %q: the result is neither the old one nor the new one: %q", stopped, got)
		}
	}
}

// Leftovers of killed processes are recognised by their unlocked lock files. Temporary folders
// of running processes remain, and so do folders of other programs.
func TestLeftovers(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{
		".out.tmp-1/" + stageLock: "", ".out.tmp-1/new/x": "", ".out.tmp-22/": "",
		".out.tmp-mine/x": "", ".out.tmp-3/x": "", ".outer.tmp-1/" + stageLock: "",
	})
	locked, err := newStage(".", "out")
	if err != nil {
		t.Fatal(err)
	}
	defer locked.remove()
	cleaned.Clear() // as in another process
	put(t, locked.path(), map[string]string{"x": ""})
	d, err := Claim("out", testKind)
	if err == nil {
		_, err = write(d, true, "summary.json")
	}
	if err != nil {
		t.Fatal(err)
	}
	alive := filepath.Base(locked.folder)
	want := []string{".out.tmp-3/x=", ".out.tmp-mine/x=", alive + "/mmsim.lock=", alive + "/new/x=", "out/summary.json=" + finished}
	slices.Sort(want)
	if got := tree(t, "."); !slices.Equal(got, want) {
		t.Errorf("got files %q\nwant %q", got, want)
	}
}

// Add moves files into a result and keeps the others. The list then contains the new files.
func TestAdd(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"out/summary.json": finished, "out/old.csv": "old", "out/mine": "x"})
	d, err := Claim("out", testKind)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Add(func(folder string) error {
		put(t, folder, map[string]string{"new.svg": "new"})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "out"); !slices.Equal(got, []string{"mine=x", "new.svg=new", "old.csv=old", "summary.json=" + finished}) {
		t.Errorf("got files %q, want the user's file, old.csv, new.svg and the summary", got)
	}
	if d, err = Claim("out", testKind); err == nil {
		_, err = write(d, true, "summary.json")
	}
	if got := tree(t, "out"); err != nil || !slices.Equal(got, []string{"mine=x", "summary.json=" + finished}) {
		t.Errorf("got files %q (error %v), want only the user's file and the summary", got, err)
	}
}

// In a directory without a list, only the marker is known if the kind is newer than lists.
func TestKindWithoutUnlisted(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"out/summary.json": finished, "out/old.csv": "x"})
	kind := Kind{Command: "test", Marker: "summary.json", Keys: []string{"run"}}
	d, err := Claim("out", kind)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(d, true, "summary.json", "old.csv"); !IsMendable(err) || !strings.HasPrefix(err.Error(), "out/old.csv: mmsim did not write it") {
		t.Errorf("got %v", err)
	}
	if _, err := write(d, true, "summary.json"); err != nil {
		t.Error(err)
	}
	if got := tree(t, "out"); !slices.Equal(got, []string{"old.csv=x", "summary.json=" + finished}) {
		t.Errorf("%q", got)
	}
}

// A command that stores its progress in the directory may write the names that it passed to
// Open.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	d, err := Claim("out", testKind)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Open("summary.json", "next.json"); err != nil {
		t.Fatal(err)
	}
	put(t, "out", map[string]string{"next.json": "x", "jobs/1.json": "x"})
	if _, err := write(d, true, "summary.json"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "out"); !slices.Equal(got, []string{"jobs/1.json=x", "summary.json=" + finished}) {
		t.Errorf("got files %q, want the job and the summary", got)
	}
	put(t, "out", map[string]string{"next.json": "mine"})
	if err := d.Open("next.json"); !IsMendable(err) || !strings.Contains(err.Error(), "out/next.json: mmsim did not write it") {
		t.Error(err)
	}
	if complete, err := d.IsComplete(); !complete || err != nil {
		t.Errorf("IsComplete: got %v (error %v), want true", complete, err)
	}
}
