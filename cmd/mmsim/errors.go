package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Exit codes. A script may rely on them; they never change their meaning.
const (
	exitGood        = 0
	exitFailed      = 1   // a test or a gate failed
	exitBadInput    = 2   // bad usage or bad input: the user can mend it
	exitFault       = 3   // our fault, or the machine's: full disk, unwritable directory
	exitInterrupted = 130 // as shells report a SIGINT
)

// codedError is an error that knows its exit code.
type codedError struct {
	code int
	err  error
}

// Error returns the message, "" where everything was said already.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// badInput marks err as something the user can mend. The message stays as it
// is: leaf packages already begin theirs with FILE:LINE:COLUMN.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return &codedError{code: exitBadInput, err: err}
}

// errNoFileName is about "" in place of a file's name: most likely a variable
// that is not set, which must not mean the built-in day.
var errNoFileName = badInput(errors.New(`expected the name of a file, not ""`))

// badInputf is badInput for a message written here.
func badInputf(format string, args ...any) error {
	return badInput(fmt.Errorf(format, args...))
}

// exitCode tells the exit code of a command that returned err. An error that
// nobody classified is a fault: claiming that the user erred needs a reason.
func exitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return exitGood
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFault
	}
}

// counted writes a number of things: 1 join, 2 joins.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
