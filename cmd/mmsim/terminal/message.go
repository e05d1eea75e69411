package terminal

import (
	"strings"

	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/words"
)

// hintedError is an error with a line of advice.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Error() string { return e.error.Error() + "\n" + e.hint }

func (e *hintedError) Unwrap() error { return e.error }

// Hinted adds lines of advice to an error.
func Hinted(err error, format string, args ...any) error {
	var hint strings.Builder
	_ = PrintTo(&hint, format, args...) // a write to memory does not fail
	return &hintedError{err, hint.String()}
}

// ErrorText formats an error for people. Because a message may quote names with line breaks,
// every message becomes one line. Line breaks remain between joined messages, and before the
// excerpt of a file and advice, which mmsim itself writes.
func ErrorText(err error) string {
	switch e := err.(type) {
	case *hintedError:
		return ErrorText(e.error) + "\n" + e.hint
	case *yamltree.Error:
		return words.Printable(e.Place+": "+e.Message) + e.Excerpt
	case *jsontree.Error:
		return words.Printable(e.Place+": "+e.Message) + e.Excerpt
	case interface{ Unwrap() []error }:
		return aroundErrors(err.Error(), e.Unwrap())
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return aroundErrors(err.Error(), []error{inner})
		}
	}
	return words.Printable(err.Error())
}

// aroundErrors formats an error that quotes other errors in order. A line break alone between
// two of them comes from errors.Join and is kept.
func aroundErrors(text string, quoted []error) string {
	var b strings.Builder
	for _, inner := range quoted {
		before, after, found := strings.Cut(text, inner.Error())
		if !found {
			continue // reformatted
		}
		if before == "\n" {
			b.WriteByte('\n')
		} else {
			b.WriteString(words.Printable(before))
		}
		b.WriteString(ErrorText(inner))
		text = after
	}
	b.WriteString(words.Printable(text))
	return b.String()
}
