package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON is a file of JSON objects: one per line, or in an array. Each member of an object is a cell
// in the column with the member's name. The members of a nested object have columns of their own,
// whose names begin with the name of the nested object and a dot. An array is a list. null is a
// missing value.
type JSON struct {
	source  source
	row     Row
	column  int // of the first byte of the object in its line
	names   []string
	columns map[string]int // index of a column by name
	decoder jsontext.Decoder
	line    bytes.Buffer
	cells   []byte // text of all cells in the row
	starts  []span // position of each cell in cells
	path    []byte // names of the enclosing objects
}

// span is the position of a cell in a text. A span from 0 to 0 is a missing value.
type span struct{ from, to int }

func (j *JSON) Current() *Row                 { return &j.row }
func (j *JSON) State() (lines int, err error) { return j.source.State() }

// Place returns the line and the column in the file of a position in the current object, which is
// counted from 1.
func (j *JSON) Place(position int) (line, column int) {
	before := j.row.Text[:min(max(position-1, 0), len(j.row.Text))]
	lines := bytes.Count(before, []byte{'\n'})
	if lines == 0 {
		return j.row.Line, j.column + position - 1
	}
	return j.row.Line + lines, position - 1 - bytes.LastIndexByte(before, '\n')
}
func (j *JSON) Names() []string { return j.names }
func (j *JSON) fault(at int, m string) *Fault {
	return &Fault{Column: at + 1, Message: m}
}

// Next reads the next object.
func (j *JSON) Next() (bool, *Fault) {
	line, ok := []byte(nil), false
	if line, j.row.Line, j.column, ok = j.source.next(); !ok {
		return false, nil
	}
	j.row.Text = line
	j.cells, j.path = append(j.cells[:0], 0), j.path[:0] // the first byte is unused, so that no cell begins at 0
	clear(j.starts)
	clear(j.row.Lists)
	j.line.Reset()
	j.line.Write(line)
	j.decoder.Reset(&j.line)
	if message := Unreadable(line); message != "" {
		return true, j.fault(0, message)
	}
	if j.decoder.PeekKind() != '{' {
		return true, j.fault(0, fmt.Sprintf("%s is no object: expected JSON lines or an array, with an object with time, latitude and longitude for each join", Quoted(line)))
	}
	f := j.object(0)
	if f == nil {
		if _, err := j.decoder.ReadToken(); err != io.EOF {
			f = j.fault(int(j.decoder.InputOffset()), "more after the object: expected one JSON object in each line, or an array of objects")
		}
	}
	j.row.Cells = j.row.Cells[:0]
	for _, s := range j.starts {
		var cell []byte
		if s.to > 0 {
			cell = j.cells[s.from:s.to]
		}
		j.row.Cells = append(j.row.Cells, cell)
	}
	return true, f
}

// maxDepth is the maximum nesting depth of objects.
const maxDepth = 8

// object reads an object. The names of its members are prefixed with j.path.
func (j *JSON) object(depth int) *Fault {
	if depth > maxDepth {
		return j.fault(int(j.decoder.InputOffset()), fmt.Sprintf("objects more than %d deep inside each other: expected fewer", maxDepth))
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		return j.broken(err)
	}
	outer := len(j.path)
	for j.decoder.PeekKind() != '}' {
		key, err := j.decoder.ReadValue()
		if err != nil {
			return j.broken(err)
		}
		j.path, err = jsontext.AppendUnquote(j.path[:outer], key)
		if err != nil {
			return j.broken(err)
		}
		if j.decoder.PeekKind() == '{' {
			j.path = append(j.path, '.')
			if f := j.object(depth + 1); f != nil {
				return f
			}
			continue
		}
		if f := j.member(); f != nil {
			return f
		}
	}
	j.path = j.path[:outer]
	if _, err := j.decoder.ReadToken(); err != nil {
		return j.broken(err)
	}
	return nil
}

// member reads the value of the member that is named in j.path.
func (j *JSON) member() *Fault {
	kind := j.decoder.PeekKind()
	begin := len(j.row.Text) - len(bytes.TrimLeft(j.row.Text[j.decoder.InputOffset():], ": \t\r\n")) + 1
	column, ok := j.columns[string(j.path)]
	if !ok {
		if len(j.names) >= MaxColumns {
			return j.fault(int(j.decoder.InputOffset()), TooManyColumns(MaxColumns+1))
		}
		column = len(j.names)
		j.names = append(j.names, string(j.path))
		j.columns[string(j.path)] = column
		j.starts = append(j.starts, span{})
		j.row.Columns, j.row.Lists = append(j.row.Columns, 0), append(j.row.Lists, false)
	}
	if j.starts[column].to > 0 {
		return j.fault(int(j.decoder.InputOffset()), fmt.Sprintf("member %s appears twice: expected it once", Quoted(j.path)))
	}
	from := len(j.cells)
	var f *Fault
	if kind == '[' {
		j.row.Lists[column] = true
		f = j.list()
	} else {
		f = j.scalar()
	}
	if f != nil {
		return f
	}
	j.row.Columns[column] = begin
	j.starts[column] = span{from, len(j.cells)}
	return nil
}

// list reads an array as a list with semicolons between the items.
func (j *JSON) list() *Fault {
	if _, err := j.decoder.ReadToken(); err != nil {
		return j.broken(err)
	}
	for first := true; j.decoder.PeekKind() != ']'; first = false {
		if kind := j.decoder.PeekKind(); kind == '[' || kind == '{' {
			return j.fault(int(j.decoder.InputOffset()), fmt.Sprintf("array %s holds arrays or objects: expected texts and numbers; "+
				"if its objects are the joins, jq -c '.%s[]' makes JSON lines of them", Quoted(j.path), j.path))
		}
		if !first {
			j.cells = append(j.cells, ';')
		}
		from := len(j.cells)
		if f := j.scalar(); f != nil {
			return f
		}
		if bytes.IndexByte(j.cells[from:], ';') >= 0 {
			return j.fault(int(j.decoder.InputOffset()), fmt.Sprintf("item %s of %s: expected one without a semicolon", Quoted(j.cells[from:]), Quoted(j.path)))
		}
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		return j.broken(err)
	}
	return nil
}

// scalar appends a text, a number or a boolean to the cells.
func (j *JSON) scalar() *Fault {
	value, err := j.decoder.ReadValue()
	if err != nil {
		return j.broken(err)
	}
	switch value.Kind() {
	case '"':
		if j.cells, err = jsontext.AppendUnquote(j.cells, value); err != nil {
			return j.broken(err)
		}
	case '0':
		j.cells = appendPlain(j.cells, value)
	case 't', 'f':
		j.cells = append(j.cells, value...)
	}
	return nil
}

// appendPlain appends a number without an exponent, because the times in a file must not have one.
func appendPlain(to, number []byte) []byte {
	if bytes.ContainsAny(number, "eE") {
		if value, err := strconv.ParseFloat(string(number), 64); err == nil {
			return strconv.AppendFloat(to, value, 'f', -1, 64)
		}
	}
	return append(to, number...)
}

// broken adds the position to an error of the decoder.
func (j *JSON) broken(err error) *Fault {
	at, message := int(j.decoder.InputOffset()), err.Error()
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = int(syntax.ByteOffset)
		if syntax.Err != nil {
			message = syntax.Err.Error()
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return j.fault(at, "the object does not end in its line: expected JSON lines (an object in each line) or an array of objects; jq -c . makes JSON lines")
	}
	return j.fault(at, "not a valid JSON object: "+message)
}
