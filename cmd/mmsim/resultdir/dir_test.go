package resultdir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
}

// listed returns the list file of a directory of testKind.
func listed(files ...string) string {
	return fmt.Sprintf(`{"schema": 2, "command": "test", "files": [{"name": "%s"}]}`, strings.Join(files, `"}, {"name": "`))
}

// hashed returns the list file of a directory of testKind with names and the contents that mmsim
// wrote.
func hashed(namesAndContents ...string) string {
	files := own{}
	for i := 0; i < len(namesAndContents); i += 2 {
		sum := sha256.Sum256([]byte(namesAndContents[i+1]))
		files[namesAndContents[i]] = []string{hex.EncodeToString(sum[:])}
	}
	text, err := testKind.listText(files)
	if err != nil {
		panic(err) // a list of strings
	}
	return string(text)
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
		{"complete for complete, without a list", files{"out/summary.json": finished}, true, "", []string{whole}},
		{"a list of the first schema", files{"out/summary.json": finished, "out/" + ListFile: `{"schema": 1, "command": "test", "files": ["summary.json"]}`}, true,
			"out/.mmsim-files.json: expected a list that mmsim wrote, with schema 2", []string{whole}},
		{"complete for partial", files{"out/summary.json": interrupted}, true, "", []string{whole}},
		{"partial for partial", files{"out/summary.json": interrupted}, false, "", []string{partial}},
		{"partial beside complete", files{"out/summary.json": finished}, false, "", []string{"out.partial/summary.json=" + interrupted, whole}},
		{"partial for the partial beside", files{"out/summary.json": finished, "out.partial/summary.json": interrupted}, false, "",
			[]string{"out.partial/summary.json=" + interrupted, whole}},
		{"a crash left no marker", files{"out/x.csv": "x", "out/mine": "x", "out/" + ListFile: listed("summary.json", "x.csv")}, false, "",
			[]string{"out/mine=x", partial}},
		{"a crash left half a marker", files{"out/summary.json": `{"sch`, "out/" + ListFile: listed("summary.json")}, true, "", []string{whole}},
		{"other files beside a list", files{"out/summary.json": finished, "out/notes.ipynb": "x", "out/old.csv": "mine", "out/sub/deep/map.png": "x",
			"out/runs/map.png": "x", "out/runs/7/mine": "x", "out/runs/7/map.png": "", "out/" + ListFile: listed("summary.json", "runs/7/map.png")}, true, "",
			[]string{"out/notes.ipynb=x", "out/old.csv=mine", "out/runs/7/mine=x", "out/runs/map.png=x", "out/sub/deep/map.png=x", whole}},
		{"other files without a list", files{"out/summary.json": finished, "out/day.csv": "x", "out/sub/old.csv": "x", "out/runs/x/map.png": ""}, true, "",
			[]string{"out/day.csv=x", "out/runs/x/map.png=", "out/sub/old.csv=x", whole}},
		{"another file has a name that is needed", files{"out/new.csv": "mine", "out/summary.json": finished}, true,
			"out/new.csv: mmsim did not write it or it has changed since, and the result needs its name", []string{"out.new/new.csv=new", "out.new/summary.json=" + finished, "out/new.csv=mine", whole}},
		{"a link has a name that is needed", files{"real": "x", "out/new.csv -> ../real": "", "out/summary.json": finished, "out/" + ListFile: listed("new.csv", "summary.json")}, true,
			"out/new.csv: mmsim did not write it", []string{"out.new/new.csv=new", "out.new/summary.json=" + finished, "out/new.csv -> ../real", whole, "real=x"}},
		{"a file was changed", files{"out/x.csv": "mine", "out/summary.json": finished, "out/" + ListFile: hashed("summary.json", finished, "x.csv", "x")}, true, "",
			[]string{whole, "out/x.csv=mine"}},
		{"a marker was changed", files{"out/summary.json": strings.Replace(finished, "{}", "2", 1), "out/" + ListFile: hashed("summary.json", finished)}, true,
			"out/summary.json: mmsim did not write it or it has changed since", []string{"out.new/summary.json=" + finished, "out/summary.json=" + strings.Replace(finished, "{}", "2", 1)}},
		{"a second result beside", files{"out.new/": "", "out/new.csv": "mine", "out/summary.json": finished}, true, "out/new.csv: mmsim did not write it",
			[]string{"out.new-2/new.csv=new", "out.new-2/summary.json=" + finished, "out.new/", "out/new.csv=mine", whole}},
		{"old files behind a link stay", files{"real/3/map.png": "x", "out/runs -> ../real": "", "out/summary.json": finished, "out/" + ListFile: listed("runs/3/map.png", "summary.json")}, true,
			"", []string{"out/runs -> ../real", whole, "real/3/map.png=x"}},
		{"a list names files outside", files{"mine": "x", "out/summary.json": finished, "out/" + ListFile: listed("../mine")}, true,
			`out/.mmsim-files.json: got "../mine", expected names of files in the directory`, []string{"mine=x", whole}},
		{"a broken list", files{"out/summary.json": finished, "out/" + ListFile: "{"}, true, "out/.mmsim-files.json: expected a list that mmsim wrote", []string{whole}},
		{"list of another command", files{"out/summary.json": finished, "out/" + ListFile: `{"schema": 2, "command": "tune"}`}, true,
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

// The longest name leaves room for that of a partial result.
func TestLongName(t *testing.T) {
	t.Chdir(t.TempDir())
	for n := 240; n <= 255; n++ {
		name := strings.Repeat("x", n)
		d, err := Claim(name, testKind)
		if n > 247 {
			if !IsMendable(err) || !strings.Contains(err.Error(), "expected at most 247") {
				t.Errorf("%d bytes: got error %v, want the name refused", n, err)
			}
			continue
		}
		for _, complete := range []bool{true, false} {
			if err == nil {
				_, err = write(d, complete, "summary.json")
			}
		}
		if err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
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

// Leftovers of killed processes are recognised by their unlocked lock files. Temporary folders
// of running processes remain, and so do folders of other programs.
func TestLeftovers(t *testing.T) {
	t.Chdir(t.TempDir())
	name := func(i int) string { return fmt.Sprintf(".out.tmp-%016x", i) }
	put(t, ".", map[string]string{
		name(1) + "/" + stageLock: lockTitle + name(1) + "\n", name(1) + "/new/x": "", name(2) + "/": "", name(3) + "/" + stageLock: "", // leftovers
		".out.tmp-mine/x": "", name(4) + "/x": "", name(5) + "/" + stageLock: "mine", name(6) + "/" + stageLock: "", name(6) + "/x": "",
		name(7) + "/" + stageLock: lockTitle + name(1) + "\n", name(8) + "/" + stageLock + " -> ../" + name(1) + "/" + stageLock: "",
		"elsewhere/" + stageLock: lockTitle + "elsewhere\n", name(9) + " -> elsewhere": "", ".outer.tmp-1/" + stageLock: lockTitle + ".outer.tmp-1\n",
		name(10) + "/" + stageLock + " -> ../created": "",
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
	alone, err := os.ReadFile(filepath.Join(locked.folder, stageLock))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".out.tmp-mine/x=", alive + "/mmsim.lock=" + string(alone), alive + "/new/x=", "out/summary.json=" + finished,
		name(4) + "/x=", name(5) + "/mmsim.lock=mine", name(6) + "/mmsim.lock=", name(6) + "/x=", name(7) + "/mmsim.lock=" + lockTitle + name(1) + "\n",
		name(8) + "/mmsim.lock -> ../" + name(1) + "/mmsim.lock", name(9) + " -> elsewhere", "elsewhere/mmsim.lock=" + lockTitle + "elsewhere\n",
		".outer.tmp-1/mmsim.lock=" + lockTitle + ".outer.tmp-1\n", name(10) + "/mmsim.lock -> ../created"}
	slices.Sort(want)
	if got := tree(t, "."); !slices.Equal(got, want) {
		t.Errorf("got files %q\nwant %q", got, want)
	}
}

// Add moves files into a result and keeps the others. The list then contains the new files.
func TestAdd(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"out/summary.json": finished, "out/old.csv": "old", "out/mine": "x", "out/" + ListFile: listed("summary.json", "old.csv")})
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

// The files of a replication are in the list of the directory around it.
func TestAddToPart(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{
		"out/summary.json": finished, "out/runs/1/summary.json": finished, "out/runs/1/old.svg": "old", "out/runs/1/mine": "x", "out/runs/10/old.svg": "old",
		"out/" + ListFile: listed("summary.json", "runs/1/summary.json", "runs/1/old.svg", "runs/10/old.svg"),
	})
	d, err := Claim("out/runs/1", testKind)
	if err == nil {
		err = d.Add(func(folder string) error {
			put(t, folder, map[string]string{"old.svg": "new"})
			return nil
		})
	}
	if got := tree(t, "out/runs/1"); err != nil || !slices.Equal(got, []string{"mine=x", "old.svg=new", "summary.json=" + finished}) {
		t.Errorf("got files %q (error %v), want the user's file, the new picture and the summary", got, err)
	}
	if d, err = Claim("out/runs/1", testKind); err == nil {
		err = d.Add(func(folder string) error {
			put(t, folder, map[string]string{"mine": "y"})
			return nil
		})
	}
	if err == nil {
		t.Error("a file of the user was replaced, want an error")
	}
}

// In a directory without a list, only the marker is mmsim's.
func TestLostList(t *testing.T) {
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

// A command keeps its progress in the directory. The next result removes it, and the user's file of
// that name is never replaced.
func TestKeep(t *testing.T) {
	t.Chdir(t.TempDir())
	d, err := Claim("out", testKind)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"one", "two"} {
		if err := d.Keep("next.json", text(content)); err != nil {
			t.Fatal(err)
		}
		if got := tree(t, "."); !slices.Equal(got, []string{"out/next.json=" + content}) {
			t.Errorf("got files %q, want the progress %q", got, content)
		}
	}
	put(t, "out", map[string]string{"jobs/1.json": "x"})
	if _, err := write(d, true, "summary.json"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "out"); !slices.Equal(got, []string{"jobs/1.json=x", "summary.json=" + finished}) {
		t.Errorf("got files %q, want the job and the summary", got)
	}
	put(t, "out", map[string]string{"next.json": "mine"})
	if err := d.Keep("next.json", text("three")); !IsMendable(err) || !strings.Contains(err.Error(), "out/next.json: mmsim did not write it") {
		t.Error(err)
	}
	if complete, err := d.IsComplete(); !complete || err != nil {
		t.Errorf("IsComplete: got %v (error %v), want true", complete, err)
	}
}
