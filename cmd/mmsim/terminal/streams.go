// Package terminal has the input and output of commands. It keeps names from files from
// forging output on the terminal, formats error messages, and shows a progress line.
package terminal

import (
	"io"
	"os"

	"mmsim/sim"
)

// Streams are a command's input and outputs. Results go to Out. Progress and messages go to
// Err, so that results can be piped.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	NoColour bool // set by the user

	Observe func(to sim.Instant) // set only by tests; called when a replication reaches a virtual time, never concurrently
}

// NewStreams returns streams in which a screen protects each output.
func NewStreams(stdin io.Reader, stdout, stderr io.Writer) *Streams {
	return &Streams{In: stdin, Out: &screen{to: stdout, styled: takesColours(stdout)}, Err: &screen{to: stderr}}
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
