package jsontree

import (
	"errors"
	"fmt"
)

// problemsMax bounds the list of problems: a file of another kind would be
// faulty in every line, and nobody reads thousands of messages.
const problemsMax = 20

// warningsMax bounds the list of warnings alike. Besides, finding the line and
// column of each costs a walk through the text.
const warningsMax = 50

// A Warning says what is doubtful about one place of a document, or anywhere else.
type Warning struct {
	Place   string // FILE:LINE:COLUMN of the document; "": no place of it
	File    string // file, or place of other data, that a message without a place is about; "": it says itself
	Message string
}

// Unplaced makes warnings without a place.
func Unplaced(messages ...string) []Warning {
	list := make([]Warning, len(messages))
	for i, message := range messages {
		list[i].Message = message
	}
	return list
}

// String returns the place, after which it says that this is a warning, and the message.
// Without a place, the file and the message.
func (w Warning) String() string {
	switch {
	case w.Place != "":
		return w.Place + ": warning: " + w.Message
	case w.File != "":
		return w.File + ": " + w.Message
	}
	return w.Message
}

// MarshalText makes a text of the warning in JSON.
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Problems collects what is wrong with a document and what is only doubtful, in
// the order found. The zero value is ready for use.
type Problems struct {
	errors   []error
	more     int
	warnings []Warning
	moreWarn int
}

// Errorf records an error about v.
func (p *Problems) Errorf(v Value, format string, args ...any) {
	if p.full() {
		return
	}
	p.Add(v.Errorf(format, args...))
}

// MemberErrorf records an error about a member, which points at its name.
func (p *Problems) MemberErrorf(m Member, format string, args ...any) {
	if p.full() {
		return
	}
	p.Add(m.Errorf(format, args...))
}

// Add records an error.
func (p *Problems) Add(err error) {
	if !p.full() {
		p.errors = append(p.errors, err)
	}
}

// full counts an error for which there is no room; false when there is some.
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
	p.warnings = append(p.warnings, Warning{Place: v.Place(), Message: fmt.Sprintf(format, args...)})
}

// Err returns all errors as one, nil when there is none.
func (p *Problems) Err() error {
	if p.more > 0 {
		return errors.Join(append(p.errors[:problemsMax:problemsMax], fmt.Errorf("and %d more errors", p.more))...)
	}
	return errors.Join(p.errors...)
}

// Count returns the number of errors so far, so that a reader can tell whether
// a part of the document was sound.
func (p *Problems) Count() int { return len(p.errors) + p.more }

// Warnings returns the warnings, each with its place. A last one counts those that the
// list has no room for.
func (p *Problems) Warnings() []Warning {
	if p.moreWarn > 0 {
		return append(p.warnings[:warningsMax:warningsMax], Warning{Message: fmt.Sprintf("and %d more warnings", p.moreWarn)})
	}
	return p.warnings
}
