package jsontree

import (
	"errors"
	"fmt"
)

// problemsMax bounds the list of problems: a file of another kind would be
// faulty in every line, and nobody reads thousands of messages.
const problemsMax = 20

// Problems collects what is wrong with a document and what is only doubtful, in
// the order found. The zero value is ready for use.
type Problems struct {
	errors   []error
	more     int
	warnings []string
}

// Errorf records an error about v.
func (p *Problems) Errorf(v Value, format string, args ...any) {
	p.Add(v.Errorf(format, args...))
}

// Add records an error.
func (p *Problems) Add(err error) {
	if len(p.errors) == problemsMax {
		p.more++
		return
	}
	p.errors = append(p.errors, err)
}

// Warnf records a warning about v.
func (p *Problems) Warnf(v Value, format string, args ...any) {
	p.warnings = append(p.warnings, v.Place()+": warning: "+fmt.Sprintf(format, args...))
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

// Warnings returns the warnings; each begins FILE:LINE:COLUMN and says that it is
// one.
func (p *Problems) Warnings() []string { return p.warnings }
