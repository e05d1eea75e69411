package tables

import "fmt"

// Error is an error in an input file. Its text begins with FILE:LINE:COLUMN, so that an editor can
// jump to the position.
type Error struct {
	File    string
	Line    int // counted from 1
	Column  int // byte in the line, counted from 1, or 0 if unknown
	Message string
}

// Error returns the place and the message.
func (e *Error) Error() string { return e.Place() + ": " + e.Message }

// Place returns FILE:LINE:COLUMN, or FILE:LINE if the column is unknown.
func (e *Error) Place() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
}

// A Fault is an error in one cell of a record, without file and line.
type Fault struct {
	Column  int // byte in the line, counted from 1, or 0 if unknown
	Message string
}
