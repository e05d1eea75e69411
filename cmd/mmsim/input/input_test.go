//go:build unix

package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	limit := Limit{Name: "MaxTestBytes", Bytes: 1 << 20, Expected: "a test"}
	for size, want := range map[int]string{
		0: "", 1 << 20: "",
		1<<20 + 1: file + ": larger than 1 MiB (limit MaxTestBytes), expected a test",
	} {
		if err := os.WriteFile(file, []byte(strings.Repeat("x", size)), 0o666); err != nil {
			t.Fatal(err)
		}
		text, err := ReadFile(file, limit)
		if want == "" && (err != nil || len(text) != size) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%d bytes: got %d bytes read and error %v, want error %q", size, len(text), err, want)
		}
	}
	if _, err := ReadFile("nowhere.yaml", limit); err == nil || err.Error() != "nowhere.yaml: no such file or directory" {
		t.Errorf("a missing file: got error %v, want that it does not exist", err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil { // endless, but reading is limited
		if _, err := ReadFile("/dev/zero", limit); err == nil || !strings.Contains(err.Error(), "MaxTestBytes") {
			t.Errorf("an endless file: got error %v, want the limit MaxTestBytes", err)
		}
	}
}

// A pipe in a folder is rejected without opening it, which would block. Links to pipes, and
// devices, are rejected too.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip("skipped: cannot create a named pipe: ", err)
	}
	for name, target := range map[string]string{"link to pipe": "pipe", "link to device": "/dev/zero", "link": "file", "dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"pipe": "a named pipe, expected a regular file", "link to pipe": "a named pipe, expected a regular file",
		"link to device": "a device, expected a regular file", "folder": "a folder, expected a regular file",
		"file": "", "link": "", "dangling": "no such file or directory", "nowhere": "no such file or directory",
	} {
		text, err := fs.ReadFile(Folder(dir), name)
		if want == "" {
			if err != nil || string(text) != "text" || CheckRegular(filepath.Join(dir, name)) != nil {
				t.Errorf("%s: got %q (error %v), want the text, and the file accepted as regular", name, text, err)
			}
			continue
		}
		var detail *fs.PathError
		if !errors.As(err, &detail) || detail.Path != name && name != "folder" || name != "folder" && detail.Err.Error() != want {
			t.Errorf("%s: ReadFile: got error %v, want %s", name, err, want)
		}
		if err := CheckRegular(filepath.Join(dir, name)); err == nil || err.Error() != filepath.Join(dir, name)+": "+want {
			t.Errorf("%s: CheckRegular: got error %v, want %s", name, err, want)
		}
	}
	if entries, err := fs.ReadDir(Folder(dir), "."); err != nil || len(entries) != 7 {
		t.Errorf("got directory entries %v (error %v), want 7", entries, err)
	}
}

// The total size is known if all files are regular.
func TestTotalSize(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, size := range map[string]int{"a": 5, "b": 7, "empty": 0} {
		if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		files []string
		want  int64
	}{{nil, 0}, {[]string{"a", "b", "empty"}, 12}, {[]string{"a", "-"}, 0}, {[]string{"a", "."}, 0}, {[]string{"a", "missing"}, 0}} {
		if got := TotalSize(test.files); got != test.want {
			t.Errorf("TotalSize(%q): got %d bytes, want %d", test.files, got, test.want)
		}
	}
}
