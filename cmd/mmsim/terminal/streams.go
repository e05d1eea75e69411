// Package terminal has the input and output of commands. It keeps names from files from
// forging output on the terminal, formats error messages, shows a progress line, and handles the
// signals that interrupt a command.
package terminal

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"mmsim/cmd/mmsim/input"
	"mmsim/sim"
)

// Streams are a command's input and outputs. Results go to Out. Progress and messages go to
// Err, so that results can be piped.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	NoColour bool // set by the user

	kept *keptError // of writing to Out; nil in tests that do not need it

	Observe func(to sim.Instant) // set only by tests; called when a replication reaches a virtual time, never concurrently
}

// NewStreams returns streams in which a screen protects each output.
func NewStreams(stdin io.Reader, stdout, stderr io.Writer) *Streams {
	kept := &keptError{to: stdout}
	return &Streams{In: stdin, Out: &screen{to: kept, styled: takesColours(stdout)}, Err: &screen{to: stderr}, kept: kept}
}

// keptError is a writer that keeps the first error of writing, because much output is written by
// functions that have no error, such as the help of a command.
type keptError struct {
	to    io.Writer
	mutex sync.Mutex
	err   error
}

func (k *keptError) Write(p []byte) (int, error) {
	n, err := k.to.Write(p)
	if err != nil {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		if k.err == nil {
			k.err = err
		}
	}
	return n, err
}

// Lost returns the error because of which standard output is not complete, or nil. That a reader has
// closed a pipe is no error: it has read what it wanted.
func (s *Streams) Lost() error {
	s.kept.mutex.Lock()
	defer s.kept.mutex.Unlock()
	if s.kept.err == nil || errors.Is(s.kept.err, syscall.EPIPE) {
		return nil
	}
	return input.Error("standard output", s.kept.err)
}

// Close writes what the screens have buffered.
func (s *Streams) Close() {
	s.Out.(*screen).close()
	s.Err.(*screen).close()
}

// Data returns the writer for data that programs read. It is standard output without a screen,
// except on a terminal.
func (s *Streams) Data() io.Writer {
	if isTerminal(s.Out) {
		return s.Out
	}
	return Unwrap(s.Out)
}

// Colour reports whether to colour standard output.
func (s *Streams) Colour() bool { return !s.NoColour && takesColours(s.Out) }

// takesColours reports whether to colour output to w. By convention, any non-empty value of
// NO_COLOR turns colours off.
func takesColours(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
