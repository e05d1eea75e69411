package csvfile

import "fmt"

// Error is a fault in an input file. Its text begins FILE:LINE:COLUMN, so that
// an editor can jump to the place.
type Error struct {
	File    string
	Line    int // from 1
	Column  int // byte in the line, from 1; 0 where it is not known
	Message string
}

// Error gives the place, then what is wrong there.
func (e *Error) Error() string { return e.Place() + ": " + e.Message }

// Place is FILE:LINE:COLUMN, or FILE:LINE where the column is not known.
func (e *Error) Place() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
}

// A Fault is an error in one cell of a record, before the file and line are added.
type Fault struct {
	Column  int // byte in the line, from 1; 0 where it is not known
	Message string
}
