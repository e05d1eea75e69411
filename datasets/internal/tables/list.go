package tables

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// List reads a small CSV file whose columns have fixed names. A header gives the order of the
// columns. Without a header, they are in a default order. People write such files by hand, so List
// gives detailed error messages.
type List struct {
	// FirstOptional is set if the first column may be missing.
	FirstOptional bool
	// LastOptional is set if the last column may be missing.
	LastOptional bool

	records  *CSV
	columns  []string
	position []int          // position of each column in a row, or -1; nil before the first row
	lineOf   map[string]int // line of each value that Once has seen
}

// ReadList reads a list that has all columns, see List.Read.
func ReadList(r io.Reader, name, contents string, columns []string, add func(*List) *Fault) error {
	return new(List).Read(r, name, contents, columns, add)
}

// Read calls add for every row that is not blank. If the file is invalid or has no rows, the
// error is an *Error. The parameter contents is the name of the expected content in messages.
func (l *List) Read(r io.Reader, name, contents string, columns []string, add func(*List) *Fault) error {
	src, err := Open(r, nil)
	if err != nil {
		return Placed(name, 1, err)
	}
	defer src.Close()
	l.records, l.columns, l.lineOf = NewCSV(src), columns, make(map[string]int)
	rows, others := 0, 0 // others counts header and blank lines since the last row
	for {
		ok, f := l.records.Next()
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
				f = &Fault{1, string(errBlank)}
			}
		}
		if f != nil {
			return &Error{name, l.records.Line, f.Column, f.Message}
		}
	}
	switch {
	case l.records.Err != io.EOF:
		return Placed(name, l.records.LinesRead+1, l.records.Err)
	case rows == 0:
		return &Error{name, max(1, l.records.LinesRead), 1, fmt.Sprintf("no %s: expected rows of %s", contents, strings.Join(columns, ","))}
	}
	return nil
}

// accept checks the current record. It returns false for a header or a blank line.
func (l *List) accept() (isRow bool, f *Fault) {
	r := l.records
	if len(r.Cells) == 1 && len(Trim(r.Cells[0])) == 0 {
		return false, nil
	}
	if message := Unreadable(r.Text); message != "" {
		return false, &Fault{1, message}
	}
	if l.position == nil {
		if names := l.names(); l.isHeader(names) {
			return false, l.place(names)
		}
		l.placeInOrder(len(r.Cells))
	}
	if len(r.Cells) != l.width() {
		if message := WrongSeparator(r.Text); message != "" {
			return false, &Fault{1, message}
		}
		return false, l.wrongWidth(min(len(r.Cells)-1, l.width()))
	}
	return true, nil
}

// wrongWidth returns an error about the number of cells in the current record.
func (l *List) wrongWidth(cell int) *Fault {
	r := l.records
	return &Fault{r.Columns[cell], fmt.Sprintf("%s in %s: expected %d (%s)",
		Counted(len(r.Cells), "column"), Quoted(r.Text), l.width(), strings.Join(l.placed(), ","))}
}

// placeInOrder places the columns of a file without a header, whose first row has the given number
// of cells.
func (l *List) placeInOrder(cells int) {
	l.position = make([]int, len(l.columns))
	missing := 0
	if l.FirstOptional && cells == len(l.columns)-1 {
		missing = 1
	}
	for i := range l.position {
		l.position[i] = i - missing
	}
	if last := len(l.columns) - 1; l.LastOptional && cells == last {
		l.position[last] = -1
	}
}

// placed returns the columns that the file has.
func (l *List) placed() (columns []string) {
	for i, column := range l.columns {
		if l.position[i] >= 0 {
			columns = append(columns, column)
		}
	}
	return columns
}

// width returns the number of cells of a row.
func (l *List) width() int { return len(l.placed()) }

// HasFirst reports whether the file has the first column.
func (l *List) HasFirst() bool { return l.position[0] >= 0 }

// HasLast reports whether the file has the last column.
func (l *List) HasLast() bool { return l.position[len(l.position)-1] >= 0 }

// Line returns the number of the row's line.
func (l *List) Line() int { return l.records.Line }

// names returns the cells of the row without surrounding blanks.
func (l *List) names() []string {
	names := make([]string, len(l.records.Cells))
	for i, cell := range l.records.Cells {
		names[i] = string(Trim(cell))
	}
	return names
}

// isHeader reports whether one of the names is a column name. The name "name" does not count,
// because a datacenter may have that name.
func (l *List) isHeader(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "name" && slices.Contains(l.columns, name) })
}

// place finds the position of each column in a header.
func (l *List) place(names []string) *Fault {
	l.position = make([]int, len(l.columns))
	for i, column := range l.columns {
		if l.position[i] = slices.Index(names, column); l.position[i] < 0 && !(i == 0 && l.FirstOptional || i == len(l.columns)-1 && l.LastOptional) {
			return &Fault{1, fmt.Sprintf("column %q is missing: expected a header of %s", column, strings.Join(l.columns, ","))}
		}
	}
	if len(names) > l.width() {
		return l.wrongWidth(l.width())
	}
	return nil
}

// Cell returns a cell of the row without surrounding blanks.
func (l *List) Cell(column int) []byte { return Trim(l.records.Cells[l.position[column]]) }

// Bad returns an error about an invalid cell in the row.
func (l *List) Bad(column int, expected string) *Fault {
	return &Fault{l.records.Columns[l.position[column]], fmt.Sprintf("%s %s: %s", l.columns[column], Quoted(l.Cell(column)), expected)}
}

// Once returns an error if an earlier row has the same value in the column.
func (l *List) Once(column int, value string) *Fault {
	key, line := l.columns[column]+" "+value, l.records.Line
	if first, ok := l.lineOf[key]; ok {
		return l.Bad(column, fmt.Sprintf("used in line %d already, and again in line %d: expected it once", first, line))
	}
	l.lineOf[key] = line
	return nil
}

// WrongSeparator returns a message if the cells of a row seem to be separated by something other
// than commas.
func WrongSeparator(row []byte) string {
	for _, separator := range []string{";", "\t", "|"} {
		if bytes.Contains(row, []byte(separator)) {
			return fmt.Sprintf("the columns of %s are separated by %q: expected commas", Quoted(row), separator)
		}
	}
	return ""
}
