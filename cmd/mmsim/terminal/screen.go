package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mmsim/reports/words"
)

// A screen is standard output or standard error. File names, columns, attributes, rules
// and tickets are named by others, and their names must not move the cursor, colour what
// follows, hide or forge anything. So a screen shows lines of characters that can be
// seen; whatever else is in them is written as JSON would write it, and what is JSON
// stays the same JSON.
//
// Two things a screen cannot see. Whether a line break is ours: names become one line
// where text is made, by PrintTo and ErrorText here and by the tables of reports. And
// what is no text for people: days of joins go past it, see streams.data.
//
// Runners of CI services obey lines that begin with :: (a workflow command of GitHub), or
// have ##[ anywhere. A screen breaks both; our own commands go past it, too.
type screen struct {
	mutex  sync.Mutex
	to     io.Writer
	styled bool   // the styles of reports pass
	part   []byte // the beginning of a character whose end has not been written yet
	line   lineState
}

// lineState is what decides whether a character completes a command.
type lineState struct {
	text   bool // the line has more than blanks and a colon behind them
	colon  bool // it has just these, and the colon is its last character
	hashes int  // in a row, at the end
}

// styles are the codes that reports colours tables with; no other passes a screen.
var styles = []string{"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[32m"}

// Write writes what can be seen of p. It returns the length of p where all of that was
// written.
func (s *screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	text := string(append(s.part, p...))
	s.part = nil
	var b strings.Builder
	for len(text) > 0 {
		if !utf8.FullRuneInString(text) {
			s.part = []byte(text)
			break
		}
		size := s.style(text)
		if size > 0 {
			b.WriteString(text[:size])
		} else {
			size = s.character(&b, text)
		}
		text = text[size:]
	}
	if _, err := io.WriteString(s.to, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// close writes what is left: a character that was never completed.
func (s *screen) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// As everywhere at the end of the process, nobody is there to hear that it failed.
	_, _ = io.WriteString(s.to, words.Printable(string(s.part)))
	s.part = nil
}

// style returns the length of the style that a text begins with; 0: none that may pass.
func (s *screen) style(text string) int {
	if s.styled && text[0] == '\x1b' {
		for _, style := range styles {
			if strings.HasPrefix(text, style) {
				return len(style)
			}
		}
	}
	return 0
}

// character writes the first character of a text and returns its length.
func (s *screen) character(b *strings.Builder, text string) int {
	r, size := utf8.DecodeRuneInString(text)
	first, line := text[:size], &s.line
	switch {
	case r == '\n':
		*line = lineState{}
		b.WriteByte('\n')
		return size
	case r == ':' && line.colon, r == '[' && line.hashes >= 2:
		b.WriteString(words.Escape(first))
	default:
		b.WriteString(words.Printable(first))
	}
	line.text = line.text || line.colon || r != ':' && !unicode.IsSpace(r)
	line.colon = !line.text && r == ':'
	if line.hashes++; r != '#' {
		line.hashes = 0
	}
	return size
}

// Behind returns what a screen writes to, and any other writer as it is.
func Behind(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.to
	}
	return w
}

// PrintTo writes a message: the line breaks of the format are ours, those of the values
// are not.
func PrintTo(w io.Writer, format string, values ...any) error {
	safe := make([]any, len(values))
	for i, value := range values {
		safe[i] = oneLine{value}
	}
	_, err := fmt.Fprintf(w, format, safe...)
	return err
}

// oneLine formats a value as it is formatted anyway, in one line.
type oneLine struct{ value any }

// Format implements fmt.Formatter.
func (o oneLine) Format(f fmt.State, verb rune) {
	// A write to what collects a message does not fail.
	_, _ = io.WriteString(f, words.Printable(fmt.Sprintf(fmt.FormatString(f, verb), o.value)))
}
