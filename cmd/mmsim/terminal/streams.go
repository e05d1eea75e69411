// Package terminal is the input and output of commands: standard output and standard error as
// screens that names from files cannot forge, error messages, and the progress line.
package terminal

import (
	"io"
	"os"

	"mmsim/sim"
)

// Streams are the input and outputs of a command. Results go to Out, progress and messages to
// Err, so that results can be piped.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	NoColour bool // requested by the user

	Observe func(to sim.Instant) // is called when a replication reaches an instant, one call at a time; only tests set it
}

// NewStreams puts a screen before each output.
func NewStreams(stdin io.Reader, stdout, stderr io.Writer) *Streams {
	return &Streams{In: stdin, Out: &screen{to: stdout, styled: takesColours(stdout)}, Err: &screen{to: stderr}}
}

// Close completes what was written.
func (s *Streams) Close() {
	s.Out.(*screen).close()
	s.Err.(*screen).close()
}

// Data is the output for data that programs read: plain standard output, unless it is a
// terminal.
func (s *Streams) Data() io.Writer {
	if isTerminal(s.Out) {
		return s.Out
	}
	return Behind(s.Out)
}

// Colour reports whether standard output is coloured.
func (s *Streams) Colour() bool { return !s.NoColour && takesColours(s.Out) }

// takesColours reports whether output to a writer is coloured. By convention between programs,
// any value of NO_COLOR turns colours off.
func takesColours(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
