package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// NewJSON returns a table for the objects of a file, which are one per line or in an array. It
// returns nil if the file begins with neither an object nor an array.
func NewJSON(text *CSV) *JSON {
	t := &JSON{columns: make(map[string]int)}
	switch text.First() {
	case '{':
		t.source = lines{text}
	case '[':
		t.source = newArray(text.Rest())
	default:
		return nil
	}
	return t
}

// source reads the texts of the objects in a JSON file.
type source interface {
	// next returns the next object, and the line and column of its first byte. The text is valid
	// until the next call. It need not be an object, or valid JSON.
	next() (text []byte, line, column int, ok bool)
	State() (lines int, err error)
}

// lines are the lines of a file with one object per line.
type lines struct{ *CSV }

func (l lines) next() (text []byte, line, column int, ok bool) {
	text, ok = l.NextLine()
	return text, l.LinesRead, 1, ok
}

// array is a file with a single array, whose elements may have any number of lines.
type array struct {
	in      *lineCounter
	decoder *jsontext.Decoder
	inside  bool // the [ was read
	line    int  // line of the current element
	err     error
}

// newArray returns the elements of an array. A member that occurs twice does not end the
// reading here, but is an error of its row.
func newArray(text io.Reader) *array {
	in := &lineCounter{from: text, line: 1}
	return &array{in: in, decoder: jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

func (a *array) State() (lines int, err error) { return a.line, a.err }

func (a *array) next() (text []byte, line, column int, ok bool) {
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
func (a *array) element() ([]byte, error) {
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
		if len(text) > MaxRecordBytes {
			a.line, _ = a.in.place(a.decoder.InputOffset() - int64(len(text)))
			return nil, &Error{Line: a.line, Column: 1, Message: fmt.Sprintf(
				"the element is longer than %d bytes (MaxRecordBytes): expected an object for each join", MaxRecordBytes)}
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
func (a *array) broken(err error) error {
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
	return &Error{Line: line, Column: column, Message: "the JSON array is not valid: " + message + ": expected [{…}, {…}]"}
}

// maxAhead limits how far lineCounter reads beyond the last place that was asked for. It is far
// above MaxRecordBytes, because a decoder reads ahead.
const maxAhead = 16 * MaxRecordBytes

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
		l.err = Damage(fmt.Sprintf("an element of more than %d bytes: expected an object for each join", maxAhead))
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
