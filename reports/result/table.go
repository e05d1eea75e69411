package result

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/guard"
	"mmsim/reports/outcome"
)

// A table describes one CSV file: its columns, and the field of a row for each column. Reading and
// writing use the same list, so they cannot disagree.
type table[T any] struct {
	file    string
	columns string // comma-separated: the first line of the file
	fields  func(row *T) []any
	sparse  int                            // number of last columns, of whole numbers, that are left out if all are 0
	fault   func(row *T, index int) string // what is wrong with a row that no run can have written, "" if nothing is; nil: no check
}

// write writes the first line and a line per row.
func (t *table[T]) write(w io.Writer, rows []T) error {
	out := csv.NewWriter(w)
	columns := strings.Split(t.columns, ",")
	columns = columns[:len(columns)-t.empty(rows)]
	if err := out.Write(columns); err != nil {
		return err
	}
	line := make([]string, len(columns))
	for i := range rows {
		for column, field := range t.fields(&rows[i])[:len(columns)] {
			line[column] = fieldText(field)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// empty returns the number of columns at the end that are left out.
func (t *table[T]) empty(rows []T) int {
	for i := range rows {
		fields := t.fields(&rows[i])
		for _, field := range fields[len(fields)-t.sparse:] {
			if fieldText(field) != "0" {
				return 0
			}
		}
	}
	return t.sparse
}

// read reads what write wrote, at most MaxTableRows rows. An error begins with
// FILE:LINE:COLUMN.
func (t *table[T]) read(r io.Reader) ([]T, error) {
	in := csv.NewReader(&boundedRows{from: r, file: t.file})
	in.ReuseRecord = true
	first, err := in.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s:1:1: the file is empty, want the columns %s", t.file, t.columns)
	}
	if err != nil {
		return nil, t.syntaxError(err)
	}
	columns := strings.Split(t.columns, ",")
	if t.sparse > 0 && len(first) == len(columns)-t.sparse {
		columns = columns[:len(first)]
	}
	if got := strings.Join(first, ","); got != strings.Join(columns, ",") {
		return nil, fmt.Errorf("%s:1:1: the columns are %s, want %q", t.file, outcome.Quoted(got), t.columns)
	}
	var rows []T
	for {
		line, err := in.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, t.syntaxError(err)
		}
		var row T
		for i, field := range t.fields(&row)[:len(columns)] {
			want := parseField(line[i], field)
			if want == "" && line[i] != "" && line[i][0] == '-' && !slices.Contains(signedColumns, columns[i]) {
				want = "a number from 0"
			}
			if want != "" {
				at, column := in.FieldPos(i)
				return nil, fmt.Errorf("%s:%d:%d: %s is %s, want %s",
					t.file, at, column, columns[i], outcome.Quoted(line[i]), want)
			}
		}
		if t.fault != nil {
			if fault := t.fault(&row, len(rows)); fault != "" {
				at, _ := in.FieldPos(0)
				return nil, fmt.Errorf("%s:%d:1: %s", t.file, at, fault)
			}
		}
		rows = append(rows, row)
	}
}

// signedColumns may hold numbers below 0, or names that begin with a minus sign.
var signedColumns = []string{"latitude", "longitude", "datacenter", "measure"}

// syntaxError puts the position of a malformed line at the beginning of the error.
func (t *table[T]) syntaxError(err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return fmt.Errorf("%s:%d:%d: %w", t.file, bad.Line, max(1, bad.Column), bad.Err)
	}
	if strings.HasPrefix(err.Error(), t.file+":") { // an error about a limit
		return err
	}
	return fmt.Errorf("%s: %w", t.file, err)
}

// fieldText returns the text of the value to which field points.
func fieldText(field any) string {
	switch v := field.(type) {
	case *string:
		return guard.Text(*v)
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'f', -1, 64)
	case fmt.Stringer: // the numbers of a result
		return v.String()
	}
	panic(fmt.Sprintf("result: a table has no fields of type %T", field))
}

// parseField parses text into the value to which field points. It returns a description of the
// expected value, "" if the text is valid.
func parseField(text string, field any) (want string) {
	if v, ok := field.(*string); ok {
		*v = guard.Undo(text)
		return ""
	}
	if v, ok := field.(*int); ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			return "a whole number"
		}
		*v = n
		return ""
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return "a number"
	}
	switch v := field.(type) {
	case *float64:
		*v = x
	case *outcome.Count:
		*v = outcome.Count(x)
	case *outcome.Seconds:
		*v = outcome.Seconds(x)
	case *outcome.Millis:
		*v = outcome.Millis(x)
	case *outcome.Degrees:
		*v = outcome.Degrees(x)
	default:
		panic(fmt.Sprintf("result: a table has no fields of type %T", field))
	}
	return ""
}
