package joinfile

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// endless repeats a text forever and counts the bytes that were read.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.text[(e.read+n)%len(e.text):])
	}
	e.read += n
	return n, nil
}

// After the first error, reading stops within a few megabytes in any compression format, because
// the rest may be endless.
func TestReadStopsAtTheFirstError(t *testing.T) {
	const far = 4 << 20 // buffers and decoder windows may read ahead this far
	for name, compress := range map[string]func(io.Writer) io.WriteCloser{
		"plain": func(w io.Writer) io.WriteCloser { return nopCloser{w} },
		"gzip":  func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			e, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return e
		},
	} {
		for label, read := range map[string]func(io.Reader) error{
			"day":         func(r io.Reader) error { _, err := Read(r, "x.csv", Options{}); return err },
			"datacenters": func(r io.Reader) error { _, err := datasets.ReadDatacenters(r, "x.csv"); return err },
		} {
			var bad bytes.Buffer
			w := compress(&bad)
			if _, err := io.WriteString(w, "12:00:00,1,2\nnoon,1,2\n"+strings.Repeat("\n", 100)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			before := runtime.NumGoroutine()
			tail := &endless{text: bad.String()}
			var fault *tables.Error
			if err := read(io.MultiReader(bytes.NewReader(bad.Bytes()), tail)); !errors.As(err, &fault) || fault.Line > 2 {
				t.Errorf("%s, %s: got %v, want an error in line 1 or 2", label, name, err)
			}
			if tail.read > far {
				t.Errorf("%s, %s: got %d bytes read after the error, want reading to stop", label, name, tail.read)
			}
			if n := runtime.NumGoroutine(); n > before {
				t.Errorf("%s, %s: got %d goroutines, want at most %d as before reading", label, name, n, before)
			}
		}
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// A file of blank lines is refused long before its end.
func TestReadLimitsBlankLines(t *testing.T) {
	for name, test := range map[string]struct {
		head, blank string
		read        func(io.Reader) error
		want        string
	}{
		"day": {"12:00:00,1,2\n", "\r\n", func(r io.Reader) error { _, err := Read(r, "x.csv", Options{}); return err },
			"x.csv:10002:1: more than 10000 consecutive blank lines (MaxBlankLines): expected rows"},
		"day without a row": {"", "\n", func(r io.Reader) error { _, err := Read(r, "x.csv", Options{}); return err },
			"x.csv:10001:1: more than 10000 consecutive blank lines (MaxBlankLines): expected rows"},
		"tolerant": {"12:00:00,1,2\n", "\n", func(r io.Reader) error { _, err := Read(r, "x.csv", Options{MaxBadRows: 1e9}); return err },
			"x.csv:10002:1: more than 10000 consecutive blank lines (MaxBlankLines): expected rows"},
		"datacenters": {"1,a,2,3\n", "\n", func(r io.Reader) error { _, err := datasets.ReadDatacenters(r, "x.csv"); return err },
			"x.csv:10002:1: more than 10000 consecutive blank lines (MaxBlankLines): expected rows"},
		"spaces": {"1,a,2,3\n", " \n", func(r io.Reader) error { _, err := datasets.ReadDatacenters(r, "x.csv"); return err },
			"x.csv:10002:1: more than 10000 consecutive blank lines (MaxBlankLines): expected rows"},
	} {
		if err := test.read(io.MultiReader(strings.NewReader(test.head), &endless{text: test.blank})); err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", name, err, test.want)
		}
		atMost := test.head + strings.Repeat(test.blank, tables.MaxBlankLines) + test.head
		if err := test.read(strings.NewReader(atMost)); err != nil && strings.Contains(err.Error(), "tables.MaxBlankLines") {
			t.Errorf("%s: %d blank lines, the maximum: got error %v, want them accepted", name, tables.MaxBlankLines, err)
		}
	}
}

// A limit on stored data ends the reading, regardless of how many malformed rows are allowed. The
// test sets the counters, because reading so much would take minutes.
func TestReadLimits(t *testing.T) {
	for _, test := range []struct {
		full func(*dayReader)
		want string
	}{
		{func(d *dayReader) { d.maxRows = 1 }, "day.csv:3:1: more than 1 joins (MaxRows): expected fewer rows"},
		{func(d *dayReader) { d.maxCells = 0 }, "day.csv:3:1: more than 0 cells of attributes (MaxCells): expected fewer rows or columns"},
		{func(d *dayReader) { d.header.textBytes = MaxTextBytes + 1 },
			"day.csv:3:1: more than 2147483648 bytes of different texts (MaxTextBytes): expected shorter or fewer ones"},
	} {
		d := newDayReader("day.csv", &Options{MaxBadRows: 1e9})
		d.open(tables.NewCSV(strings.NewReader("time,latitude,longitude,name\n1,1,2,a\n2,1,2,b\n")))
		if err := d.readFirst(); err != nil {
			t.Fatal(err)
		}
		if ok, f := d.table.Next(); !ok || f != nil || d.addRow() != nil {
			t.Fatal("reading the first row failed, want it accepted")
		}
		if message := d.full(); message != "" {
			t.Fatalf("the row is at the limit, want it accepted, got: %s", message)
		}
		test.full(d)
		if err := d.readRows(); err == nil || err.Error() != test.want {
			t.Errorf("got error %v, want %s", err, test.want)
		}
	}
	wide := "time,latitude,longitude" + strings.Repeat(",x", MaxColumns)
	if _, err := Read(strings.NewReader(wide), "day.csv", Options{}); err == nil ||
		err.Error() != "day.csv:1:2067: 1027 columns: expected at most 1024 (MaxColumns)" {
		t.Errorf("got error %v, want the limit of 1024 columns", err)
	}
}

// The distinct texts of all columns are counted: ab, c and the list x;y with two items.
func TestTextBytes(t *testing.T) {
	d := newDayReader("day.csv", &Options{})
	d.open(tables.NewCSV(strings.NewReader("time,latitude,longitude,name,maps\n1,1,2,ab,x;y\n2,1,2,ab,x;y\n3,1,2,c,x;y\n")))
	if err := d.readAll(); err != nil {
		t.Fatal(err)
	}
	if want := 2 + 1 + 3 + 2*16; d.header.textBytes != want {
		t.Errorf("got %d bytes of texts, want %d", d.header.textBytes, want)
	}
}
