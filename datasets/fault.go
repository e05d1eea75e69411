package datasets

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Error is a fault in an input file. Its text begins FILE:LINE:COLUMN, so that
// an editor can jump to the place.
type Error struct {
	File    string
	Line    int // from 1
	Column  int // byte in the line, from 1; 0 where it is not known
	Message string
}

// Error gives the place, then what is wrong there.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// A fault is an Error that does not know its file yet: what is wrong with one
// cell of a record.
type fault struct {
	column  int // byte in the line, from 1
	message string
}

// quotedMax is how much of a value a message repeats: enough to recognise it,
// never a screenful.
const quotedMax = 40

// quoted renders a value for a message.
func quoted[T string | []byte](value T) string {
	text := string(value)
	if len(text) <= quotedMax {
		return strconv.Quote(text)
	}
	cut := quotedMax
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(text[:cut]) + "…"
}

// counted writes a number of things: 1 column, 2 columns.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
