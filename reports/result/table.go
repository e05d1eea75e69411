package result

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A table describes one CSV file by the csv tags of the fields of T, the type of a row. A tag has
// the name of the column, and omitzero if the column is omitted when it is 0 in all rows. Fields
// that are part of summary.json have no such tag: their columns have the names of their JSON
// keys, and the first column has the row's name. A struct with the tag * has a column for each of its
// fields. Reading and writing use the same columns, so they cannot disagree.
type table[T any] struct {
	file    string
	columns []column
	fault   func(row *T, index int) string // describes a value that no run can have written, or returns ""; may be nil
}

// column describes one column of a CSV file.
type column struct {
	name   string
	field  []int // index of the field in a row
	sparse bool  // omitted if all rows have 0
}

// tableOf returns the table of a file. If the rows are part of summary.json, names is the name of
// the column with the rows' names.
func tableOf[T any](file, names string, fault func(row *T, index int) string) *table[T] {
	return &table[T]{file, columnsOf(reflect.TypeFor[T](), names, nil), fault}
}

func columnsOf(row reflect.Type, names string, within []int) (list []column) {
	for field := range row.Fields() {
		at := slices.Concat(within, field.Index)
		name, options, _ := strings.Cut(cmp.Or(field.Tag.Get("csv"), field.Tag.Get("json")), ",")
		switch {
		case field.Anonymous, name == "*":
			list = append(list, columnsOf(field.Type, names, at)...)
		case name == "-":
			list = append(list, column{name: names, field: at})
		default:
			list = append(list, column{name, at, options != ""})
		}
	}
	return list
}

// head returns the first line of a file with these columns.
func head(columns []column) string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].name
	}
	return strings.Join(names, ",")
}

// of returns a pointer to a row's field for this column, or to 0 if the field is a nil pointer.
func (c *column) of(row reflect.Value) any {
	field := row.FieldByIndex(c.field)
	if field.Kind() != reflect.Pointer {
		return field.Addr().Interface()
	}
	if field.IsNil() {
		return reflect.New(field.Type().Elem()).Interface()
	}
	return field.Interface()
}

// write writes the first line and a line for each row.
func (t *table[T]) write(w io.Writer, rows []T) error {
	out := csv.NewWriter(w)
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.sparse && c.isEmpty(reflect.ValueOf(rows)) })
	line := make([]string, len(columns))
	for i := range columns {
		line[i] = columns[i].name
	}
	_ = out.Write(line) // out keeps the first error
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for k := range columns {
			line[k] = fieldText(columns[k].of(row))
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// isEmpty reports whether the column is 0, or a nil pointer, in all rows.
func (c *column) isEmpty(rows reflect.Value) bool {
	for i := range rows.Len() {
		if field := rows.Index(i).FieldByIndex(c.field); field.Kind() == reflect.Pointer && field.IsNil() {
			continue
		}
		if !reflect.ValueOf(c.of(rows.Index(i))).Elem().IsZero() {
			return false
		}
	}
	return true
}

// read reads a file that write has written, up to MaxTableRows rows. An error begins with
// FILE:LINE:COLUMN.
func (t *table[T]) read(r io.Reader) ([]T, error) {
	in := csv.NewReader(newBoundedRows(r, t.file))
	in.ReuseRecord = true
	first, err := in.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s:1:1: the file is empty, want the columns %s", t.file, head(t.columns))
	}
	if err != nil {
		return nil, t.syntaxError(err)
	}
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.sparse && !slices.Contains(first, c.name) })
	if got := strings.Join(first, ","); got != head(columns) {
		return nil, fmt.Errorf("%s:1:1: the columns are %s, want %q", t.file, outcome.Quoted(got), head(t.columns))
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
		for i := range columns {
			want := parseField(line[i], columns[i].of(reflect.ValueOf(&row).Elem()))
			if want == "" && line[i] != "" && line[i][0] == '-' && !slices.Contains(signedColumns, columns[i].name) {
				want = "a number from 0"
			}
			if want != "" {
				at, column := in.FieldPos(i)
				return nil, fmt.Errorf("%s:%d:%d: %s is %s, want %s",
					t.file, at, column, columns[i].name, outcome.Quoted(line[i]), want)
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

// signedColumns may have negative numbers, or names that begin with a minus sign.
var signedColumns = []string{"latitude", "longitude", "datacenter", "measure", "queue", "continent", "attribute", "opens", "skill_from", "skill_to", "rating_from", "rating_to"}

// syntaxError makes the error of a malformed line begin with its position.
func (t *table[T]) syntaxError(err error) error {
	if bad, is := errors.AsType[*csv.ParseError](err); is {
		return fmt.Errorf("%s:%d:%d: %w", t.file, bad.Line, max(1, bad.Column), bad.Err)
	}
	if strings.HasPrefix(err.Error(), t.file+":") { // boundedRows has already added the position
		return err
	}
	return fmt.Errorf("%s: %w", t.file, err)
}

// fieldText returns the text of the value that field points to.
func fieldText(field any) string {
	switch v := field.(type) {
	case *string:
		return words.Guard(*v)
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'f', -1, 64)
	case fmt.Stringer: // the quantities of package outcome
		return v.String()
	}
	panic(fmt.Sprintf("result: a table has no fields of type %T", field))
}

// parseField parses text into the value that field points to. If text is not valid, it returns a
// description of the expected value, otherwise "".
func parseField(text string, field any) (want string) {
	switch v := reflect.ValueOf(field).Elem(); v.Kind() {
	case reflect.String:
		v.SetString(words.Unguard(text))
	case reflect.Int, reflect.Int16, reflect.Int32:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return "a whole number"
		}
		v.SetInt(n)
	default:
		x, err := strconv.ParseFloat(text, 64)
		if text == "" && (v.Type() == reflect.TypeFor[outcome.Seconds]() || v.Type() == reflect.TypeFor[outcome.Millis]()) { // not measured
			v.SetFloat(math.NaN())
			return ""
		}
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return "a number"
		}
		v.SetFloat(x)
	}
	return ""
}
