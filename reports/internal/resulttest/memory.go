package resulttest

import (
	"bytes"
	"io"
	"testing"
	"testing/fstest"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Memory is a result directory in memory.
type Memory map[string]*bytes.Buffer

// Create creates a file. It is a result.Create.
func (m Memory) Create(name string) (io.WriteCloser, error) {
	m[name] = new(bytes.Buffer)
	return NopCloser{m[name]}, nil
}

// FS returns the files as a file system to read from.
func (m Memory) FS() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range m {
		files[name] = &fstest.MapFile{Data: text.Bytes()}
	}
	return files
}

// Written writes a result and returns its files.
func Written(t testing.TB, r *result.Result) Memory {
	t.Helper()
	files := Memory{}
	if err := r.Write(files.Create); err != nil {
		t.Fatal(err)
	}
	return files
}

// Faulty is a file for writing. Writes return Err if Fail is true. Close decrements Open, the
// number of open files.
type Faulty struct {
	Fail bool
	Err  error
	Open *int
}

func (f *Faulty) Write(b []byte) (int, error) {
	if f.Fail {
		return 0, f.Err
	}
	return len(b), nil
}

func (f *Faulty) Close() error {
	*f.Open--
	return nil
}

// NopCloser adds a Close method that does nothing to a writer.
type NopCloser struct{ io.Writer }

func (NopCloser) Close() error { return nil }

// Aggregate returns the aggregate of the results' summaries.
func Aggregate(results ...*result.Result) *outcome.Summary {
	var runs []*outcome.Summary
	for _, r := range results {
		r.Summary.MarkUnmeasured() // tests clear blocks
		runs = append(runs, &r.Summary)
	}
	return outcome.Aggregate(runs)
}
