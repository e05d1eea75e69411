package workers

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// The folder of a program travels with the job. A worker in another folder starts it there, with the
// files that it reads.
func TestProgramsTravel(t *testing.T) {
	t.Parallel()
	here, empty := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(here, "bots", "lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("#!/bin/sh\n. ./bots/lib/version\nexec '%s' %s first \"$version\"\n", os.Args[0], asMatchmaker)
	writeProgram(t, filepath.Join(here, "bots", "program"), []byte(text))
	write(t, filepath.Join(here, "bots", "lib", "version"), "version=7\n")
	c := small(t, "matcher.external=exec:bots/program", "matcher.folder="+here)
	want, err := simulate(t, t.Context(), nil, 3, c)
	if err != nil {
		t.Fatal(err)
	}
	p, url := open(t, Options{})
	w := startIn(t, empty, url, allowExec+"=1")
	got, err := simulate(t, t.Context(), p, 3, c)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got error %v and outcomes of the worker\n%.2000q\nwant\n%.2000q\n%s", err, got, want, w.log.String())
	}
	if entries, err := os.ReadDir(empty); err != nil || len(entries) > 0 {
		t.Errorf("got files %v (error %v) in the worker's folder, want none", entries, err)
	}
}

// If the folder of a program is not sent and no worker has it, the command names the folder, the reason
// and the cure.
func TestProgramAboveLimit(t *testing.T) {
	t.Parallel()
	here := t.TempDir()
	program(t, here, "1")
	write(t, filepath.Join(here, "large"), strings.Repeat("x", results.ProgramBytesMax))
	p, url := open(t, Options{quiet: time.Second})
	startIn(t, t.TempDir(), url, allowExec+"=1")
	_, err := simulate(t, t.Context(), p, 1, asking(t, here))
	for _, part := range []string{"./program: cannot be started", "start the worker in the folder that holds program, which was not sent: it has more than 1000 files or 8 MiB"} {
		if !input.IsBad(err) || !strings.Contains(err.Error(), part) {
			t.Errorf("got error %v, want bad input with %q", err, part)
		}
	}
	if output := p.Err.(*log).String(); strings.Count(output, here+" is not sent to workers: ") != 1 {
		t.Errorf("got output %s, want the folder that is not sent, once", output)
	}
}

// Without --allow-exec, no file that a worker gets is a program. It takes no folder above the limit, and no
// file outside of its folder.
func TestHostilePrograms(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	temp := t.TempDir()
	archive := func(name string, mode fs.FileMode, declared uint64) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		content := make([]byte, 5)
		h := &zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE(content), CompressedSize64: 5, UncompressedSize64: declared}
		h.SetMode(mode)
		w, err := z.CreateRaw(h)
		if err == nil {
			_, err = w.Write(content)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for i, test := range []struct {
		about   string
		content []byte
		bytes   int64 // 0 for the size of content
		allow   bool
		want    string // "" for no error
	}{
		{"fine", archive("a/b", 0o777, 5), 0, true, ""},
		{"not allowed", archive("a/b", 0o777, 5), 0, false, ""},
		{"a name with ..", archive("../escaped", 0o666, 5), 0, true, "../escaped"},
		{"a name from the root", archive("/escaped", 0o666, 5), 0, true, "/escaped"},
		{"a name with .. inside", archive("a/../../escaped", 0o666, 5), 0, true, "escaped"},
		{"a link", archive("escaped", fs.ModeSymlink|0o777, 5), 0, true, "escaped"},
		{"files above the limit", archive("a", 0o666, results.ArchiveBytesMax+1), 0, true, "ArchiveBytesMax"},
		{"an archive above the limit", archive("a", 0o666, 5), 1 << 50, true, "ArchiveBytesMax"},
		{"no archive", []byte("no archive"), 0, true, "zip"},
	} {
		f := file{Name: "../escaped", Folder: true, SHA256: hub.Hash(test.content), Bytes: test.bytes}
		if f.Bytes == 0 {
			f.Bytes = int64(len(test.content))
		}
		if err := p.hub.Upload(t.Context(), f.SHA256, bytes.NewReader(test.content)); err != nil {
			t.Fatal(err)
		}
		w := worker1(url)
		w.AllowExec = test.allow
		d := newWorkerSession(t.Context(), newWorker(*w, nil, true), hubOf(p).Session, p.hub, filepath.Join(temp, strconv.Itoa(i), "scratch")) // of its own, because it is removed in the background
		paths, err := d.inputs(t.Context(), &job{Inputs: []file{f}})
		if test.want == "" && err == nil {
			info, err := os.Stat(filepath.Join(paths[0], "a", "b"))
			if err != nil || info.Size() != 5 || (info.Mode()&0o111 != 0) != test.allow {
				t.Errorf("%s: got file %v (error %v), want 5 bytes, and a program only if allowed", test.about, info, err)
			}
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got error %v, want %q", test.about, err, test.want)
		}
		err = filepath.WalkDir(temp, func(path string, entry fs.DirEntry, err error) error {
			if strings.Contains(path, "escaped") {
				t.Errorf("%s: got file %s, want none", test.about, path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		d.end(nil)
	}
}

// Only files that a command names relative to the folder of its program make the folder travel.
func TestProgramsOfCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in", "bots"), 0o700); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(dir, "in"), "1")
	program(t, filepath.Join(dir, "in", "bots"), "1")
	program(t, dir, "1")
	p, _ := open(t, Options{})
	for command, want := range map[string]string{
		"./program":                         "program",
		"bots/program":                      "bots/program",
		"sh program":                        "program",
		"sh 'bots/program' program":         "bots/program program",
		filepath.Join(dir, "in", "program"): "",
		"../program":                        "",
		"'" + os.Args[0] + "' " + asMatchmaker + " first 1": "",
	} {
		c := small(t, "matcher.external=exec:"+command, "matcher.folder="+filepath.Join(dir, "in"))
		in, err := experiment.Load(c, experiment.NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		j, err := p.describe(in, 0)
		if err != nil {
			t.Fatal(err)
		}
		isSent := slices.ContainsFunc(j.Inputs, func(f file) bool { return f.Folder })
		if got := strings.Join(j.Programs, " "); got != want || isSent != (want != "") {
			t.Errorf("%s: got programs %q, sent %v, want %q, sent if there are some", command, got, isSent, want)
		}
	}
}
