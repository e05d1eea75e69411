package result

import (
	"bytes"
	"fmt"
	"io"
)

// Limits on the files that are read from a result directory.
const (
	// MaxTableRows limits the rows of a table. The series of the longest possible run has 527,040
	// minutes, and a time-lapse has up to 900,000 cells.
	MaxTableRows = 1_000_000

	// MaxRowBytes limits the size of a row. The longest cell is the name of a datacenter. It is
	// short, because it is also part of a file name.
	MaxRowBytes = 4096
)

// boundedRows reads the text of a table. It returns an error after MaxTableRows lines or in a
// line longer than MaxRowBytes, because 2 MB of gzip can contain 2 GB of blank lines. A row must
// be a single line; otherwise encoding/csv would read a quote that is never closed to the end of
// the file.
type boundedRows struct {
	from   io.Reader
	file   string
	lines  int // complete lines
	length int // of the current line
	quotes int // in the current line
}

func (b *boundedRows) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	for at := 0; at < n; {
		line, next := p[at:n], n
		end := bytes.IndexByte(line, '\n')
		if end >= 0 {
			line, next = line[:end], at+end+1
		}
		b.length += len(line)
		b.quotes += bytes.Count(line, []byte{'"'})
		if end >= 0 {
			b.lines++
		}
		if fault := b.fault(end >= 0); fault != nil {
			return at, fault
		}
		if end >= 0 {
			b.length, b.quotes = 0, 0
		}
		at = next
	}
	return n, err
}

// fault returns an error if the current line exceeds a limit. ended is true if the line is
// complete.
func (b *boundedRows) fault(ended bool) error {
	line := b.lines
	if !ended {
		line++
	}
	switch {
	case b.length > MaxRowBytes:
		return fmt.Errorf("%s:%d:1: the row is longer than %d bytes (limit MaxRowBytes), expected a table", b.file, line, MaxRowBytes)
	case ended && b.quotes%2 != 0:
		return fmt.Errorf("%s:%d:1: a quote is not closed in its row, expected a table", b.file, line)
	case line > MaxTableRows+1: // one more for the column names
		return fmt.Errorf("%s:%d:1: more than %d rows (limit MaxTableRows), expected a table of a run", b.file, line, MaxTableRows)
	}
	return nil
}
