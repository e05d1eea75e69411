package terminal

import (
	"strings"

	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/words"
)

// hintedError is an error with a line of advice behind it.
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

// ErrorText writes an error for people. It may quote names with line breaks in them, so
// every message becomes one line; line breaks stay between messages that are joined, and
// before the excerpt of a file and advice, which are ours.
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

// aroundErrors writes the text of an error that quotes others in their order. Alone
// between two of them, a line break is ours: errors.Join puts it there.
func aroundErrors(text string, quoted []error) string {
	var b strings.Builder
	for _, inner := range quoted {
		before, after, found := strings.Cut(text, inner.Error())
		if !found {
			continue // it is worded anew
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
