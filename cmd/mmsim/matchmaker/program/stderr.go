package program

import (
	"bufio"
	"io"
	"sync"

	"mmsim/cmd/mmsim/terminal"
)

// A tail passes the lines of a program's standard error on, and keeps the last of them.
type tail struct {
	to    io.Writer
	label string

	mutex sync.Mutex
	lines []any // texts
}

// Bounds of what is kept and shown.
const (
	tailLines = 10
	lineBytes = 4096 // of one line; what is longer is cut into several
)

func newTail(to io.Writer, label string) *tail { return &tail{to: to, label: label} }

// readAll reads to the end. Control characters are shown as escapes.
func (t *tail) readAll(from io.Reader) {
	reader := bufio.NewReaderSize(from, lineBytes)
	for {
		line, _, err := reader.ReadLine()
		if err != nil {
			return
		}
		t.add(string(line))
	}
}

func (t *tail) add(line string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.lines = append(t.lines, line); len(t.lines) > tailLines {
		t.lines = t.lines[1:]
	}
	if t.to != nil {
		// Nobody is there to hear that it failed.
		_ = terminal.PrintTo(t.to, "%s: %s\n", t.label, line)
	}
}

// last returns the last lines.
func (t *tail) last() []any {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return append([]any(nil), t.lines...)
}
