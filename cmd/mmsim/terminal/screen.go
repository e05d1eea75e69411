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

// A screen protects standard output or standard error. Names of files, columns, attributes,
// rules and tickets are not under mmsim's control. They must not move the cursor, change
// colours, or hide or forge output. A screen therefore escapes invisible characters as JSON
// does. Text that is JSON remains equivalent JSON.
//
// A screen cannot see whether a line break is part of a name. PrintTo, ErrorText and the
// tables of reports therefore put names on one line when they format text. A screen also
// cannot see whether it writes text for people or data for programs. Data bypasses it; see
// Streams.Data.
//
// CI services interpret lines that begin with :: (GitHub workflow commands) or contain ##[. A
// screen escapes both. mmsim's own workflow commands bypass it.
type screen struct {
	mutex  sync.Mutex
	to     io.Writer
	styled bool   // whether to allow styles
	part   []byte // first bytes of an incomplete character
	line   lineState
}

// lineState is what a screen remembers about the current line to recognise workflow commands.
type lineState struct {
	text   bool // the line is neither blank nor blanks with a colon
	colon  bool // the line is blanks with a colon
	hashes int  // number of hashes at the end of the line
}

// styles lists the escape codes that reports use to colour tables. A screen allows no others.
var styles = []string{"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[32m"}

// Write writes p and escapes invisible characters. It returns len(p) if it succeeds, even if
// it writes more bytes.
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
	// The process ends, so an error cannot be reported.
	_, _ = io.WriteString(s.to, words.Printable(string(s.part)))
	s.part = nil
}

// style returns the length of the allowed style at the beginning of text, or 0 if there is
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

// character writes the first character of text and returns its length in text.
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

// Unwrap returns the writer behind a screen. It returns any other writer unchanged.
func Unwrap(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.to
	}
	return w
}

// PrintTo writes a message. It keeps line breaks in format and escapes line breaks in values.
func PrintTo(w io.Writer, format string, values ...any) error {
	safe := make([]any, len(values))
	for i, value := range values {
		safe[i] = oneLine{value}
	}
	_, err := fmt.Fprintf(w, format, safe...)
	return err
}

// oneLine formats a value on one line.
type oneLine struct{ value any }

// Format implements fmt.Formatter.
func (o oneLine) Format(f fmt.State, verb rune) {
	// Writing to a buffer does not fail.
	_, _ = io.WriteString(f, words.Printable(fmt.Sprintf(fmt.FormatString(f, verb), o.value)))
}
