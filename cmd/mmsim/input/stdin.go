package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// Stdin is the name of standard input where a file is expected.
const Stdin = "-"

// StdinShown is the name of standard input in messages.
const StdinShown = "standard input"

// MaxStdinBytes is the maximum size of data on standard input, which must be in memory as a whole.
const MaxStdinBytes = 4 << 30

// standard is the content of standard input. It is one per process, like standard input itself.
var standard atomic.Pointer[keptInput]

// keptInput is a stream that is read once, when it is first needed, and then kept for all runs,
// configurations and workers.
type keptInput struct {
	from io.Reader
	once sync.Once
	text []byte
	err  error
}

// KeepStdin sets the stream that the name Stdin stands for.
func KeepStdin(from io.Reader) { standard.Store(&keptInput{from: from}) }

// StdinContent returns all of standard input. The error begins with its name.
func StdinContent() ([]byte, error) {
	k := standard.Load()
	if k == nil {
		return nil, errors.New(StdinShown + ": not connected")
	}
	k.once.Do(func() {
		if f, ok := k.from.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
				k.err = errors.New(StdinShown + ": a terminal, expected data from a file or a pipe, as in \"mmsim run --dataset - < day.csv\"")
				return
			}
		}
		k.text, k.err = io.ReadAll(io.LimitReader(k.from, MaxStdinBytes+1))
		switch {
		case k.err != nil:
			k.text, k.err = nil, Error(StdinShown, k.err)
		case len(k.text) > MaxStdinBytes:
			k.text, k.err = nil, fmt.Errorf("%s: more than %d MiB (limit MaxStdinBytes), expected a file", StdinShown, MaxStdinBytes>>20)
		}
	})
	return k.text, k.err
}

// ReadSteady opens a file, passes it to read, and returns an error if the file changed meanwhile,
// because read has then seen parts of two files, or one that is not complete. It compares size and
// time, which a program that writes to a file changes, and whether the name still means that file.
// A pipe cannot be compared. The file may be Stdin.
func ReadSteady(file string, read func(r io.Reader, name string) error) error {
	if file == Stdin {
		text, err := StdinContent()
		if err != nil {
			return err
		}
		return read(bytes.NewReader(text), StdinShown)
	}
	name := Shown(file)
	f, err := os.Open(file)
	if err != nil {
		return Error(name, err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return Error(name, err)
	}
	err = ReaderError(name, read(f, name))
	if !before.Mode().IsRegular() {
		return err
	}
	if change := changed(file, before); change != "" {
		changed := fmt.Errorf("%s: changed while it was read (%s), expected a file that no program writes to; copy it first", name, change)
		return errors.Join(err, changed)
	}
	return err
}

// changed describes how a file differs from its earlier state, or returns "".
func changed(file string, before fs.FileInfo) string {
	after, err := os.Stat(file)
	switch {
	case err != nil:
		return "it was removed"
	case !os.SameFile(before, after):
		return "another file has its name"
	case before.Size() != after.Size():
		return fmt.Sprintf("from %d to %d bytes", before.Size(), after.Size())
	case !before.ModTime().Equal(after.ModTime()):
		return "written at " + after.ModTime().Format("15:04:05.000")
	}
	return ""
}
