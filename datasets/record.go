package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxRecordBytes is the longest row a file may have, its line breaks inside
// quotes included. Whatever is longer is no table of joins.
const MaxRecordBytes = 1 << 18

// MaxBlankLines is how many blank lines may follow each other. Exports and editors leave
// a few; a file of nothing else compresses a thousand times and would be read to its end.
const MaxBlankLines = 10_000

// recordReader splits CSV (RFC 4180) into records: rows of cells. It allocates
// nothing per record; cells stay valid until the next one. Rows without quotes,
// nearly all there are, take the fast path.
type recordReader struct {
	src io.Reader
	err error // what ended src; io.EOF at the end of the file

	buffer     []byte
	start, end int // of what is buffered and not yet read
	nextLine   int // number of lines read so far

	line    int      // where the record begins
	text    []byte   // the record as it stands in the file, without its last line break
	cells   [][]byte // unquoted
	columns []int    // where in the line each cell begins, from 1; 0 beyond the record's first line
	scratch []byte   // cells that had quotes
	long    []byte   // a record of several lines
}

const neverClosed = `a quote that is never closed: expected "…", a quote inside it written twice`

var quote = []byte{'"'}

func newRecordReader(src io.Reader) *recordReader {
	return &recordReader{src: src, buffer: make([]byte, MaxRecordBytes)}
}

// errTooLong says that a record is longer than MaxRecordBytes.
var errTooLong = damage(fmt.Sprintf("the row is longer than %d bytes (MaxRecordBytes): expected CSV", MaxRecordBytes))

// errBlank says that more than MaxBlankLines follow each other.
var errBlank = damage(fmt.Sprintf("more than %d blank lines follow each other (MaxBlankLines): expected rows", MaxBlankLines))

// next reads the next record that is not blank. It returns false at the end of
// the file and when the file cannot be read further: then err is not io.EOF.
// After the fault of a malformed record the next call goes on behind it.
func (r *recordReader) next() (bool, *fault) {
	for blank := 0; ; blank++ {
		if blank > MaxBlankLines {
			r.err = errBlank
			r.nextLine-- // the error is that of the last line read
			return false, nil
		}
		line, ok := r.readLine()
		if !ok {
			return false, nil
		}
		if r.nextLine == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		r.line, r.text = r.nextLine, line
		if len(line) == 0 {
			continue
		}
		if bytes.IndexByte(line, '"') >= 0 {
			return true, r.splitQuoted()
		}
		r.split(line)
		return true, nil
	}
}

// readLine returns the next line without its line break, which may be LF or
// CR LF.
func (r *recordReader) readLine() ([]byte, bool) {
	searched := r.start
	for {
		if i := bytes.IndexByte(r.buffer[searched:r.end], '\n'); i >= 0 {
			line := r.buffer[r.start : searched+i]
			r.start = searched + i + 1
			r.nextLine++
			return bytes.TrimSuffix(line, []byte("\r")), true
		}
		searched = r.end
		if r.err == nil && r.end == len(r.buffer) {
			if r.start == 0 {
				r.err = errTooLong
			}
			copy(r.buffer, r.buffer[r.start:r.end])
			searched -= r.start
			r.start, r.end = 0, r.end-r.start
		}
		if r.err != nil {
			if !errors.Is(r.err, io.EOF) || r.start == r.end {
				return nil, false
			}
			line := r.buffer[r.start:r.end] // the last line has no line break
			r.start = r.end
			r.nextLine++
			return bytes.TrimSuffix(line, []byte("\r")), true
		}
		n, err := r.src.Read(r.buffer[r.end:])
		r.end += n
		r.err = err
	}
}

// split cuts a line without quotes at its commas.
func (r *recordReader) split(line []byte) {
	r.cells, r.columns = r.cells[:0], r.columns[:0]
	start := 0
	for i, c := range line {
		if c == ',' {
			r.cells = append(r.cells, line[start:i:i])
			r.columns = append(r.columns, start+1)
			start = i + 1
		}
	}
	r.cells = append(r.cells, line[start:])
	r.columns = append(r.columns, start+1)
}

// splitQuoted cuts a record with quotes, fetching the lines that it goes on for:
// it is complete when its number of quotes is even.
func (r *recordReader) splitQuoted() *fault {
	if bytes.Count(r.text, quote)%2 != 0 {
		r.long = append(r.long[:0], r.text...)
		for open := true; open; {
			line, ok := r.readLine()
			if !ok || len(r.long)+len(line) >= MaxRecordBytes {
				r.text = r.long
				return &fault{bytes.IndexByte(r.long, '"') + 1, neverClosed}
			}
			r.long = append(append(r.long, '\n'), line...)
			open = bytes.Count(line, quote)%2 == 0
		}
		r.text = r.long
	}
	r.cells, r.columns, r.scratch = r.cells[:0], r.columns[:0], r.scratch[:0]
	if cap(r.scratch) < len(r.text) { // cells point into it: it must not move
		r.scratch = make([]byte, 0, 2*len(r.text))
	}
	firstLine := len(r.text)
	if i := bytes.IndexByte(r.text, '\n'); i >= 0 {
		firstLine = i
	}
	for at := 0; ; at++ {
		column := at + 1
		if at > firstLine {
			column = 0
		}
		cell, end, message := r.cell(at)
		if message != "" {
			return &fault{column, message}
		}
		r.cells = append(r.cells, cell)
		r.columns = append(r.columns, column)
		if at = end; at == len(r.text) {
			return nil
		}
	}
}

// cell reads the cell that begins at an offset of the record, and returns where
// it ends, which is at a comma or at the end.
func (r *recordReader) cell(at int) (cell []byte, end int, message string) {
	rest := r.text[at:]
	if len(rest) == 0 || rest[0] != '"' {
		end := bytes.IndexByte(rest, ',')
		if end < 0 {
			end = len(rest)
		}
		if bytes.IndexByte(rest[:end], '"') >= 0 {
			return nil, 0, "a quote inside " + quoted(rest[:end]) + ": expected the whole cell in quotes and the quote written twice"
		}
		return rest[:end], at + end, ""
	}
	begin := len(r.scratch)
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] != '"':
			r.scratch = append(r.scratch, rest[i])
		case i+1 < len(rest) && rest[i+1] == '"':
			r.scratch = append(r.scratch, '"')
			i++
		case i+1 == len(rest) || rest[i+1] == ',':
			return r.scratch[begin:len(r.scratch):len(r.scratch)], at + i + 1, ""
		default:
			return nil, 0, "text after the closing quote of a cell: expected a comma"
		}
	}
	return nil, 0, neverClosed
}
