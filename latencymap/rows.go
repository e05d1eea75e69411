package latencymap

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// RowBytesMax is the maximum length of a row in a file of samples.
const RowBytesMax = 1 << 16

// MaxBlankLines is the maximum number of consecutive blank lines. Exports and editors leave a few.
// A compressed file of blank lines could expand to a thousand times its size.
const MaxBlankLines = 10_000

// rows splits a large CSV file into cells. It reads one line at a time and allocates nothing for a
// line without quotes. encoding/csv takes four times as long, so rows uses it only for lines with
// quotes. A quoted cell that continues on the next line is an error, because cells of a file of
// samples do not contain line breaks.
type rows struct {
	in    *bufio.Reader
	line  int      // number of the current line, from 1
	cells [][]byte // cells of the current line
	// columns has the offsets of the cells if the line contains quotes. Otherwise the offsets
	// follow from the lengths of the cells.
	columns []int
}

// fault is an error in the current row.
type fault struct {
	column  int // byte in the line, from 1
	message string
}

func newRows(r io.Reader) *rows {
	return &rows{in: bufio.NewReaderSize(r, RowBytesMax)}
}

// next moves to the next line that is not blank. It returns io.EOF after the last line.
func (r *rows) next() (*fault, error) {
	for blank := 0; ; blank++ {
		if blank > MaxBlankLines {
			return nil, fmt.Errorf("more than %d consecutive blank lines (MaxBlankLines), expected rows", MaxBlankLines)
		}
		text, err := r.in.ReadSlice('\n')
		if err != nil && (!errors.Is(err, io.EOF) || len(text) == 0) {
			if errors.Is(err, bufio.ErrBufferFull) {
				r.line++
				err = fmt.Errorf("the row is longer than %d bytes (RowBytesMax), expected CSV", RowBytesMax)
			}
			return nil, err
		}
		r.line++
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		if r.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 {
			continue
		}
		r.columns, r.cells = nil, r.cells[:0]
		if bytes.IndexByte(text, '"') >= 0 {
			return r.splitQuoted(text), nil
		}
		for {
			comma := bytes.IndexByte(text, ',')
			if comma < 0 {
				r.cells = append(r.cells, text)
				return nil, nil
			}
			r.cells = append(r.cells, text[:comma])
			text = text[comma+1:]
		}
	}
}

// splitQuoted splits a line that contains quotes.
func (r *rows) splitQuoted(text []byte) *fault {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.FieldsPerRecord = -1
	cells, err := reader.Read()
	if err != nil {
		column := 1
		if detail := (*csv.ParseError)(nil); errors.As(err, &detail) {
			column, err = detail.Column, detail.Err
		}
		return &fault{column, err.Error() + `: expected "…" around the whole cell, on one line`}
	}
	for i, cell := range cells {
		_, column := reader.FieldPos(i)
		r.columns = append(r.columns, column)
		r.cells = append(r.cells, []byte(cell))
	}
	return nil
}

// column returns the offset in the line, in bytes from 1, at which a cell of the current row
// begins. For a missing cell, it returns the offset after the end of the line.
func (r *rows) column(cell int) int {
	if cell < len(r.columns) {
		return r.columns[cell]
	}
	column := 1
	for _, before := range r.cells[:min(cell, len(r.cells))] {
		column += len(before) + 1
	}
	if cell >= len(r.cells) {
		column-- // there is no comma after the last cell
	}
	return column
}

// cell returns a cell without surrounding blanks.
func (r *rows) cell(i int) []byte { return bytes.TrimSpace(r.cells[i]) }
