package input

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The content of standard input is read once, however often it is asked for.
func TestStdinContent(t *testing.T) {
	KeepStdin(strings.NewReader("joins"))
	for range 2 {
		err := ReadSteady(Stdin, func(r io.Reader, name string) error {
			text, err := io.ReadAll(r)
			if string(text) != "joins" || name != "standard input" {
				t.Errorf("got %q from %q, want joins from standard input", text, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A file must be the same before and after it is read, whether or not reading it failed.
func TestReadSteady(t *testing.T) {
	failure := errors.New("day.csv:2:1: the row is cut")
	for name, test := range map[string]struct {
		change func(file string) error
		want   string
	}{
		"steady": {func(string) error { return nil }, ""},
		"longer": {func(file string) error { return os.WriteFile(file, []byte("abcdef"), 0o600) }, "changed while it was read (from 3 to 6 bytes)"},
		"cut":    {func(file string) error { return os.Truncate(file, 1) }, "changed while it was read (from 3 to 1 bytes)"},
		"written": {func(file string) error { return os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)) },
			"changed while it was read (written at "},
		"removed": {os.Remove, "changed while it was read (it was removed)"},
		"replaced": {func(file string) error {
			if err := os.WriteFile(file+".new", []byte("xyz"), 0o600); err != nil {
				return err
			}
			return os.Rename(file+".new", file)
		}, "changed while it was read (another file has its name)"},
	} {
		for _, reading := range []error{nil, failure} {
			file := filepath.Join(t.TempDir(), "day.csv")
			if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := ReadSteady(file, func(io.Reader, string) error { return errors.Join(test.change(file), reading) })
			switch {
			case test.want == "" && reading == nil:
				if err != nil {
					t.Errorf("%s: got error %v, want none", name, err)
				}
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("%s: got error %v, want one that contains %q", name, err, test.want)
			case reading != nil && !errors.Is(err, reading):
				t.Errorf("%s: got error %v, want also that of reading", name, err)
			}
		}
	}
}
