package records

import (
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/words"
	"mmsim/sim"
)

// csvRecords writes records as compressed CSV.
type csvRecords struct {
	columns []recordColumn
	words   [][][]byte // cells of every column of kind recordWord
	zip     *gzip.Writer
	buffer  []byte // rows not yet passed to zip
	text    []byte // text of one cell before it is quoted; reused
}

// recordsFlush is the number of buffered bytes at which rows are passed to the compressor.
const recordsFlush = 1 << 16

// newCSVRecords returns a csvRecords for w and writes the header.
//
// The compressor uses Huffman codes only. If it also searched for repetitions, the file would be
// 45 % smaller, but writing it would take more than three times as long.
func newCSVRecords(w io.Writer, columns []recordColumn) (*csvRecords, error) {
	zip, err := gzip.NewWriterLevel(w, gzip.HuffmanOnly)
	r := &csvRecords{columns: columns, words: make([][][]byte, len(columns)), zip: zip}
	for i := range columns {
		r.buffer = words.AppendCell(append(r.buffer, ','), []byte(columns[i].name))
		for _, word := range columns[i].words {
			r.words[i] = append(r.words[i], words.AppendCell(nil, word))
		}
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
		if c.missing(row) {
			continue
		}
		switch c.kind {
		case recordWhole, recordFlag:
			b = strconv.AppendInt(b, c.value(row), 10)
		case recordHundredths:
			b = appendHundredths(b, c.value(row))
		case recordThousandths:
			b = appendThousandths(b, c.value(row))
		case recordNumber:
			b = strconv.AppendFloat(b, c.number(row), 'f', -1, 64)
		case recordWord:
			b = append(b, r.words[i][c.value(row)]...)
		case recordAttribute:
			b = r.appendAttribute(b, c.attribute, row.player)
		}
	}
	r.buffer = append(b, '\n')
	if len(r.buffer) >= recordsFlush {
		return r.flush()
	}
	return nil
}

// appendAttribute appends the value of a player's attribute.
func (r *csvRecords) appendAttribute(b []byte, a *Attribute, p *sim.Player) []byte {
	if a.Number != nil {
		return a.Append(b, p)
	}
	r.text = a.Append(r.text[:0], p)
	return words.AppendCell(b, r.text)
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

// appendHundredths appends n/100 with 2 decimals.
func appendHundredths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := byte(n % 100)
	return append(strconv.AppendInt(b, n/100, 10), '.', '0'+rest/10, '0'+rest%10)
}

// appendThousandths appends n/1000 with 3 decimals.
func appendThousandths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := n % 1000
	return append(strconv.AppendInt(b, n/1000, 10), '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
}
