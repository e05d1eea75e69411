package jsontree

import (
	"errors"
	"fmt"
)

// problemsMax is the maximum number of errors to list. A file in the wrong format may have an error
// on every line.
const problemsMax = 20

// warningsMax is the maximum number of warnings to list. It limits the cost, because finding the
// line and column of a warning takes a pass over the text.
const warningsMax = 50

// A Warning is a message about a position in a document, about a whole file, or about other data.
type Warning struct {
	Position string // FILE:LINE:COLUMN, or "" if there is no position
	// File is the file or data that a warning without Position is about. It is "" if the message
	// itself names it.
	File    string
	Message string
}

// Unplaced returns warnings without a position.
func Unplaced(messages ...string) []Warning {
	list := make([]Warning, len(messages))
	for i, message := range messages {
		list[i].Message = message
	}
	return list
}

// String returns the position, the word "warning" and the message. If there is no position, it returns
// the file and the message.
func (w Warning) String() string {
	switch {
	case w.Position != "":
		return w.Position + ": warning: " + w.Message
	case w.File != "":
		return w.File + ": " + w.Message
	}
	return w.Message
}

// MarshalText encodes the warning as a string in JSON.
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Problems collects errors and warnings about a document in the order in which they are found. The
// zero value is ready to use. An [Object] reads the document as Format says.
type Problems struct {
	Format
	errors   []error
	more     int
	warnings []Warning
	moreWarn int
}

// Errorf records an error about v.
func (p *Problems) Errorf(v Value, format string, args ...any) {
	if !p.full() {
		p.errors = append(p.errors, v.Errorf(format, args...))
	}
}

// MemberErrorf records an error about a member at the position of its name.
func (p *Problems) MemberErrorf(m Member, format string, args ...any) {
	if !p.full() {
		p.errors = append(p.errors, m.Errorf(format, args...))
	}
}

// Add records an error.
func (p *Problems) Add(err error) {
	if !p.full() {
		p.errors = append(p.errors, err)
	}
}

// full reports whether the list of errors is full. If it is, full counts one more error.
func (p *Problems) full() bool {
	if len(p.errors) < problemsMax {
		return false
	}
	p.more++
	return true
}

// Warnf records a warning about v.
func (p *Problems) Warnf(v Value, format string, args ...any) {
	if len(p.warnings) == warningsMax {
		p.moreWarn++
		return
	}
	p.warnings = append(p.warnings, Warning{Position: v.Position(), Message: fmt.Sprintf(format, args...)})
}

// Err returns all errors as a single error, or nil if there are none.
func (p *Problems) Err() error {
	if p.more > 0 {
		return errors.Join(append(p.errors[:problemsMax:problemsMax], errors.New("and "+Count(p.more, "more error")))...)
	}
	return errors.Join(p.errors...)
}

// Count returns the number of errors so far. A reader can compare two counts to find out whether
// the part of the document read in between had errors.
func (p *Problems) Count() int { return len(p.errors) + p.more }

// Warnings returns the warnings with their positions. If there were too many to list, a last warning
// says how many more there were.
func (p *Problems) Warnings() []Warning {
	if p.moreWarn > 0 {
		return append(p.warnings[:warningsMax:warningsMax], Warning{Message: "and " + Count(p.moreWarn, "more warning")})
	}
	return p.warnings
}
