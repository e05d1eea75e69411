package joinfile

import (
	"bytes"
	"strings"

	"mmsim/datasets/internal/csvfile"
)

// table is a file as rows of cells, whatever its form.
type table interface {
	// Next reads the next row into Current; false at the end, see State. A fault
	// concerns one row, and the next call goes on behind it.
	Next() (ok bool, f *csvfile.Fault)
	Current() *csvfile.Row
	// State returns how many lines were read, and what ended the reading: io.EOF at
	// the end of the file.
	State() (lines int, err error)
}

// named is a table whose columns have names from the beginning, without a header row;
// rows may bring further ones.
type named interface {
	table
	// Names returns the columns that were found so far. A cell stands where its name
	// does.
	Names() []string
}

// cellForm is how the cells of a table are written.
type cellForm struct {
	decimalCommas bool // 52,52 is a number
	listSeparator byte // between the items of a list
	listsByText   bool // a text with a separator inside is a list

	scratch []byte
}

// formOf returns the form of the cells between separators of CSV. A file with
// semicolons is one of a country that writes decimal commas; there a list needs
// another separator.
func formOf(separator byte) *cellForm {
	if separator == ';' {
		return &cellForm{decimalCommas: true, listSeparator: '|', listsByText: true}
	}
	return &cellForm{listSeparator: ';', listsByText: true}
}

// number returns a cell that may be a number with a decimal point. It stays valid
// until the next call.
func (f *cellForm) number(cell []byte) []byte {
	if !f.decimalCommas {
		return cell
	}
	i := bytes.IndexByte(cell, ',')
	if i < 0 {
		return cell
	}
	f.scratch = append(f.scratch[:0], cell...)
	f.scratch[i] = '.'
	return f.scratch
}

// separatorOf tells what separates the columns of CSV by its first row: what makes it a
// header; else a comma if that makes a row of time, latitude and longitude; else a tab
// or a semicolon, if there is one.
func separatorOf(line []byte, isHeader func(cells []string) bool) byte {
	cellsOf := func(separator string) (cells []string) {
		for cell := range strings.SplitSeq(string(line), separator) {
			cells = append(cells, strings.Trim(cell, " \t\""))
		}
		return cells
	}
	for _, s := range []string{",", "\t", ";"} {
		if cells := cellsOf(s); len(cells) > 1 && isHeader(cells) {
			return s[0]
		}
	}
	if cells := cellsOf(","); len(cells) == 3 {
		_, ok1 := csvfile.ParseNumber([]byte(cells[1]))
		_, ok2 := csvfile.ParseNumber([]byte(cells[2]))
		if ok1 && ok2 {
			return ','
		}
	}
	for _, s := range []byte("\t;") {
		if bytes.IndexByte(line, s) >= 0 {
			return s
		}
	}
	return ','
}
