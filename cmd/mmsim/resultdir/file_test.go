package resultdir

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/disk"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestWriteFile(t *testing.T) {
	type files = map[string]string
	for _, test := range []struct {
		name    string
		before  files
		refusal string
		after   []string
	}{
		{"new", nil, "", []string{"f=new"}},
		{"replaced", files{"f": "old"}, "", []string{"f=new"}},
		{"link", files{"real/f": "old", "f -> real/f": ""}, "", []string{"f -> real/f", "real/f=new"}},
		{"link to a link, in a folder behind a link", files{"a/b/g -> ../f": "", "a/f": "old", "c -> a/b": "", "f -> c/g": ""}, "",
			[]string{"a/b/g -> ../f", "a/f=new", "c -> a/b", "f -> c/g"}},
		{"dangling link", files{"real/": "", "f -> real/f": ""}, "", []string{"f -> real/f", "real/f=new"}},
		{"dangling link without a folder", files{"f -> real/f": ""}, "f: expected a file in an existing folder", []string{"f -> real/f"}},
		{"link loop", files{"f -> g": "", "g -> f": ""}, "f: too many levels of symbolic links", []string{"f -> g", "g -> f"}},
		{"directory", files{"f/": ""}, "f: is a directory", []string{"f/"}},
		{"link to a device", files{"f -> /dev/null": ""}, "", []string{"f -> /dev/null"}},
		{"left by a killed process", files{".f.tmp-0000000000000007/" + stageLock: lockTitle + ".f.tmp-0000000000000007\n", ".f.tmp-0000000000000007/new": "x",
			".g.tmp-x/" + stageLock: ""}, "", []string{".g.tmp-x/mmsim.lock=", "f=new"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			put(t, ".", test.before)
			checked := CheckFile("f")
			err := WriteFile("f", text("new"))
			if test.refusal == "" && err != nil || test.refusal != "" && (!IsMendable(err) || !strings.Contains(err.Error(), test.refusal)) {
				t.Errorf("got error %v, want %q", err, test.refusal)
			}
			if (checked == nil) != (test.refusal == "") {
				t.Errorf("CheckFile: got error %v, want one if and only if the write is refused", checked)
			}
			if got := tree(t, "."); !slices.Equal(got, test.after) {
				t.Errorf("got files %q\nwant %q", got, test.after)
			}
		})
	}
}

func TestFileNames(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"file": ""})
	for name, want := range map[string]string{
		"": "expected the name of a file", "x/": "x/: expected the name of a file", "x/y": "x/y: expected a file in an existing folder",
		"file/y": "file/y: not a directory", strings.Repeat("x", 300): "file name too long",
	} {
		if err := WriteFile(name, text("new")); !IsMendable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("WriteFile(%.20s): got error %v, want the name refused", name, err)
		}
	}
	if err := WriteFile(strings.Repeat("x", 255), text("new")); err != nil {
		t.Error(err)
	}
}

// A file that is not completed leaves the old one unchanged.
func TestFileDiscarded(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"f": "old"})
	err := WriteFile("f", func(w io.Writer) error {
		_ = text("half")(w)
		return errors.New("fault")
	})
	if got := tree(t, "."); err == nil || err.Error() != "f: fault" || !slices.Equal(got, []string{"f=old"}) {
		t.Errorf("failed write: got error %v and files %q, want the writer's error and the old file", err, got)
	}
}

func TestFileKeepsPermissions(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"f": "old"})
	if err := os.Chmod("f", 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile("f", text("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("f"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got mode %v (error %v), want 0640 as before", info.Mode(), err)
	}
}

// Pipes and devices receive the bytes and are not replaced. Sockets are rejected.
func TestPipesAndDevices(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	var got []byte
	var reader sync.WaitGroup
	reader.Go(func() { got, _ = os.ReadFile("pipe") })
	if err := WriteFile("pipe", text("new")); err != nil {
		t.Fatal(err)
	}
	reader.Wait()
	if string(got) != "new" {
		t.Errorf("got content %q, want new", got)
	}
	for name, want := range map[string]os.FileMode{"pipe": os.ModeNamedPipe, os.DevNull: os.ModeDevice | os.ModeCharDevice} {
		if err := WriteFile(os.DevNull, text("new")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Type() != want {
			t.Errorf("%s: got mode %v (error %v), want its type unchanged", name, info.Mode(), err)
		}
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		err = syscall.Bind(socket, &syscall.SockaddrUnix{Name: "socket"})
	}
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Close(socket)
	if err := WriteFile("socket", text("new")); !IsMendable(err) || !strings.Contains(err.Error(), "socket: is a socket") {
		t.Error(err)
	}
}

// helper runs the test binary as another process, see TestMain.
func helper(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "RESULTDIR_HELPER=1")
	c.Stderr = os.Stderr
	return c
}

// unsynced is the disk of the system without flushing, for which tests need not wait.
type unsynced struct{ disk.OS }

func (unsynced) Sync(string) error { return nil }

func TestMain(m *testing.M) {
	if os.Getenv("RESULTDIR_HELPER") == "" {
		disk.Replace(unsynced{})
		os.Exit(m.Run())
	}
	if err := help(os.Args[1:]); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

// help is the main function of the other process.
func help(args []string) error {
	switch args[0] {
	case "stdout": // writes to standard output directly, then by a file name, then directly again
		os.Stdout.WriteString("before ")
		if err := WriteFile(args[1], text("new ")); err != nil {
			return err
		}
		os.Stdout.WriteString("after")
	case "write": // writes a result repeatedly
		for range 5 {
			d, err := Claim("out", testKind)
			if err == nil {
				_, err = write(d, true, "summary.json", args[1]+".csv", "runs/"+args[1]+"/summary.json")
			}
			if err != nil {
				return err
			}
		}
	case "hold": // begins a result and waits to be killed
		d, err := Claim("out", testKind)
		if err == nil {
			err = d.begin()
		}
		if err != nil {
			return err
		}
		os.Stdout.WriteString("begun\n")
		_, _ = io.ReadAll(os.Stdin)
	}
	return nil
}

// Standard output is written directly under any of its names and never replaced, even if it is
// a file. What the process prints before and after that remains.
func TestStandardOutput(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd/1"); err != nil {
		t.Skip("skipped: needs /proc")
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out.txt"} {
		f, err := os.Create("out.txt")
		if err != nil {
			t.Fatal(err)
		}
		c := helper(t, "stdout", name)
		c.Stdout = f
		if err := c.Run(); err != nil {
			t.Error(err)
		}
		f.Close()
		if got, err := os.ReadFile("out.txt"); err != nil || string(got) != "before new after" {
			t.Errorf("%s: got content %q (error %v), want \"before new after\"", name, got, err)
		}
	}
	got, err := helper(t, "stdout", "/dev/stdout").Output() // a pipe
	if err != nil || string(got) != "before new after" {
		t.Errorf("got content %q (error %v), want \"before new after\"", got, err)
	}
}

// Processes and goroutines that write to one directory take turns. The result is that of one
// of them.
func TestContention(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"out/summary.json": finished, "out/mine": "x"})
	var all sync.WaitGroup
	for _, number := range []string{"1", "2"} {
		c := helper(t, "write", number)
		all.Go(func() {
			if err := c.Run(); err != nil {
				t.Error(err)
			}
		})
	}
	for _, number := range []string{"3", "4"} {
		all.Go(func() {
			if err := help([]string{"write", number}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := tree(t, ".")
	if len(got) != 4 || got[1] != "out/mine=x" {
		t.Fatalf("got files %q, want 4 with the user's file second", got)
	}
	number := filepath.Base(filepath.Dir(strings.Split(got[2], "=")[0]))
	if want := []string{"out/" + number + ".csv=new", "out/mine=x", "out/runs/" + number + "/summary.json=" + finished, "out/summary.json=" + finished}; !slices.Equal(got, want) {
		t.Errorf("got files %q\nwant %q", got, want)
	}
}

// A killed process leaves a temporary directory, which the next process removes. The temporary
// directory of a running process remains.
func TestKilledProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	begin := func() *exec.Cmd {
		c := helper(t, "hold")
		if _, err := c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err == nil {
			_, err = out.Read(make([]byte, 6))
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	kill := func(c *exec.Cmd) {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	}
	stages := func() int {
		list, err := filepath.Glob(".out.tmp-*")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	living, killed := begin(), begin()
	kill(killed)
	d, err := Claim("out", testKind)
	if err == nil {
		_, err = write(d, true, "summary.json")
	}
	if err != nil || stages() != 1 {
		t.Errorf("got %d temporary directories (error %v), want 1", stages(), err)
	}
	kill(living)
	cleaned.Clear() // as in another process
	if _, err := write(d, true, "summary.json"); err != nil || stages() != 0 {
		t.Errorf("got %d temporary directories (error %v), want 0", stages(), err)
	}
}
