package datasets

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// list reads a small CSV file with columns of fixed names: in the given order,
// or in that of a header. It is for lists of a few rows that a user writes by
// hand, so it spends its effort on saying what is wrong.
type list struct {
	records  *recordReader
	columns  []string
	position []int          // in a row, by column; nil: the first row is still to come
	lineOf   map[string]int // where every value that once has seen stands
}

// readList calls add for every row of a list that is not blank. What is wrong
// with the file is an *Error, and so is a file without rows; contents says what
// there should have been.
func readList(r io.Reader, name, contents string, columns []string, add func(*list) *fault) error {
	src, err := openSource(r, nil)
	if err != nil {
		return placed(name, 1, err)
	}
	defer src.Close()
	l := &list{records: newRecordReader(src), columns: columns, lineOf: make(map[string]int)}
	rows, others := 0, 0 // of others: since the last row
	for {
		ok, f := l.records.next()
		if !ok {
			break
		}
		isRow := false
		if f == nil {
			isRow, f = l.accept()
		}
		switch {
		case f != nil:
		case isRow:
			others = 0
			rows++
			f = add(l)
		default:
			if others++; others > MaxBlankLines {
				f = &fault{1, string(errBlank)}
			}
		}
		if f != nil {
			return &Error{name, l.records.line, f.column, f.message}
		}
	}
	switch {
	case l.records.err != io.EOF:
		return placed(name, l.records.nextLine+1, l.records.err)
	case rows == 0:
		return &Error{name, max(1, l.records.nextLine), 1, fmt.Sprintf("no %s: expected rows of %s", contents, strings.Join(columns, ","))}
	}
	return nil
}

// accept checks the shape of the record just read. A header and a line of
// blanks are no rows.
func (l *list) accept() (isRow bool, f *fault) {
	r := l.records
	if len(r.cells) == 1 && len(trim(r.cells[0])) == 0 {
		return false, nil
	}
	if message := unreadable(r.text); message != "" {
		return false, &fault{1, message}
	}
	if len(r.cells) != len(l.columns) {
		if message := wrongSeparator(r.text); message != "" {
			return false, &fault{1, message}
		}
		return false, &fault{r.columns[min(len(r.cells)-1, len(l.columns))], fmt.Sprintf("%s in %s: expected %d (%s)",
			counted(len(r.cells), "column"), quoted(r.text), len(l.columns), strings.Join(l.columns, ","))}
	}
	if l.position != nil {
		return true, nil
	}
	l.position = make([]int, len(l.columns))
	for i := range l.position {
		l.position[i] = i
	}
	isHeader, f := l.header()
	return !isHeader, f
}

// header takes the first row for the header if it holds a column name.
func (l *list) header() (isHeader bool, f *fault) {
	names := make([]string, len(l.columns))
	for i, cell := range l.records.cells {
		names[i] = string(trim(cell))
		// A datacenter may well be called "name": only the others tell.
		isHeader = isHeader || names[i] != "name" && slices.Contains(l.columns, names[i])
	}
	if !isHeader {
		return false, nil
	}
	for i, column := range l.columns {
		if l.position[i] = slices.Index(names, column); l.position[i] < 0 {
			return true, &fault{1, fmt.Sprintf("column %q is missing: expected a header of %s", column, strings.Join(l.columns, ","))}
		}
	}
	return true, nil
}

// cell returns a cell of the row, without the blanks around it.
func (l *list) cell(column int) []byte { return trim(l.records.cells[l.position[column]]) }

// bad explains a cell of the row that does not hold what it should.
func (l *list) bad(column int, expected string) *fault {
	return &fault{l.records.columns[l.position[column]], fmt.Sprintf("%s %s: %s", l.columns[column], quoted(l.cell(column)), expected)}
}

// once makes sure that no two rows have the same value in a column.
func (l *list) once(column int, value string) *fault {
	key, line := l.columns[column]+" "+value, l.records.line
	if first, ok := l.lineOf[key]; ok {
		return l.bad(column, fmt.Sprintf("used in line %d already, and again in line %d: expected it once", first, line))
	}
	l.lineOf[key] = line
	return nil
}
