package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxRecordBytes is the maximum length of a row, including line breaks inside quotes. A file with
// longer rows is not a table of joins.
const MaxRecordBytes = 1 << 18

// MaxBlankLines is the maximum number of consecutive blank lines. Exports and editors leave a few.
// A compressed file of blank lines could expand to a thousand times its size.
const MaxBlankLines = 10_000

// MaxColumns is the maximum number of columns in a file. This is enough for all datacenters and far
// more attributes than rules use.
const MaxColumns = 1024

// TooManyColumns returns the message about a file with n columns.
func TooManyColumns(n int) string {
	return fmt.Sprintf("%d columns: expected at most %d (MaxColumns)", n, MaxColumns)
}

// Row is one row of a table.
type Row struct {
	Line    int      // line on which the row begins, counted from 1
	Text    []byte   // as in the file, without the line break at the end
	Cells   [][]byte // without quotes
	Columns []int    // position of each cell in the line, counted from 1; 0 if not on the row's first line
	Lists   []bool   // which cells are lists; nil if unknown
}

// IsList reports whether a cell is known to be a list, even if it has only one item.
func (r *Row) IsList(cell int) bool { return r.Lists != nil && r.Lists[cell] }

// Current returns the row that Next has read.
func (r *CSV) Current() *Row { return &r.Row }

// State returns the number of lines read and the error that ended the reading.
func (r *CSV) State() (lines int, err error) { return r.LinesRead, r.Err }

// CSV splits CSV (RFC 4180) into records, which are rows of cells. It does not allocate memory
// per record, so cells are valid only until the next record. Rows without quotes, which are almost
// all rows, take a fast path.
type CSV struct {
	src io.Reader

	buffer     []byte
	start, end int  // unread part of the buffer
	quotes     bool // whether the text has contained a quote so far

	// Separator separates cells. NewCSV sets it to a comma. A caller that sets it to 0 lets
	// Choose select it from the first row.
	Separator byte
	Choose    func(line []byte) byte

	Row
	Err       error // error that ended the reading; io.EOF at the end of the file
	LinesRead int   // number of lines read so far

	scratch []byte // unquoted cells of the current record
	long    []byte // a record of several lines
}

const neverClosed = `a quote that is never closed: expected "…", a quote inside it written twice`

var quote = []byte{'"'}

// NewCSV returns a reader for plain text.
func NewCSV(src io.Reader) *CSV {
	return &CSV{src: src, Separator: ',', buffer: make([]byte, MaxRecordBytes)}
}

// errTooLong is the error for a record longer than MaxRecordBytes.
var errTooLong = Damage(fmt.Sprintf("the row is longer than %d bytes (MaxRecordBytes): expected CSV", MaxRecordBytes))

// errBlank is the error for more than MaxBlankLines consecutive blank lines.
var errBlank = Damage(fmt.Sprintf("more than %d consecutive blank lines (MaxBlankLines): expected rows", MaxBlankLines))

// Next reads the next record that is not blank. It returns false at the end of the file or if the
// file cannot be read any further, in which case Err is not io.EOF. If a record is malformed, Next
// returns a Fault, and the next call continues with the following record.
func (r *CSV) Next() (bool, *Fault) {
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

// NextLine reads the next line that is not blank, without its line break. The line is valid until
// the next call. NextLine returns false in the same cases as Next.
func (r *CSV) NextLine() ([]byte, bool) {
	for blank := 0; ; blank++ {
		if blank > MaxBlankLines {
			r.Err = errBlank
			r.LinesRead-- // the error belongs to the last line that was read
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

// First returns the first character of the file that is not a blank, or 0 if the first buffer
// contains none. It does not consume anything.
func (r *CSV) First() byte {
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

// Rest returns the text that has not been read. The reader must not be used any more.
func (r *CSV) Rest() io.Reader {
	rest := bytes.NewReader(bytes.TrimPrefix(r.buffer[r.start:r.end], []byte(byteOrderMark)))
	if r.Err != nil {
		return io.MultiReader(rest, &ended{r.Err})
	}
	return io.MultiReader(rest, r.src)
}

// ended is a reader that only returns an error.
type ended struct{ err error }

func (e *ended) Read([]byte) (int, error) { return 0, e.err }

// fill reads more bytes into the buffer.
func (r *CSV) fill() {
	n, err := r.src.Read(r.buffer[r.end:])
	r.quotes = r.quotes || bytes.IndexByte(r.buffer[r.end:r.end+n], '"') >= 0
	r.end += n
	r.Err = err
}

// readLine returns the next line without its line break, which is LF or CR LF.
func (r *CSV) readLine() ([]byte, bool) {
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

// withoutCR removes the CR of a CR LF. bytes.TrimSuffix would be slower, because it calls memequal
// even for a single byte.
func withoutCR(line []byte) []byte {
	if last := len(line) - 1; last >= 0 && line[last] == '\r' {
		return line[:last]
	}
	return line
}

// split splits a line without quotes into cells.
func (r *CSV) split(line []byte) {
	cells, columns := r.Cells[:0], r.Columns[:0]
	for start := 0; start <= len(line); {
		end := start
		for end < len(line) && line[end] != r.Separator { // faster than bytes.IndexByte for short cells
			end++
		}
		cells = append(cells, line[start:end:end])
		columns = append(columns, start+1)
		start = end + 1
	}
	r.Cells, r.Columns = cells, columns
}

// splitQuoted splits a record with quotes, which may continue on more lines. A record is complete
// when it has an even number of quotes.
func (r *CSV) splitQuoted() *Fault {
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
	if cap(r.scratch) < len(r.Text) { // cells refer to scratch, so it must not move later
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

// cell reads the cell that begins at a position. It returns the position of the separator after the
// cell, or of the end of the record. If the cell is malformed, it returns a message.
func (r *CSV) cell(at int) (cell []byte, end int, message string) {
	rest := r.Text[at:]
	if len(rest) == 0 || rest[0] != '"' {
		end := bytes.IndexByte(rest, r.Separator)
		if end < 0 {
			end = len(rest)
		}
		if bytes.IndexByte(rest[:end], '"') >= 0 {
			return nil, 0, "a quote inside " + Quoted(rest[:end]) + ": expected the whole cell in quotes and the quote written twice"
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
