package main

import (
	"context"
	"errors"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
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

// exitCode tells the exit code of a command that returned err. An error that
// nobody classified is a fault: claiming that the user erred needs a reason.
func exitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return exitGood
	case errors.As(err, &coded):
		return coded.code
	case input.IsBad(err), resultdir.IsMendable(err):
		return exitBadInput
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFault
	}
}
