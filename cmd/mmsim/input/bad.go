package input

import (
	"errors"
	"fmt"
	"os"
)

// BadError is something that the user can mend.
type BadError struct{ err error }

func (e *BadError) Error() string { return e.err.Error() }

func (e *BadError) Unwrap() error { return e.err }

// Bad marks an error as one that the user can mend. The message stays as it
// is: leaf packages already begin theirs with FILE:LINE:COLUMN.
func Bad(err error) error {
	if err == nil {
		return nil
	}
	return &BadError{err}
}

// Badf is Bad for a message written here.
func Badf(format string, args ...any) error {
	return Bad(fmt.Errorf(format, args...))
}

// IsBad tells whether the user can mend an error.
func IsBad(err error) bool {
	var bad *BadError
	return errors.As(err, &bad)
}

// ErrNoName is about "" in place of a file's name: most likely a variable
// that is not set, which must not mean the built-in day.
var ErrNoName = Bad(errors.New(`expected the name of a file, not ""`))

// WorkingFolder is the working directory, which another process may have removed.
func WorkingFolder() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", Badf("the working directory is gone: %w", err)
	}
	return here, nil
}
