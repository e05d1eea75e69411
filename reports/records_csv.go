package reports

import (
	"bytes"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// csvRecords writes records as compressed CSV.
type csvRecords struct {
	columns []recordColumn
	zip     *gzip.Writer
	buffer  []byte // rows not yet handed to zip
	text    []byte // of one cell, before it is quoted
}

// recordsFlush is the size at which rows are handed to the compressor.
const recordsFlush = 1 << 16

// newCSVRecords writes the header.
//
// The compressor codes characters by how often they occur and looks for no
// repetitions: few in the rows are long, so that finding them would take over three
// times as long and save 45 % of the file.
func newCSVRecords(w io.Writer, columns []recordColumn) (*csvRecords, error) {
	zip, err := gzip.NewWriterLevel(w, gzip.HuffmanOnly)
	r := &csvRecords{columns: columns, zip: zip}
	for i := range columns {
		r.buffer = appendCell(append(r.buffer, ','), []byte(columns[i].name))
	}
	r.buffer = append(r.buffer[1:], '\n')
	return r, err
}

func (r *csvRecords) write(row *recordRow) error {
	b := r.buffer
	for i := range r.columns {
		c := &r.columns[i]
		if i > 0 {
			b = append(b, ',')
		}
		switch c.kind {
		case recordWhole, recordFlag:
			b = strconv.AppendInt(b, c.value(row), 10)
		case recordHundredths:
			b = appendHundredths(b, c.value(row))
		case recordThousandths:
			b = appendThousandths(b, c.value(row))
		case recordWord:
			b = appendCell(b, c.words[c.value(row)])
		case recordAttribute:
			r.text = c.attribute.Append(r.text[:0], &row.player.Player)
			b = appendCell(b, r.text)
		}
	}
	r.buffer = append(b, '\n')
	if len(r.buffer) >= recordsFlush {
		return r.flush()
	}
	return nil
}

func (r *csvRecords) flush() error {
	_, err := r.zip.Write(r.buffer)
	r.buffer = r.buffer[:0]
	return err
}

func (r *csvRecords) close() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.zip.Close()
}

// appendHundredths appends n/100 with 2 digits.
func appendHundredths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := byte(n % 100)
	return append(strconv.AppendInt(b, n/100, 10), '.', '0'+rest/10, '0'+rest%10)
}

// appendThousandths appends n/1000 with 3 digits.
func appendThousandths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := n % 1000
	return append(strconv.AppendInt(b, n/1000, 10), '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
}

// appendCell appends a CSV cell, quoted if it must be.
func appendCell(b, cell []byte) []byte {
	if !bytes.ContainsAny(cell, "\",\r\n") {
		return append(b, cell...)
	}
	b = append(b, '"')
	for _, c := range cell {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
