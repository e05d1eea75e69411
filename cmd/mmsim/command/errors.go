package command

import (
	"context"
	"errors"
	"syscall"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
)

// Exit codes. Scripts rely on them; their meanings never change.
const (
	ExitGood        = 0
	ExitFailed      = 1 // a test case failed, or a limit of a gate is broken
	ExitBadInput    = 2 // wrong usage or invalid input, which the user can correct
	ExitFault       = 3 // an error of mmsim or of the machine, such as a full disk
	ExitInterrupted = terminal.InterruptedCode
)

// codedError is an error with an exit code.
type codedError struct {
	code int
	err  error
}

// Error returns the message, or "" if the message was already printed.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// ExitCode returns the exit code of a command that returned err. The code for bad input requires
// an error that is marked as correctable by the user; any other error counts as a fault.
func ExitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return ExitGood
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // a full disk, whatever was to be written
		return ExitFault
	case input.IsBad(err), resultdir.IsMendable(err):
		return ExitBadInput
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	default:
		return ExitFault
	}
}
