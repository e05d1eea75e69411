package matchmaker

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"mmsim/cmd/mmsim/terminal"
)

// A tail prints what a matchmaker writes to its standard error, and keeps the last lines for error
// messages. Several goroutines may use it.
type tail struct {
	to    io.Writer
	label string

	mutex sync.Mutex
	part  []byte // incomplete line
	lines []any  // last complete lines, as strings
}

// Limits of what a tail keeps.
const (
	tailLines = 10
	lineBytes = 4096 // a longer line is split
)

// newTail returns a tail that prints each line with a label before it. The writer may be nil.
// Control characters are shown as escapes.
func newTail(to io.Writer, label string) *tail { return &tail{to: to, label: label} }

// Write prints and keeps text that the matchmaker wrote. It never fails.
func (t *tail) Write(text []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for rest := text; len(rest) > 0; {
		room := lineBytes - len(t.part)
		end := bytes.IndexByte(rest[:min(len(rest), room)], '\n')
		switch {
		case end >= 0:
			t.part = append(t.part, rest[:end]...)
			rest = rest[end+1:]
		case len(rest) >= room:
			t.part = append(t.part, rest[:room]...)
			rest = rest[room:]
		default:
			t.part = append(t.part, rest...)
			return len(text), nil
		}
		t.flush()
	}
	return len(text), nil
}

// flush prints and keeps the current line, and starts the next one.
func (t *tail) flush() {
	line := strings.TrimSuffix(string(t.part), "\r")
	t.part = t.part[:0]
	if t.lines = append(t.lines, line); len(t.lines) > tailLines {
		t.lines = t.lines[1:]
	}
	if t.to != nil {
		// If this fails, there is nowhere to report it.
		_ = terminal.PrintTo(t.to, "%s: %s\n", t.label, line)
	}
}

// Explain adds the last lines of the matchmaker's standard error to an error, if there are any.
func (t *tail) Explain(err error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.part) > 0 {
		t.flush()
	}
	if len(t.lines) == 0 {
		return err
	}
	return terminal.Hinted(err, "the end of its standard error:"+strings.Repeat("\n  %s", len(t.lines)), t.lines...)
}
