// Package csvfile reads CSV that may be compressed: rows of cells, and short lists
// with columns of fixed names.
package csvfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"mmsim/datasets/internal/wording"
)

// MaxRecordBytes is the length of the longest row, including line breaks inside quotes. A
// file with longer rows is not a table of joins.
const MaxRecordBytes = 1 << 18

// MaxBlankLines is the largest number of consecutive blank lines. Exports and editors leave
// a few; a compressed file of blank lines alone could be a thousand times its size.
const MaxBlankLines = 10_000

// Row is one row of a table.
type Row struct {
	Line    int      // where it begins, from 1
	Text    []byte   // as in the file, without the final line break
	Cells   [][]byte // unquoted
	Columns []int    // where in the line each cell begins, from 1; 0 beyond the row's first line
	Lists   []bool   // which cells are lists; nil if unknown
}

// IsList reports whether a cell is a list even if it has only one item.
func (r *Row) IsList(cell int) bool { return r.Lists != nil && r.Lists[cell] }

// Current returns the row that Next read.
func (r *Reader) Current() *Row { return &r.Row }

// State returns how many lines were read, and what ended the reading.
func (r *Reader) State() (lines int, err error) { return r.LinesRead, r.Err }

// Reader splits CSV (RFC 4180) into records: rows of cells. It allocates
// nothing per record; cells stay valid until the next one. Rows without quotes,
// nearly all there are, take the fast path.
type Reader struct {
	src io.Reader

	buffer     []byte
	start, end int  // of the buffered bytes that are not yet read
	quotes     bool // the text has some, as far as it was buffered

	// Separator separates cells. It is a comma by default; with 0, Choose selects it from
	// the first row.
	Separator byte
	Choose    func(line []byte) byte

	Row
	Err       error // what ended the reading; io.EOF at the end of the file
	LinesRead int   // so far

	scratch []byte // cells that had quotes
	long    []byte // a record of several lines
}

const neverClosed = `a quote that is never closed: expected "…", a quote inside it written twice`

var quote = []byte{'"'}

// NewReader returns a reader of the plain text of a file.
func NewReader(src io.Reader) *Reader {
	return &Reader{src: src, Separator: ',', buffer: make([]byte, MaxRecordBytes)}
}

// errTooLong says that a record is longer than MaxRecordBytes.
var errTooLong = Damage(fmt.Sprintf("the row is longer than %d bytes (MaxRecordBytes): expected CSV", MaxRecordBytes))

// errBlank says that more than MaxBlankLines follow each other.
var errBlank = Damage(fmt.Sprintf("more than %d blank lines follow each other (MaxBlankLines): expected rows", MaxBlankLines))

// Next reads the next record that is not blank. It returns false at the end of the file, and
// if the file cannot be read further: then Err is not io.EOF. After a malformed record, the
// next call continues with the following one.
func (r *Reader) Next() (bool, *Fault) {
	line, ok := r.NextLine()
	if !ok {
		return false, nil
	}
	r.Line, r.Text = r.LinesRead, line
	if r.Separator == 0 {
		r.Separator = r.Choose(line)
	}
	if r.quotes && bytes.IndexByte(line, '"') >= 0 {
		return true, r.splitQuoted()
	}
	r.split(line)
	return true, nil
}

// NextLine reads the next line that is not blank, without its line break. The line stays
// valid until the next call. It returns false as Next does.
func (r *Reader) NextLine() ([]byte, bool) {
	for blank := 0; ; blank++ {
		if blank > MaxBlankLines {
			r.Err = errBlank
			r.LinesRead-- // the error belongs to the last line read
			return nil, false
		}
		line, ok := r.readLine()
		if !ok {
			return nil, false
		}
		if r.LinesRead == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(line) > 0 {
			return line, true
		}
	}
}

// First returns the first character of the file that is not a blank, or 0 if the first
// buffer has none. It consumes nothing.
func (r *Reader) First() byte {
	for {
		text := bytes.TrimPrefix(r.buffer[r.start:r.end], []byte(byteOrderMark))
		if text = bytes.TrimLeft(text, " \t\r\n"); len(text) > 0 {
			return text[0]
		}
		if r.Err != nil || r.end == len(r.buffer) {
			return 0
		}
		r.fill()
	}
}

// fill reads on into the buffer.
func (r *Reader) fill() {
	n, err := r.src.Read(r.buffer[r.end:])
	r.quotes = r.quotes || bytes.IndexByte(r.buffer[r.end:r.end+n], '"') >= 0
	r.end += n
	r.Err = err
}

// readLine returns the next line without its line break, which may be LF or
// CR LF.
func (r *Reader) readLine() ([]byte, bool) {
	searched := r.start
	for {
		if i := bytes.IndexByte(r.buffer[searched:r.end], '\n'); i >= 0 {
			line := r.buffer[r.start : searched+i]
			r.start = searched + i + 1
			r.LinesRead++
			return withoutCR(line), true
		}
		searched = r.end
		if r.Err == nil && r.end == len(r.buffer) {
			if r.start == 0 {
				r.Err = errTooLong
			}
			copy(r.buffer, r.buffer[r.start:r.end])
			searched -= r.start
			r.start, r.end = 0, r.end-r.start
		}
		if r.Err != nil {
			if !errors.Is(r.Err, io.EOF) || r.start == r.end {
				return nil, false
			}
			line := r.buffer[r.start:r.end] // the last line has no line break
			r.start = r.end
			r.LinesRead++
			return withoutCR(line), true
		}
		r.fill()
	}
}

// withoutCR removes the CR of a CR LF. bytes.TrimSuffix calls memequal even for one byte.
func withoutCR(line []byte) []byte {
	if last := len(line) - 1; last >= 0 && line[last] == '\r' {
		return line[:last]
	}
	return line
}

// split cuts a line without quotes at its separators.
func (r *Reader) split(line []byte) {
	cells, columns := r.Cells[:0], r.Columns[:0]
	for start := 0; start <= len(line); {
		end := start
		for end < len(line) && line[end] != r.Separator { // faster than bytes.IndexByte in short cells
			end++
		}
		cells = append(cells, line[start:end:end])
		columns = append(columns, start+1)
		start = end + 1
	}
	r.Cells, r.Columns = cells, columns
}

// splitQuoted splits a record with quotes, which may continue on further lines: it is
// complete when its number of quotes is even.
func (r *Reader) splitQuoted() *Fault {
	if bytes.Count(r.Text, quote)%2 != 0 {
		r.long = append(r.long[:0], r.Text...)
		for open := true; open; {
			line, ok := r.readLine()
			if !ok || len(r.long)+len(line) >= MaxRecordBytes {
				r.Text = r.long
				return &Fault{bytes.IndexByte(r.long, '"') + 1, neverClosed}
			}
			r.long = append(append(r.long, '\n'), line...)
			open = bytes.Count(line, quote)%2 == 0
		}
		r.Text = r.long
	}
	r.Cells, r.Columns, r.scratch = r.Cells[:0], r.Columns[:0], r.scratch[:0]
	if cap(r.scratch) < len(r.Text) { // cells point into it: it must not move
		r.scratch = make([]byte, 0, 2*len(r.Text))
	}
	firstLine := len(r.Text)
	if i := bytes.IndexByte(r.Text, '\n'); i >= 0 {
		firstLine = i
	}
	for at := 0; ; at++ {
		column := at + 1
		if at > firstLine {
			column = 0
		}
		cell, end, message := r.cell(at)
		if message != "" {
			return &Fault{column, message}
		}
		r.Cells = append(r.Cells, cell)
		r.Columns = append(r.Columns, column)
		if at = end; at == len(r.Text) {
			return nil
		}
	}
}

// cell reads the cell at an offset of the record and returns its end: a separator or the end
// of the record.
func (r *Reader) cell(at int) (cell []byte, end int, message string) {
	rest := r.Text[at:]
	if len(rest) == 0 || rest[0] != '"' {
		end := bytes.IndexByte(rest, r.Separator)
		if end < 0 {
			end = len(rest)
		}
		if bytes.IndexByte(rest[:end], '"') >= 0 {
			return nil, 0, "a quote inside " + wording.Quoted(rest[:end]) + ": expected the whole cell in quotes and the quote written twice"
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
		case i+1 == len(rest) || rest[i+1] == r.Separator:
			return r.scratch[begin:len(r.scratch):len(r.scratch)], at + i + 1, ""
		default:
			return nil, 0, "text after the closing quote of a cell: expected a comma, or whatever separates cells"
		}
	}
	return nil, 0, neverClosed
}
