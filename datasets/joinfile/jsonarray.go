package joinfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mmsim/datasets/internal/csvfile"
)

// recogniseBytes is how much of a file Recognise reads.
const recogniseBytes = 1 << 16

// Recognise reports whether a JSON file has joins: objects one per line or in an array, the first
// of which has at least two of a time, a latitude and a longitude, under their usual names or those
// in names, see Options.Names. It reads only the beginning of the file.
func Recognise(r io.Reader, names map[string]string) bool {
	head, _ := io.ReadAll(io.LimitReader(r, recogniseBytes)) // an error is reported when the file is read
	d := &dayReader{}
	d.open(csvfile.NewReader(bytes.NewReader(head)))
	table, ok := d.table.(*jsonTable)
	if !ok {
		return false
	}
	if ok, fault := table.Next(); !ok || fault != nil {
		return false
	}
	found := map[string]bool{}
	for _, name := range table.Names() {
		found[usual[plainName(name[strings.LastIndexByte(name, '.')+1:])]] = true
	}
	count := 0
	for _, name := range required {
		if name != "" && (found[name] || slices.Contains(table.Names(), names[name])) {
			count++
		}
	}
	return count >= 2
}

// jsonSource reads the texts of the objects in a JSON file.
type jsonSource interface {
	// next returns the next object, and the line and column of its first byte. The text is valid
	// until the next call. It need not be an object, or valid JSON.
	next() (text []byte, line, column int, ok bool)
	State() (lines int, err error)
}

// jsonLines are the lines of a file with one object per line.
type jsonLines struct{ *csvfile.Reader }

func (l jsonLines) next() (text []byte, line, column int, ok bool) {
	text, ok = l.NextLine()
	return text, l.LinesRead, 1, ok
}

// jsonArray is a file with a single array, whose elements may have any number of lines.
type jsonArray struct {
	in      *lineCounter
	decoder *jsontext.Decoder
	inside  bool // the [ was read
	line    int  // line of the current element
	err     error
}

// newJSONArray returns the elements of an array. A member that occurs twice does not end the
// reading here, but is an error of its row.
func newJSONArray(text io.Reader) *jsonArray {
	in := &lineCounter{from: text, line: 1}
	return &jsonArray{in: in, decoder: jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

func (a *jsonArray) State() (lines int, err error) { return a.line, a.err }

func (a *jsonArray) next() (text []byte, line, column int, ok bool) {
	if a.err == nil {
		text, a.err = a.element()
	}
	if a.err != nil {
		return nil, 0, 0, false
	}
	a.line, column = a.in.place(a.decoder.InputOffset() - int64(len(text)))
	return text, a.line, column, true
}

// element reads the next element. It returns io.EOF at the end of the file.
func (a *jsonArray) element() ([]byte, error) {
	if !a.inside {
		if _, err := a.decoder.ReadToken(); err != nil {
			return nil, a.broken(err)
		}
		a.inside = true
	}
	if a.decoder.PeekKind() != ']' {
		text, err := a.decoder.ReadValue()
		if err != nil {
			return nil, a.broken(err)
		}
		if len(text) > csvfile.MaxRecordBytes {
			a.line, _ = a.in.place(a.decoder.InputOffset() - int64(len(text)))
			return nil, &csvfile.Error{Line: a.line, Column: 1, Message: fmt.Sprintf(
				"the element is longer than %d bytes (MaxRecordBytes): expected an object for each join", csvfile.MaxRecordBytes)}
		}
		return text, nil
	}
	if _, err := a.decoder.ReadToken(); err != nil {
		return nil, a.broken(err)
	}
	_, err := a.decoder.ReadToken()
	if err == io.EOF {
		return nil, err
	}
	if err == nil {
		err = errors.New("more after the array")
	}
	return nil, a.broken(err)
}

// broken adds the position to an error after which the rest cannot be read.
func (a *jsonArray) broken(err error) error {
	if a.in.err != nil && a.in.err != io.EOF {
		return a.in.err
	}
	at, message := a.decoder.InputOffset(), err.Error()
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = syntax.ByteOffset
		if syntax.Err != nil {
			message = syntax.Err.Error()
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		message = "the file ends inside it"
	}
	line, column := a.in.place(at)
	return &csvfile.Error{Line: line, Column: column, Message: "the JSON array is not valid: " + message + ": expected [{…}, {…}]"}
}

// maxAhead limits how far lineCounter reads beyond the last place that was asked for. It is far
// above MaxRecordBytes, because a decoder reads ahead.
const maxAhead = 16 * csvfile.MaxRecordBytes

// lineCounter remembers where the lines of a text begin, until they have been asked for.
type lineCounter struct {
	from  io.Reader
	read  int64
	err   error
	asked int64   // offset of the last place
	line  int     // line of asked
	begin int64   // offset of the beginning of that line
	next  []int64 // beginnings of the following lines
}

func (l *lineCounter) Read(p []byte) (n int, err error) {
	if l.read-l.asked > maxAhead {
		l.err = csvfile.Damage(fmt.Sprintf("an element of more than %d bytes: expected an object for each join", maxAhead))
		return 0, l.err
	}
	n, l.err = l.from.Read(p)
	for at := 0; ; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		l.next = append(l.next, l.read+int64(at))
	}
	l.read += int64(n)
	return n, l.err
}

// place returns the line and the column of an offset, which must not be before the last one.
func (l *lineCounter) place(offset int64) (line, column int) {
	passed := 0
	for passed < len(l.next) && l.next[passed] <= offset {
		l.begin = l.next[passed]
		passed++
	}
	l.line += passed
	l.next = append(l.next[:0], l.next[passed:]...)
	l.asked = offset
	return l.line, int(offset-l.begin) + 1
}
