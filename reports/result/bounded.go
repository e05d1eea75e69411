package result

import (
	"bufio"
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

// boundedRows reads the text of a table line by line. It returns an error after MaxTableRows lines or in a
// line longer than MaxRowBytes, because 2 MB of gzip can contain 2 GB of blank lines. A row must
// be a single line; otherwise encoding/csv would read a quote that is never closed to the end of
// the file.
type boundedRows struct {
	from *bufio.Reader
	file string
	line int    // number of the last line
	rest []byte // of the last line
}

func newBoundedRows(from io.Reader, file string) *boundedRows {
	return &boundedRows{from: bufio.NewReaderSize(from, MaxRowBytes+1), file: file}
}

func (b *boundedRows) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		line, err := b.from.ReadSlice('\n')
		if len(line) == 0 {
			return 0, err
		}
		b.line++
		text, isWhole := bytes.CutSuffix(line, []byte{'\n'})
		switch {
		case len(text) > MaxRowBytes:
			return 0, fmt.Errorf("%s:%d:1: the row is longer than %d bytes (limit MaxRowBytes), expected a table", b.file, b.line, MaxRowBytes)
		case isWhole && bytes.Count(text, []byte{'"'})%2 != 0:
			return 0, fmt.Errorf("%s:%d:1: a quote is not closed in its row, expected a table", b.file, b.line)
		case b.line > MaxTableRows+1: // one more for the column names
			return 0, fmt.Errorf("%s:%d:1: more than %d rows (limit MaxTableRows), expected a table of a run", b.file, b.line, MaxTableRows)
		}
		b.rest = line
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}
