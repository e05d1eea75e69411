package input

import (
	"errors"
	"fmt"
	"os"
)

// BadError is a bad input error, which the user can correct.
type BadError struct{ err error }

func (e *BadError) Error() string { return e.err.Error() }

func (e *BadError) Unwrap() error { return e.err }

// Bad marks err as an error that the user can correct. It does not change the message.
func Bad(err error) error {
	if err == nil {
		return nil
	}
	return &BadError{err}
}

// Badf returns a formatted error that the user can correct.
func Badf(format string, args ...any) error {
	return Bad(fmt.Errorf(format, args...))
}

// IsBad reports whether the user can correct an error.
func IsBad(err error) bool {
	var bad *BadError
	return errors.As(err, &bad)
}

// ErrNoName is the error for an empty file name. The cause is probably an unset shell
// variable, so the built-in day must not be used instead.
var ErrNoName = Bad(errors.New(`expected the name of a file or folder, not ""`))

// WorkingFolder returns the working directory. It fails if another process has removed it.
func WorkingFolder() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", Badf("the working directory is gone: %w", err)
	}
	return here, nil
}
