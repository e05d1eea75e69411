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

// A screen is standard output or standard error. The names of files, columns, attributes,
// rules and tickets come from outside. They must not move the cursor, change colours, or hide
// or forge output. A screen therefore escapes all characters that are not visible as JSON
// does; text that is JSON stays equivalent JSON.
//
// A screen cannot decide two things. The first is whether a line break is part of a name:
// names are put on one line where text is formatted, by PrintTo and ErrorText and by the tables
// of reports. The second is what is data and not text for people: days of joins bypass the
// screen, see Streams.Data.
//
// CI services interpret lines that begin with :: (workflow commands of GitHub) or contain ##[.
// A screen breaks both; mmsim's own workflow commands bypass it.
type screen struct {
	mutex  sync.Mutex
	to     io.Writer
	styled bool   // the styles of reports pass
	part   []byte // the first bytes of an incomplete character
	line   lineState
}

// lineState is the part of a line's state that decides whether a character completes a workflow
// command.
type lineState struct {
	text   bool // the line has other characters than blanks followed by a colon
	colon  bool // the line is blanks followed by a colon
	hashes int  // consecutive hashes at the end
}

// styles lists the escape codes with which reports colours its tables. A screen lets no other
// escape code pass.
var styles = []string{"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[32m"}

// Write writes p with invisible characters escaped. It returns the length of p if everything
// was written.
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

// close writes the remaining bytes of an incomplete character.
func (s *screen) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// At the end of the process there is nobody to report an error to.
	_, _ = io.WriteString(s.to, words.Printable(string(s.part)))
	s.part = nil
}

// style returns the length of the permitted style at the beginning of a text, 0 if there is
// none.
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

// Behind returns the writer behind a screen, and any other writer unchanged.
func Behind(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.to
	}
	return w
}

// PrintTo writes a message. It keeps the line breaks of the format and escapes those of the
// values.
func PrintTo(w io.Writer, format string, values ...any) error {
	safe := make([]any, len(values))
	for i, value := range values {
		safe[i] = oneLine{value}
	}
	_, err := fmt.Fprintf(w, format, safe...)
	return err
}

// oneLine formats a value as usual, but on one line.
type oneLine struct{ value any }

// Format implements fmt.Formatter.
func (o oneLine) Format(f fmt.State, verb rune) {
	// Writing to a buffer does not fail.
	_, _ = io.WriteString(f, words.Printable(fmt.Sprintf(fmt.FormatString(f, verb), o.value)))
}
