package joinfile

import (
	"bytes"
	"strings"

	"mmsim/datasets/internal/tables"
)

// cellForm is the notation of cells in a table.
type cellForm struct {
	decimalCommas bool // 52,52 is a number
	listSeparator byte // separates the items of a list
	listsByText   bool // a text that contains the separator is a list
	nulls         bool // \N is a missing value

	scratch []byte
}

// formOf returns the notation for a CSV separator. Files with semicolons come from countries with
// decimal commas, and their lists need another separator.
func formOf(separator byte) *cellForm {
	if separator == ';' {
		return &cellForm{decimalCommas: true, listSeparator: '|', listsByText: true, nulls: true}
	}
	return &cellForm{listSeparator: ';', listsByText: true, nulls: true}
}

// number returns a cell with a decimal point instead of a decimal comma. The result is valid until
// the next call.
func (f *cellForm) number(cell []byte) []byte {
	if !f.decimalCommas {
		return cell
	}
	return f.withPoint(cell)
}

// value returns the text of an optional cell, without blanks around it. It is empty if the value is
// missing. MySQL, PostgreSQL, ClickHouse and Snowflake write a missing value as \N.
func (f *cellForm) value(cell []byte) []byte {
	cell = tables.Trim(cell)
	if len(cell) == 2 && cell[0] == '\\' && cell[1] == 'N' && f.nulls {
		return nil
	}
	return cell
}

func (f *cellForm) withPoint(cell []byte) []byte {
	i := bytes.IndexByte(cell, ',')
	if i < 0 {
		return cell
	}
	f.scratch = append(f.scratch[:0], cell...)
	f.scratch[i] = '.'
	return f.scratch
}

// separatorOf detects the CSV separator from the first row. It prefers a separator that makes the
// row a header, and then a comma if the row is time,latitude,longitude. Otherwise it returns a tab
// or a semicolon if the row contains one.
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
		_, ok1 := tables.ParseNumber([]byte(cells[1]))
		_, ok2 := tables.ParseNumber([]byte(cells[2]))
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
