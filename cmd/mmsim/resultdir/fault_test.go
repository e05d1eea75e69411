package resultdir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/disk/disktest"
)

const oldMarker = `{"schema": 1, "complete": true, "run": 1}`

// Files of an old result, and of a user.
var (
	oldFiles  = map[string]string{"summary.json": oldMarker, "x.csv": "old", "y.csv": "old", "runs/0/summary.json": "old", "runs/0/x.csv": "old", "runs/1/summary.json": "old"}
	userFiles = map[string]string{"mine": "x", "runs/1/mine": "x", "own/deep/mine": "x", "own/link -> ../mine": "", "own/empty/": ""}
	newFiles  = []string{"runs/0/summary.json", "runs/0/x.csv", "runs/2/summary.json", "runs/2/x.csv", "summary.json", "x.csv"}
)

// listOf returns the ListFile of testKind for files with their contents.
func listOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	put(t, folder, files)
	found, err := hashAll(folder)
	if err != nil {
		t.Fatal(err)
	}
	text, err := testKind.listText(found)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// under returns files with a folder before their names.
func under(folder string, sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, files := range sets {
		for name, text := range files {
			all[folder+"/"+name] = text
		}
	}
	return all
}

// states are directories before an operation.
func states(t *testing.T) map[string]map[string]string {
	partial := map[string]string{"summary.json": interrupted, "x.csv": "old"}
	list := func(files map[string]string) map[string]string {
		return map[string]string{"out/" + ListFile: listOf(t, files)}
	}
	join := func(sets ...map[string]string) map[string]string {
		all := map[string]string{}
		for _, files := range sets {
			for name, text := range files {
				all[name] = text
			}
		}
		return all
	}
	return map[string]map[string]string{
		"nothing":                     {},
		"an old result":               join(under("out", oldFiles), list(oldFiles)),
		"an old result and strangers": join(under("out", oldFiles, userFiles), list(oldFiles)),
		"a partial result":            join(under("out", partial, userFiles), list(partial)),
		"an old result without list":  under("out", map[string]string{"summary.json": oldMarker}, userFiles),
	}
}

// operations change a directory.
var operations = map[string]func() error{
	"write": func() error {
		d, err := Claim("out", testKind)
		if err == nil {
			_, err = write(d, true, newFiles...)
		}
		return err
	},
	"write part": func() error {
		d, err := Claim("out", testKind)
		if err == nil {
			_, err = write(d, false, newFiles...)
		}
		return err
	},
	"add": func() error {
		d, err := Claim("out", testKind)
		if err != nil {
			return err
		}
		return d.Add(func(folder string) error { return putNew(folder, "map.svg", "runs/0/x.csv", "x.csv") })
	},
	"keep": func() error {
		d, err := Claim("out", testKind)
		if err != nil {
			return err
		}
		return d.Keep("summary.json", func(w io.Writer) error {
			_, err := io.WriteString(w, finished)
			return err
		})
	},
	"store": func() error {
		if err := MakeFolder("out", "jobs"); err != nil {
			return err
		}
		return Store("out", "jobs/1.json", func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		})
	},
	"file": func() error {
		return WriteFile("file", func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		})
	},
}

// putNew writes files with the content "new".
func putNew(folder string, names ...string) error {
	for _, name := range names {
		w, err := In(folder)(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "new"); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// prepared makes a folder with a state, goes there, and returns what is there.
func prepared(t *testing.T, before map[string]string) []string {
	t.Helper()
	folder := filepath.Join(memory(t), "work")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	put(t, ".", before)
	put(t, ".", map[string]string{"file": "old", "other": "x"})
	cleaned.Clear() // as in another process
	rooms.Clear()
	return ourTree(t)
}

// memory returns a temporary folder, in memory if there is one: a disk takes minutes.
func memory(t *testing.T) string {
	t.Helper()
	const shared = "/dev/shm"
	if folder, err := os.MkdirTemp(shared, "mmsim-"); err == nil {
		t.Cleanup(func() {
			if err := os.RemoveAll(folder); err != nil {
				t.Error(err)
			}
		})
		return folder
	}
	return t.TempDir()
}

// ourTree lists all files but stages, with the lists.
func ourTree(t *testing.T) []string {
	t.Helper()
	all := tree(t, ".")
	_ = filepath.WalkDir(".", func(name string, entry os.DirEntry, err error) error {
		if err == nil && filepath.Base(name) == ListFile {
			text, _ := os.ReadFile(name)
			all = append(all, name+"="+string(text))
		}
		return nil
	})
	all = slices.DeleteFunc(all, func(name string) bool { return strings.Contains(name, ".tmp-") })
	slices.Sort(all)
	return all
}

// beside returns the entries of a tree below a folder, with their names in it.
func beside(list []string, folder string) []string {
	var found []string
	for _, name := range list {
		if rest, is := strings.CutPrefix(name, folder+"/"); is {
			found = append(found, rest)
		}
	}
	return found
}

// TestEveryFault lets every call of every operation fail in every way. After that, the directory
// holds the old result or the new one, whole. The user's files are unchanged. The error says which
// result is there, and where the new one is if it could not be published. The same operation then
// gives the result that it gives without a fault, and leaves nothing else.
func TestEveryFault(t *testing.T) {
	points := 0
	for _, exchange := range []bool{true, false} {
		for state, before := range states(t) {
			for operation, do := range operations {
				t.Run(fmt.Sprintf("%s/%s/exchange %t", state, operation, exchange), func(t *testing.T) {
					was := prepared(t, before)
					counter := disktest.New(mustAbs(t, "."))
					counter.NoExchange = !exchange
					restore := disk.Replace(counter)
					wantErr := do()
					restore()
					counter.Clean()
					want := ourTree(t)
					for _, fault := range disktest.Faults {
						for n := 1; n <= len(counter.Calls()) && fault != disktest.Other; n++ { // see TestUserActs
							if points++; points%faultStep() != 0 {
								continue
							}
							f := faultRun{operation: operation, exchange: exchange, at: n, fault: fault, call: counter.Calls()[n-1], before: before, was: was, want: want, wantErr: wantErr}
							f.run(t, do)
							if t.Failed() {
								return
							}
						}
					}
				})
			}
		}
	}
	t.Logf("%d faults", points)
}

// faultStep is the distance of the faults that are tried: all of them take minutes.
//
//	MMSIM_FAULTS=all go test ./cmd/mmsim/resultdir -run TestEveryFault -v
func faultStep() int {
	if os.Getenv("MMSIM_FAULTS") == "all" {
		return 1
	}
	if testing.Short() {
		return 101
	}
	return 11 // prime, so that it meets all faults of all operations
}

// TestUserActs lets the user change a file at every call. Nothing of the user's is lost or replaced,
// and the result is whole: in the directory or beside it.
func TestUserActs(t *testing.T) {
	acts := map[string]func(){
		"edits our file":       func() { _ = os.WriteFile("out/x.csv", []byte("edited"), 0o666) },
		"edits our marker":     func() { _ = os.WriteFile("out/runs/0/summary.json", []byte("edited"), 0o666) },
		"edits an own file":    func() { _ = os.WriteFile("out/mine", []byte("edited"), 0o666) },
		"replaces an own file": func() { _ = os.WriteFile("tmp", []byte("edited"), 0o666); _ = os.Rename("tmp", "out/own/deep/mine") },
		"creates a file":       func() { _ = os.WriteFile("out/runs/0/notes", []byte("edited"), 0o666) },
		"creates a file that is needed": func() {
			_ = os.MkdirAll("out/runs/2", 0o777)
			_ = os.WriteFile("out/runs/2/x.csv", []byte("edited"), 0o666)
		},
		"creates a file in a new folder": func() {
			_ = os.MkdirAll("out/further", 0o777)
			_ = os.WriteFile("out/further/notes", []byte("edited"), 0o666)
		},
	}
	before := states(t)["an old result and strangers"]
	points := 0
	for _, exchange := range []bool{true, false} {
		for name, act := range acts {
			for _, operation := range []string{"write", "add", "keep"} {
				t.Run(fmt.Sprintf("%s/%s/exchange %t", name, operation, exchange), func(t *testing.T) {
					for n := 1; ; n++ {
						if points++; points%(faultStep()/2+1) != 0 {
							continue
						}
						prepared(t, before)
						acted := false
						d := disktest.New(mustAbs(t, "."))
						d.NoExchange, d.Act = !exchange, func() { act(); acted = true }
						d.FailAt(n, disktest.Other)
						restore := disk.Replace(d)
						err := operations[operation]()
						restore()
						d.Clean()
						if !acted {
							return
						}
						checkUser(t, fmt.Sprintf("call %d (%s), error %v", n, d.Calls()[n-1], err), err)
						if t.Failed() {
							return
						}
					}
				})
			}
		}
	}
	t.Logf("%d acts", points)
}

// checkUser checks that what the user wrote is there, and that the result is.
func checkUser(t *testing.T, when string, err error) {
	t.Helper()
	got := tree(t, ".") // also in a temporary folder that was left for the user
	if !slices.ContainsFunc(got, func(name string) bool { return strings.HasSuffix(name, "=edited") }) {
		t.Errorf("%s: what the user wrote is gone: %q", when, got)
	}
	marker := "out/summary.json="
	if kept := (*UnpublishedError)(nil); errors.As(err, &kept) {
		marker = kept.Kept + "/summary.json="
	}
	if !slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, marker) }) {
		t.Errorf("%s: there is no %s: %q", when, marker, got)
	}
	for _, name := range []string{"out/own/link -> ../mine", "out/runs/1/mine=x", "other=x"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s: the user's file %s is gone", when, name)
		}
	}
}

func mustAbs(t *testing.T, name string) string {
	t.Helper()
	folder, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// faultRun is one operation with one fault.
type faultRun struct {
	operation string
	exchange  bool
	at        int
	fault     disktest.Fault
	call      string
	before    map[string]string
	was, want []string
	wantErr   error
}

func (f *faultRun) run(t *testing.T, do func() error) {
	t.Helper()
	prepared(t, f.before)
	d := disktest.New(mustAbs(t, "."))
	d.NoExchange = !f.exchange
	d.FailAt(f.at, f.fault)
	restore := disk.Replace(d)
	err := do()
	restore()
	defer d.Clean()
	mutex.Lock()
	clear(stages) // of the killed process
	mutex.Unlock()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s at call %d (%s), error %.300v: %s", f.fault, f.at, f.call, err, fmt.Sprintf(format, args...))
	}
	got := ourTree(t)
	halfWay := !f.exchange && f.fault.IsCrash() // the next command completes it
	if f.fault.IsCrash() {
		err = nil // nobody saw it
	}
	if !halfWay {
		f.checkState(err, got, fail)
	}
	for _, name := range f.was {
		if mine(name) && !slices.Contains(got, name) {
			fail("the user's file %s is gone", name)
		}
	}
	kept := slices.DeleteFunc(got, func(name string) bool { return !strings.Contains(name, newSuffix) })
	cleaned.Clear() // as in another process
	rooms.Clear()
	again := do()
	if (again == nil) != (f.wantErr == nil) {
		fail("the next run: error %v", again)
	}
	after := slices.DeleteFunc(ourTree(t), func(name string) bool { return slices.Contains(kept, name) })
	if !f.same(after, f.want) {
		fail("after the next run: %s", changes(after, f.want))
	}
	if left := stagesLeft(t); len(left) > 0 {
		fail("after the next run: left %q", left)
	}
}

// mine reports whether an entry of a tree is a file of the user.
func mine(name string) bool {
	file, _, _ := strings.Cut(name, "=")
	return name == "other=x" || filepath.Base(file) == "mine" || strings.HasPrefix(file, "out/own/")
}

// checkState checks that there is the old result or the new one, and that the error says which.
func (f *faultRun) checkState(err error, got []string, fail func(string, ...any)) {
	kept := (*UnpublishedError)(nil)
	isKept := errors.As(err, &kept)
	rest := slices.DeleteFunc(slices.Clone(got), func(name string) bool {
		return isKept && (strings.HasPrefix(name, kept.Kept+"/") || strings.HasPrefix(name, kept.Kept+"="))
	})
	switch isOld, isNew := f.same(rest, f.was), f.same(rest, f.want); {
	case !isOld && !isNew:
		fail("neither the old files nor the new ones: to the old ones %s; to the new ones %s", changes(rest, f.was), changes(rest, f.want))
	case err == nil && f.wantErr == nil && !isNew && !f.fault.IsCrash():
		fail("there is no error, and the old files are there")
	case !isKept:
	case slices.Contains(got, kept.Kept+"=new"), slices.Equal(ours(beside(got, kept.Kept)), ours(beside(f.want, "out"))), slices.Equal(ours(beside(got, kept.Kept)), ours(beside(f.want, "out.partial"))):
	default:
		fail("the result in %s differs from the new one: %s", kept.Kept, changes(beside(got, kept.Kept), ours(beside(f.want, "out"))))
	}
}

// same compares two trees without folders that are empty. While a file is kept, the list has two
// hashes for it.
func (f *faultRun) same(a, b []string) bool {
	clean := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool {
			return strings.HasSuffix(name, "/") || f.operation == "keep" && strings.HasPrefix(name, "out/"+ListFile)
		})
	}
	return slices.Equal(clean(a), clean(b))
}

// changes lists what differs between two trees.
func changes(from, to []string) string {
	var all []string
	for _, name := range from {
		if !slices.Contains(to, name) {
			all = append(all, fmt.Sprintf("- %.90q", name))
		}
	}
	for _, name := range to {
		if !slices.Contains(from, name) {
			all = append(all, fmt.Sprintf("+ %.90q", name))
		}
	}
	return strings.Join(all, ", ")
}

// ours returns the entries that are neither the user's nor empty folders.
func ours(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return mine("out/"+name) || strings.HasSuffix(name, "/") })
}

// stagesLeft lists temporary folders and locks.
func stagesLeft(t *testing.T) []string {
	t.Helper()
	var left []string
	err := filepath.WalkDir(".", func(name string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(name), ".tmp-") {
			left = append(left, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}
