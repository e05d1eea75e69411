// Package terminal is where commands read and write: standard output and standard error as
// screens that names from files cannot forge, messages of errors, and the line of progress.
package terminal

import (
	"io"
	"os"

	"mmsim/sim"
)

// Streams are where a command reads and writes. Results go to out, progress
// and messages to err, so that results can be piped.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	NoColour bool // as the user wants it

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

// Data is where a command writes data that a program reads: standard output as it is,
// unless people look at it.
func (s *Streams) Data() io.Writer {
	if isTerminal(s.Out) {
		return s.Out
	}
	return Behind(s.Out)
}

// Colour tells whether what is written to standard output is coloured.
func (s *Streams) Colour() bool { return !s.NoColour && takesColours(s.Out) }

// takesColours tells whether what is written there is coloured. NO_COLOR is an agreement
// between programs: set to anything, it means no.
func takesColours(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
