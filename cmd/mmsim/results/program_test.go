package results

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
)

func write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// Which folders are sent, and what of them.
func TestPackProgram(t *testing.T) {
	t.Setenv("HOME", filepath.Join(t.TempDir(), "above", "home"))
	home := os.Getenv("HOME")
	fill := func(files ...string) string {
		dir := t.TempDir()
		for _, name := range files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, name), "x", 0o600)
		}
		return dir
	}
	many := make([]string, ProgramFilesMax+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	linked, large := fill("a"), fill("a")
	if err := os.Symlink(filepath.Join(linked, "a"), filepath.Join(linked, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(large, "a"), ProgramBytesMax+1); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		about, folder string
		want          string // names of the files, or a part of the error
	}{
		{"files in folders", fill("b/c/d", "a", "b/__init__.py"), "a b/__init__.py b/c/d"},
		{"hidden files", fill("a", ".git/config", ".secret", "b/.cache/x"), "a"},
		{"results", fill("a", "out/summary.json", "out/"+resultdir.ListFile, "out/runs/1/summary.json"), "a"},
		{"as many files as may be", fill(many[:ProgramFilesMax]...), "0 1 10 100 101"},
		{"one file more", fill(many...), "it has more than 1000 files"},
		{"a large file", large, "it has more than 1000 files or 8 MiB"},
		{"a link", linked, "it has link, which is a link"},
		{"the home folder", home, "it contains the home folder"},
		{"a folder above", filepath.Dir(home), "it contains the home folder"},
		{"the root", "/", "it contains the home folder"},
	} {
		got := ""
		content, err := PackProgram(test.folder)
		if err != nil {
			got = err.Error()
		} else {
			z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				got += f.Name + " "
			}
			if got = strings.TrimSpace(got); len(z.File) < 10 && got != test.want {
				t.Errorf("%s: got files %q, want %q", test.about, got, test.want)
			}
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// Equal folders have equal archives, and what is unpacked has the contents and is a program if it was one.
func TestPackedPrograms(t *testing.T) {
	t.Parallel()
	pack := func() []byte {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "program"), "text", 0o700)
		write(t, filepath.Join(dir, "data"), "more", 0o600)
		content, err := PackProgram(dir)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	content := pack()
	if !bytes.Equal(content, pack()) {
		t.Error("got different archives of equal folders")
	}
	dir := t.TempDir()
	if err := unpack(content, dir, input.Limit{Bytes: 8}, 0o111); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		text    string
		program bool
	}{"program": {"text", true}, "data": {"more", false}} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		info, statErr := os.Stat(filepath.Join(dir, name))
		if err != nil || statErr != nil || string(text) != want.text || (info.Mode()&0o100 != 0) != want.program {
			t.Errorf("%s: got %q, mode %v (errors %v, %v), want %+v", name, text, info.Mode(), err, statErr, want)
		}
	}
	if err := unpack(content, t.TempDir(), input.Limit{Name: "seven", Bytes: 7}, 0); err == nil || !strings.Contains(err.Error(), "limit seven") {
		t.Errorf("got error %v, want the limit", err)
	}
}
