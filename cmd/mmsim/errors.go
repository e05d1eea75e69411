package main

import (
	"context"
	"errors"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports"
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

// hintedError is an error with a line of advice behind it.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Error() string { return e.error.Error() + "\n" + e.hint }

func (e *hintedError) Unwrap() error { return e.error }

// hinted adds lines of advice to an error.
func hinted(err error, format string, args ...any) error {
	var hint strings.Builder
	must(printTo(&hint, format, args...))
	return &hintedError{err, hint.String()}
}

// errorText writes an error for people. It may quote names with line breaks in them, so
// every message becomes one line; line breaks stay between messages that are joined, and
// before the excerpt of a file and advice, which are ours.
func errorText(err error) string {
	switch e := err.(type) {
	case *hintedError:
		return errorText(e.error) + "\n" + e.hint
	case *yamltree.Error:
		return reports.Printable(e.Place+": "+e.Message) + e.Excerpt
	case *jsontree.Error:
		return reports.Printable(e.Place+": "+e.Message) + e.Excerpt
	case interface{ Unwrap() []error }:
		return aroundErrors(err.Error(), e.Unwrap())
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return aroundErrors(err.Error(), []error{inner})
		}
	}
	return reports.Printable(err.Error())
}

// aroundErrors writes the text of an error that quotes others in their order. Alone
// between two of them, a line break is ours: errors.Join puts it there.
func aroundErrors(text string, quoted []error) string {
	var b strings.Builder
	for _, inner := range quoted {
		before, after, found := strings.Cut(text, inner.Error())
		if !found {
			continue // it is worded anew
		}
		if before == "\n" {
			b.WriteByte('\n')
		} else {
			b.WriteString(reports.Printable(before))
		}
		b.WriteString(errorText(inner))
		text = after
	}
	b.WriteString(reports.Printable(text))
	return b.String()
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
	case input.IsBad(err), resultdir.IsMendable(err):
		return exitBadInput
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFault
	}
}
