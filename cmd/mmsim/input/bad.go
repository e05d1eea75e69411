package input

import (
	"errors"
	"fmt"
	"os"
)

// BadError is an error that the user can correct.
type BadError struct{ err error }

func (e *BadError) Error() string { return e.err.Error() }

func (e *BadError) Unwrap() error { return e.err }

// Bad marks an error as one that the user can correct. It does not change the message, which
// already begins with FILE:LINE:COLUMN.
func Bad(err error) error {
	if err == nil {
		return nil
	}
	return &BadError{err}
}

// Badf is Bad for a formatted message.
func Badf(format string, args ...any) error {
	return Bad(fmt.Errorf(format, args...))
}

// IsBad reports whether the user can correct an error.
func IsBad(err error) bool {
	var bad *BadError
	return errors.As(err, &bad)
}

// ErrNoName is the error about an empty file name, which is most likely an unset shell
// variable and must not select the built-in day.
var ErrNoName = Bad(errors.New(`expected the name of a file, not ""`))

// WorkingFolder returns the working directory. It fails if another process removed it.
func WorkingFolder() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", Badf("the working directory is gone: %w", err)
	}
	return here, nil
}
