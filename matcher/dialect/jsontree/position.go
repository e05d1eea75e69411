package jsontree

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// source is a file name and its text. All values of a tree share one source.
type source struct {
	file    string
	text    []byte
	strict  []byte      // text without comments and trailing commas; the same offsets
	relaxed *relaxation // nil if text is strict JSON

	// For the JSON inside a text, see Value.Inner.
	label   string  // name of the text in messages
	outer   *source // document that contains the text; nil otherwise
	offsets []int32 // offset in outer of each byte of text, and of the end
}

// Error is an error at a position in a JSON text. Its message has FILE:LINE:COLUMN, the message
// itself, the line of the text, and a caret under the column. Columns count characters from 1.
type Error struct {
	Position string
	Message  string
	Excerpt  string // newline, line and caret; empty if the line is empty or not UTF-8
}

func (e *Error) Error() string { return e.Position + ": " + e.Message + e.Excerpt }

// errorAt returns an error at an offset.
func (s *source) errorAt(at int, message string) error {
	if s == nil {
		return &Error{Position: "(no file)", Message: message}
	}
	if s.outer != nil {
		message = fmt.Sprintf("line %d of %s: %s", s.line(at), s.label, message)
	}
	return &Error{Position: s.position(at), Message: message, Excerpt: s.excerpt(at)}
}

// position returns an offset as FILE:LINE:COLUMN.
func (s *source) position(at int) string {
	if s == nil {
		return "(no file)"
	}
	if s.outer != nil {
		return s.outer.position(int(s.offsets[at]))
	}
	begin, _ := s.lineAround(at)
	return fmt.Sprintf("%s:%d:%d", s.file, s.line(at), 1+utf8.RuneCount(s.text[begin:at]))
}

// line returns the line number of an offset, counted from 1.
func (s *source) line(at int) int { return 1 + bytes.Count(s.text[:at], []byte("\n")) }

// lineAround returns the start and end of the line that contains an offset.
func (s *source) lineAround(at int) (begin, end int) {
	begin = 1 + bytes.LastIndexByte(s.text[:at], '\n')
	end = len(s.text)
	if length := bytes.IndexByte(s.text[at:], '\n'); length >= 0 {
		end = at + length
	}
	return begin, end
}

// excerptMax is the maximum width of a quoted line. Exported rulesets often have a single line of
// thousands of characters.
const excerptMax = 120

// excerpt returns the line at an offset with a caret under the offset. It shortens a long line to
// the part around the offset, and replaces tabs with spaces so that the caret is in the right
// column.
func (s *source) excerpt(at int) string {
	begin, end := s.lineAround(at)
	line := strings.TrimRight(string(s.text[begin:end]), "\r")
	if line == "" || !utf8.ValidString(line) {
		return ""
	}
	runes, caret := []rune(line), utf8.RuneCount(s.text[begin:at])
	if len(runes) > excerptMax {
		from := min(max(0, caret-excerptMax/2), len(runes)-excerptMax)
		runes, caret = runes[from:from+excerptMax], caret-from
	}
	for i, r := range runes {
		if r < ' ' || r == 0x7f {
			runes[i] = ' '
		}
	}
	number := strconv.Itoa(s.line(at))
	return fmt.Sprintf("\n  %s | %s\n  %s | %s^", number, string(runes),
		strings.Repeat(" ", len(number)), strings.Repeat(" ", caret))
}
